import BlogCore

/// The help pages, made from the tables that the parser uses.
struct Help {
    let width: Int

    /// What `blog help` prints.
    func overview() -> String {
        let commands = Commands.all.map { ("blog \($0.name) \($0.operands)", $0.summary) }
        return """
            blog reads blogs in a terminal and in pipelines, online or offline.

            Examples:
            \(table(ListCommand.examples.prefix(2) + ReadCommand.examples.prefix(1)))

            Commands:
            \(table(commands))

            Options of every command:
            \(table(Option.global.map { ($0.usage, describe($0)) }))

            Exit codes:
            \(table(Self.exitCodes))

            More of a command, its options and examples: blog help COMMAND

            """
    }

    /// What `blog help COMMAND` prints.
    func page(_ command: any Command.Type) -> String {
        var page = """
            Examples:
            \(table(command.examples))

            Usage: blog \(command.name)\(command.operands.isEmpty ? "" : " " + command.operands) [options]
              \(command.summary)

            """
        if !command.options.isEmpty {
            page += "\nOptions:\n\(table(command.options.map { ($0.usage, describe($0)) }))\n"
        }
        let global = Option.global.filter { $0.name != "fields" || !command.fields.isEmpty }
        page += "\nOptions of every command:\n"
        page +=
            table(
                global.map { option in
                    let isFields = option.name == "fields"
                    return (
                        option.usage,
                        isFields ? "these only: " + command.fields.joined(separator: ", ") : describe(option)
                    )
                }) + "\n"
        return page
    }

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
            let head = "  " + entry
            guard entry.count <= left else {
                return ([head] + lines.map { margin + $0 }).joined(separator: "\n")
            }
            let first = head + String(repeating: " ", count: left - entry.count + 2) + (lines.first ?? "")
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
