import BlogLibrary
import BlogRendering
import BlogTerminal

/// The help pages, made from the tables that the parser uses.
package struct Help {
    package let width: Int

    package init(width: Int) { self.width = width }

    /// The pages about no command.
    package static let topics = ["options", "settings", "searching"]

    /// What `blog help` prints.
    package func overview() -> String {
        let commands =
            [("blog", Commands.overview.summary)] + Commands.all.map { ("blog \($0.name) \($0.operands)", $0.summary) }
        return """
            \(lines("blog reads blogs in the terminal and in pipelines, online or offline.").joined(separator: "\n"))

            Commands:
            \(table(commands))

            Examples:
            \(table(Commands.list.examples.prefix(2) + Commands.read.examples.prefix(1) + Commands.browse.examples.prefix(1)))

            More:
            \(table(Self.more))

            """
    }

    /// What `blog help COMMAND` prints.
    package func page(_ command: CommandDescription) -> String {
        let usage = "blog \(command.name)\(command.operands.isEmpty ? "" : " " + command.operands) [options]"
        var sections = [
            lines("blog \(command.name): \(command.summary)").joined(separator: "\n"),
            TextLayout.wrap("Usage: \(usage)", width: max(width - 2, 20)).joined(separator: "\n  "),
        ]
        sections += groups(command.options)
        if !command.fields.isEmpty {
            let fields = TextLayout.wrap(command.fields.joined(separator: ", "), width: max(width - 2, 20))
            sections.append("Fields for --fields and --json:\n" + fields.map { "  " + $0 }.joined(separator: "\n"))
        }
        let formats = command.formats.map(\.rawValue) + command.otherFormats
        if !formats.isEmpty {
            let names = TextLayout.wrap(formats.joined(separator: ", "), width: max(width - 2, 20))
            sections.append("Formats for --format:\n" + names.map { "  " + $0 }.joined(separator: "\n"))
        }
        sections.append("Examples:\n\(table(command.examples))")
        sections.append(lines("To list the global options: blog help options").joined(separator: "\n"))
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// What `blog help options`, `blog help settings` and `blog help searching` print.
    package func topic(_ name: String) -> String {
        switch name {
        case "settings": settings
        case "searching": "Search syntax, to find posts:\n\(table(Self.searchForms))\n"
        default:
            (["Global options (some don't apply to every command):"] + groups(Option.global)
                + ["Exit codes:\n\(table(Self.exitCodes))\n"]).joined(separator: "\n\n")
        }
    }

    private var settings: String {
        let text = [
            "The settings file, ~/.config/blog/settings, has one setting per line, such as keep = 1y.",
            "To change the keys bound to an action in blog browse (separate multiple keys with spaces):",
            "  key.save = S", "  key.page-down = pgdn ctrl-f",
            "To set the user of a sync server, and a command that prints the API password:",
            "  login.home = alice pass show rss",
            "To send a header to the feeds at one origin alone:",
            "  header.https://example.org = Cookie: session=1",
            "To follow what a command prints, as exec:news:",
            "  exec.news = fetch-news --rss",
            Self.precedence + " To see the current settings, except keys: blog config",
            "To begin a file with all settings in it: blog config --example > ~/.config/blog/settings",
        ]
        return """
            \(text.flatMap(lines).joined(separator: "\n"))

            Settings:
            \(table(Settings.table.map { ($0.name, $0.meaning) }))

            Environment:
            \(table(Self.variables))

            """
    }

    /// The precedence of the values of a setting.
    static let precedence = """
        The command line overrides the environment, which overrides the settings file. To switch off a setting that is \
        yes, use --no-NAME, as in --no-oneline.
        """

    /// Options under the headings of their groups, or a few under one.
    private func groups(_ options: [Option]) -> [String] {
        let groups = Option.grouped(options)
        // A heading for a few options isn't worth its line.
        let isPlain = groups.count < 2 || options.count <= Self.maxPlain
        func section(_ title: String, _ options: [Option]) -> String {
            "\(title):\n\(table(options.map { ($0.usage, Self.describe($0)) }))"
        }
        if isPlain { return options.isEmpty ? [] : [section("Options", options)] }
        return groups.map { section($0.rawValue, $1) }
    }

    /// The maximum number of options that need no groups.
    private static let maxPlain = 5

    private func lines(_ text: String) -> [String] { TextLayout.wrap(text, width: width) }

    private static let more = [
        ("blog help COMMAND", "options and examples of a command"),
        ("blog help options", "global options and exit codes"),
        ("blog help settings", "settings file and environment"),
        ("blog help searching", "search syntax"),
        ("blog help --man COMMAND", "the full manual page, like man blog-COMMAND"),
    ]

    /// The environment, with the variables of options first.
    static let variables =
        Option.global.compactMap { option in
            option.environment.map { ($0, option.environmentMeaning ?? "default for --\(option.name)") }
        } + [
            ("BLOG_PAGER, PAGER", "pager for long output; cat for none"), ("BROWSER", "browser for blog open"),
            (PhotoSource.keyVariable, "API key for servers with the 500px API"),
            ("NO_COLOR, CLICOLOR=0", "no colour"),
            ("CLICOLOR_FORCE, FORCE_COLOR", "colour in a pipe, too, where text is laid out"),
            ("ACCESSIBLE", "text only, for screen readers: no pictures, maps or full-screen mode"),
            ("COLUMNS", "width of the output, instead of the terminal's"), ("TZ", "time zone of dates on a terminal"),
            ("XDG_DATA_HOME", "directory that contains blog/blog.sqlite3, the store"),
            ("XDG_CONFIG_HOME", "directory that contains blog/settings"),
        ]

    /// An option's help, and its environment variable.
    static func describe(_ option: Option) -> String {
        option.help + (option.environment.map { " (environment: \($0))" } ?? "")
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

    static let exitCodes = [
        ("0", "success, even if a stored copy is shown because the server can't be reached"),
        ("1", "any other failure, such as a server or store error"),
        ("2", "invalid command line or settings, or a file or directory that can't be used"),
        ("3", "no such post or link; with --exit-code, no posts match"),
        ("4", "nothing to show: the server can't be reached (or --offline), and no copy is stored"),
        ("5", "part of the work failed"),
        ("130, 143", "stopped by Ctrl-C (SIGINT) or by SIGTERM"),
    ]

    /// The table of docs/searching.md.
    static let searchForms = [
        ("swift server", "with both words, anywhere in the title, summary, author, tags, link, body or linked article"),
        ("swift OR rust, (swift OR rust) server", "with either word; with “server” and either of the others"),
        (
            "\"swift server\"",
            "with the exact phrase (in a shell, put single quotes around the double quotes)"
        ),
        ("concur*", "with a word that begins with these letters"),
        (
            "author:kim, title:\"part 2\"",
            "with the word or phrase in that field; also summary:, body: and article:"
        ),
        ("tag:swift, tag:\"open source\"", "with this tag in the feed"),
        ("source:hn, folder:tech", "of the source, or of the sources in the folder"),
        ("is:unread, is:saved", "with this mark"),
        ("label:later, label:\"to read\"", "with this label"), ("-beta, NOT beta", "without the word"),
        ("-source:hn, (swift OR tag:swift) is:unread", "conditions are combined as words are"),
        ("since:2018-07, until:2020", "from this day of your time zone on, or up to it, as with --since and --until"),
        ("in:comments, in:posts", "in comments only, or not in comments"), ("in:hidden", "that a rule hides"),
        (
            "in:article static linking",
            "with all words in the linked article; also in:title, in:summary, in:author and in:body"
        ),
    ]
}
