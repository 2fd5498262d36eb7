import BlogTerminal

/// The manual, made from the tables that the parser and the help use.
package enum ManPages {
    package static let all = [program] + Commands.all.map(page) + [settings, searching]

    /// The page about a command or another topic of the help; that of the program for none.
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
            (
                "DESCRIPTION",
                [
                    .paragraph(
                        """
                        Follows feeds, Hacker News, and servers with the Blog Nerd Ranch API or the 500px API. Their posts \
                        can be listed, searched and read. All posts you have seen are stored in one file and stay \
                        readable without a network.
                        """),
                    .paragraph(
                        "A post has an ID, such as swift:12, that begins with the name of its source. Options may"
                            + " come before or after the command; -- ends them."),
                ]
            ),
            ("COMMANDS", [table(Commands.all.map { ("blog \($0.name) \($0.operands)", $0.summary) })]),
            (
                "OPTIONS",
                [
                    .paragraph(
                        "Any command may be given these options; commands ignore or reject those that don't apply to them."
                    )
                ]
                    + options(Option.global)
            ),
            ("ENVIRONMENT", [table(Help.variables)]), ("FILES", [table(files)]), exitStatus,
            examples(Commands.list.examples + Commands.read.examples.prefix(2) + Commands.search.examples.prefix(1)),
            seeAlso(Commands.all.map(to) + [toSettings, toSearching]),
        ])

    private static func page(_ command: CommandDescription) -> ManPage {
        let keys: [Section] = command.name == Commands.browse.name ? [("KEYS", [table(keys)])] : []
        let isSearch = command.options.contains { $0.name == Option.title.name }
        let others = [toProgram, toSettings] + (isSearch ? [toSearching] : [])
        return ManPage(
            name: "blog-\(command.name)", number: 1, summary: command.summary,
            synopsis: ("blog \(command.name)", command.operands),
            sections: [
                (
                    "DESCRIPTION",
                    command.details.map { .paragraph($0) }
                        + [.paragraph("For options that all commands have, such as --source, see blog(1).")]
                )
            ]
                + (command.options.isEmpty ? [] : [("OPTIONS", options(command.options))])
                + (command.fields.isEmpty
                    ? []
                    : [
                        (
                            "FIELDS",
                            [
                                .paragraph("For --fields and --json:"),
                                .paragraph(command.fields.joined(separator: ", ") + "."),
                            ]
                        )
                    ])
                + keys + [exitStatus, examples(command.examples), seeAlso(others)])
    }

    private static let settings = ManPage(
        name: toSettings.name, number: toSettings.number, summary: "settings file and environment of blog",
        synopsis: nil,
        sections: [
            (
                "DESCRIPTION",
                [
                    .paragraph(
                        """
                        Each line of the settings file has the form setting = value. A setting whose value is yes or no \
                        may stand alone, which means yes. A line that begins with # is a comment. To begin a file with \
                        all settings in it, run: blog config --example > ~/.config/blog/settings
                        """),
                    .paragraph(
                        """
                        Each setting is the default of the option with its name. \(Help.precedence)
                        """),
                ]
            ),
            (
                "SETTINGS",
                [
                    table(
                        Settings.table.map { ($0.name, $0.meaning) }
                            + Settings.families.map { ("\($0.name).NAME", $0.meaning) })
                ]
            ),
            (
                "KEYS",
                [
                    .paragraph(
                        """
                        A line such as key.save = S replaces all keys bound to an action in blog browse; actions that \
                        had the new keys lose them. Several keys are separated by spaces. A key is a single character, \
                        a letter after ctrl-, or one of the names below.
                        """),
                    table(keys),
                ]
            ),
            ("ENVIRONMENT", [table(Help.variables)]), ("FILES", [table(files)]),
            (
                "EXIT STATUS",
                [.paragraph("If the settings file has an error, every command that reads it exits with 2.")]
            ),
            (
                "EXAMPLES",
                [
                    .lines([
                        "# ~/.config/blog/settings", "oneline", "keep = 1y", "article = auto", "key.save = S",
                        "key.page-down = pgdn ctrl-f",
                    ])
                ]
            ), seeAlso([toProgram, to(Commands.config), to(Commands.browse)]),
        ])

    private static let searching = ManPage(
        name: toSearching.name, number: toSearching.number, summary: "search syntax of blog", synopsis: nil,
        sections: [
            (
                "DESCRIPTION",
                [
                    .paragraph(
                        """
                        This syntax is for blog search, the keys / and F of blog browse, and blog read --mark. A \
                        search finds posts:
                        """), table(Help.searchForms),
                    .paragraph(
                        """
                        Write OR and NOT in capitals. Put no space after a dash, a prefix or an opening quotation \
                        mark. Punctuation and case are ignored, as are accents on Latin letters. Chinese, Japanese, \
                        Korean and Thai words are found even if there are no spaces \
                        between them.
                        """),
                ]
            ), exitStatus, examples(Commands.search.examples),
            seeAlso([toProgram, to(Commands.search), to(Commands.browse)]),
        ])

    // MARK: Sections

    private static let exitStatus: Section = ("EXIT STATUS", [table(Help.exitCodes)])

    private static func examples(_ examples: [(String, String)]) -> Section { ("EXAMPLES", [table(examples)]) }

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
        let groups = Option.Group.allCases.filter { group in options.contains { $0.group == group } }
        return groups.flatMap { group -> [ManPage.Block] in
            let table = ManPage.Block.table(options.filter { $0.group == group }.map(ManPage.Row.init))
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
