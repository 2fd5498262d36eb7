import Rendering
import Terminal

/// The help pages, made from the tables that the parser uses.
struct Help {
    let width: Int

    /// The pages about no command.
    static let topics = ["options", "settings"]

    /// What `blog help` prints.
    func overview() -> String {
        let commands = Commands.all.map { ("blog \($0.name) \($0.operands)", $0.summary) }
        return """
            \(lines("blog reads blogs in a terminal and in pipelines, online or offline.").joined(separator: "\n"))

            Commands:
            \(table(commands))

            Examples:
            \(table(ListCommand.examples.prefix(2) + ReadCommand.examples.prefix(1)))

            More:
            \(table(Self.more))

            """
    }

    /// What `blog help COMMAND` prints.
    func page(_ command: any Command.Type) -> String {
        let usage = "blog \(command.name)\(command.operands.isEmpty ? "" : " " + command.operands) [options]"
        var sections = [
            lines("blog \(command.name): \(command.summary)").joined(separator: "\n"),
            TextLayout.wrap("Usage: \(usage)", width: max(width - 2, 20)).joined(separator: "\n  "),
        ]
        if !command.options.isEmpty {
            sections.append("Options:\n\(table(command.options.map { ($0.usage, describe($0)) }))")
        }
        if !command.fields.isEmpty {
            let fields = TextLayout.wrap(command.fields.joined(separator: ", "), width: max(width - 2, 20))
            sections.append("Fields for --fields and --json:\n" + fields.map { "  " + $0 }.joined(separator: "\n"))
        }
        sections.append("Examples:\n\(table(command.examples))")
        sections.append(lines("Every command also takes the options of: blog help options").joined(separator: "\n"))
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// What `blog help options` and `blog help settings` print.
    func topic(_ name: String) -> String {
        guard name == "settings" else {
            return """
                Options of every command:
                \(table(Option.global.map { ($0.usage, describe($0)) }))

                Exit codes:
                \(table(Self.exitCodes))

                """
        }
        let variables = Option.global.compactMap { option in option.environment.map { ($0, "--\(option.name)") } }
        let text = [
            "Any long option can be set for good, one a line, without its dashes:", "  format = json", "  oneline",
            "in ~/.config/blog/settings, or in XDG_CONFIG_HOME. What is typed comes first, then the environment, then"
                + " the settings. A command ignores what it can't use. See what is in force with: blog config",
        ]
        return """
            \(text.flatMap(lines).joined(separator: "\n"))

            Environment:
            \(table(variables + Self.variables))

            """
    }

    private func lines(_ text: String) -> [String] { TextLayout.wrap(text, width: width) }

    private static let more = [
        ("blog help COMMAND", "its options and examples"), ("blog help options", "the options of every command"),
        ("blog help settings", "the settings file and the environment"),
    ]

    private static let variables = [
        ("BLOG_PAGER, PAGER", "the pager for what is longer than the screen; cat for none"),
        ("BROWSER", "what blog open starts"), ("NO_COLOR, CLICOLOR_FORCE", "no colour, or colour in a pipe"),
        ("ACCESSIBLE", "text alone, for readers that speak: no pictures and no maps"),
        ("COLUMNS", "the width where no terminal tells it"), ("TZ", "the time zone of dates on a terminal"),
        ("XDG_DATA_HOME", "where the folder with the store is"),
        ("XDG_CONFIG_HOME", "where the folder with the settings is"),
    ]

    private func describe(_ option: Option) -> String {
        option.help + (option.environment.map { " (or \($0))" } ?? "")
    }

    /// Two columns; a left entry that is too long for its column gets its own line.
    private func table(_ rows: some Collection<(String, String)>) -> String {
        let left = min(rows.map(\.0.count).max() ?? 0, width / 2, 34)
        let right = max(width - left - 4, 20)
        return rows.map { entry, meaning in
            let lines = TextLayout.wrap(meaning, width: right)
            let margin = String(repeating: " ", count: left + 4)
            guard entry.count <= left else {
                let head = TextLayout.wrap(entry, width: max(width - 6, 20)).joined(separator: "\n      ")
                return (["  " + head] + lines.map { margin + $0 }).joined(separator: "\n")
            }
            let first = "  " + entry + String(repeating: " ", count: left - entry.count + 2) + (lines.first ?? "")
            return ([first] + lines.dropFirst().map { margin + $0 }).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static let exitCodes = [
        ("0", "success, also when a stored copy was shown because the server can't be reached"),
        ("1", "the server or the store failed"),
        ("2", "the command line is wrong"),
        ("3", "there is no such post"),
        ("4", "nothing can be reached and nothing is stored"),
        ("5", "part of it failed"),
        ("130", "interrupted"),
    ]
}
