import BlogTerminal

/// The manual, made from the tables that the parser and the help use.
package enum ManPages {
    package static let all = [program] + Commands.all.map(page) + [settings, searching]

    /// The page about a command or another help topic; without one, the program's page.
    ///
    /// Throws ``UsageError/unknownCommand(_:nearest:)``.
    package static func about(_ topic: String?) throws -> ManPage {
        switch topic {
        case nil, "options": return program
        case "settings": return settings
        case "searching": return searching
        case let name?: return try all.first { $0.file == name } ?? page(Commands.named(name))
        }
    }

    private typealias Section = (title: String, blocks: [ManPage.Block])

    // MARK: Pages

    private static let program = ManPage(
        name: "blog", number: 1, summary: "read blogs in the terminal and in pipelines",
        synopsis: ("blog", "COMMAND [ARGUMENTS]"),
        sections: [
            section(
                "DESCRIPTION",
                """
                Follows feeds, Hacker News, and servers with the Blog Nerd Ranch API or the 500px API. Their posts can \
                be listed, searched and read. All posts you have seen are stored in one file and stay readable without \
                a network.
                """,
                """
                A post has an ID, such as swift:12, that begins with the name of its source. Options may come before \
                or after the command; -- ends them.
                """),
            section(
                "COMMANDS",
                "Without a command, blog shows what there is to read, or how to begin.",
                table(Commands.all.map { ("blog \($0.name) \($0.operands)", $0.summary) })),
            (
                "OPTIONS",
                [
                    "Any command may be given these options; commands ignore or reject those that don't apply to them."
                ] + options(Option.global)
            ),
            environment, filesUsed, exitStatus,
            examples(Commands.list.examples + Commands.read.examples.prefix(2) + Commands.search.examples.prefix(1)),
            seeAlso(Commands.all.map(to) + [toSettings, toSearching]),
        ])

    private static func page(_ command: CommandDescription) -> ManPage {
        let details = command.details.map { ManPage.Block.paragraph($0) }
        var sections: [Section] = [
            ("DESCRIPTION", details + ["For options that all commands have, such as --source, see blog(1)."])
        ]
        if !command.options.isEmpty { sections.append(("OPTIONS", options(command.options))) }
        if !command.fields.isEmpty {
            sections.append(
                section("FIELDS", "For --fields and --json:", "\(command.fields.joined(separator: ", "))."))
        }
        if command.name == Commands.browse.name { sections.append(section("KEYS", table(keys))) }
        let isSearch = command.options.contains { $0.name == Option.title.name }
        let others = [toProgram, toSettings] + (isSearch ? [toSearching] : [])
        return ManPage(
            name: "blog-\(command.name)", number: 1, summary: command.summary,
            synopsis: ("blog \(command.name)", command.operands),
            sections: sections + [exitStatus, examples(command.examples), seeAlso(others)])
    }

    private static let settings = ManPage(
        name: toSettings.name, number: toSettings.number, summary: "settings file and environment of blog",
        synopsis: nil,
        sections: [
            section(
                "DESCRIPTION",
                """
                Each line of the settings file has the form setting = value. A setting whose value is yes or no may \
                stand alone, which means yes. A line that begins with # is a comment. To begin a file with all settings \
                in it, run: blog config --example > ~/.config/blog/settings
                """,
                """
                Each setting is the default of the option with its name; url is only until you follow a source. \
                \(Help.precedence)
                """),
            section(
                "SETTINGS",
                table(
                    Settings.table.map { ($0.name, $0.meaning) } + [
                        Settings.forKeys, Settings.forCommands, Settings.forLogins, Settings.forFeeds,
                        Settings.forHeaders,
                    ])),
            section(
                "KEYS",
                """
                A line such as key.save = S replaces all keys bound to an action in blog browse; actions that had the \
                new keys lose them. Several keys are separated by spaces. A key is a single character, a letter after \
                ctrl-, or one of the names below.
                """,
                table(keys)),
            environment, filesUsed,
            section("EXIT STATUS", "If the settings file has an error, every command that reads it exits with 2."),
            section(
                "EXAMPLES",
                .lines([
                    "# ~/.config/blog/settings", "oneline", "keep = 1y", "article = auto", "key.save = S",
                    "key.page-down = pgdn ctrl-f",
                ])),
            seeAlso([toProgram, to(Commands.config), to(Commands.browse)]),
        ])

    private static let searching = ManPage(
        name: toSearching.name, number: toSearching.number, summary: "search syntax of blog", synopsis: nil,
        sections: [
            section(
                "DESCRIPTION",
                """
                This syntax is for blog search, the keys / and F of blog browse, and blog read --mark. A search finds \
                posts:
                """,
                table(Help.searchForms),
                """
                Write OR and NOT in capitals. Put no space after a dash, a prefix or an opening quotation mark. \
                Punctuation, symbols, case, accents and vowel points are ignored, and letters are found as people type \
                them: strasse finds Straße, and cafe finds Café. Chinese, Japanese, Korean and Thai words are found \
                even if there are no spaces between them.
                """), exitStatus, examples(Commands.search.examples),
            seeAlso([toProgram, to(Commands.search), to(Commands.browse)]),
        ])

    // MARK: Sections

    private static func section(_ title: String, _ blocks: ManPage.Block...) -> Section { (title, blocks) }

    private static let environment = section("ENVIRONMENT", table(Help.variables))
    private static let filesUsed = section("FILES", table(files))
    private static let exitStatus = section("EXIT STATUS", table(Help.exitCodes))

    private static func examples(_ examples: [(String, String)]) -> Section { section("EXAMPLES", table(examples)) }

    private static func seeAlso(_ pages: [Reference]) -> Section {
        ("SEE ALSO", [.references(pages.sorted { ($0.number, $0.name) < ($1.number, $1.name) })])
    }

    private typealias Reference = (name: String, number: Int)

    private static let (toProgram, toSettings, toSearching): (Reference, Reference, Reference) = (
        ("blog", 1), ("blog-settings", 5), ("blog-search", 7)
    )
    private static func to(_ command: CommandDescription) -> Reference { ("blog-\(command.name)", 1) }

    /// Options under the headings of their groups, if there are several.
    private static func options(_ options: [Option]) -> [ManPage.Block] {
        let groups = Option.grouped(options)
        return groups.flatMap { group, options -> [ManPage.Block] in
            let table = ManPage.Block.table(options.map(ManPage.Row.init))
            return groups.count == 1 ? [table] : [.subheading(group.rawValue), table]
        }
    }

    private static func table(_ rows: [(String, String)]) -> ManPage.Block {
        .table(rows.map { ManPage.Row($0.0, $0.1) })
    }

    // MARK: Tables

    private static let keys = Action.inOrder.map { action in
        (action.defaultKeys.map(\.name).joined(separator: " "), "\(action.rawValue): \(action.help)")
    }

    private static let files = [
        ("~/.config/blog/settings", "the settings file, or blog/settings in XDG_CONFIG_HOME"),
        ("~/.local/share/blog/blog.sqlite3", "the store, or blog/blog.sqlite3 in XDG_DATA_HOME"),
        ("~/.local/share/blog/blog.sqlite3-pictures", "stored pictures, up to 200 MB"),
        ("~/.netrc", "logins, as for curl; the file must be readable only by its owner"),
    ]
}
