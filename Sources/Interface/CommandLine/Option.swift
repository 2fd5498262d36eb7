import BlogEssentials
import BlogLibrary
import BlogModel
import BlogRendering

/// The description of a command-line option, shared by the parser, the help, shells and the settings file.
package struct Option: Sendable {
    package let name: String
    package private(set) var value: Value
    package let help: String
    /// The option's environment variable.
    package var environment: String?
    /// What its environment variable is, if it isn't simply the default.
    var environmentMeaning: String?
    /// Its short form, a letter after one dash.
    package var letter: Character?
    /// Whether its value is a list, and repeating the option adds to it.
    package var isList = false
    /// Whether `--no-NAME` switches it off, because a setting may have switched it on.
    package var isNegatable = false
    /// Its group in the help.
    package var group = Group.other
    /// Sentences for the manual page, which has room for more than the help.
    package var details = ""

    /// The headings of the help, in order.
    package enum Group: String, CaseIterable {
        case choose = "Select"
        case order = "Order"
        case show = "Show"
        case network = "Network"
        case other = "Other"
    }

    /// The value of an option.
    package enum Value: Sendable {
        /// No value.
        case none
        /// A value, shown in the help under this name.
        case some(String)
        /// A value after `=`, or nothing.
        case optional(String)
        /// One of these words.
        case oneOf([String])
    }

    /// The option as the help shows it: `--limit N`.
    package var usage: String {
        let names = (letter.map { "-\($0), " } ?? "") + "--\(longName)"
        return switch value {
        case .none: names
        case .some(let placeholder): "\(names) \(placeholder)"
        case .optional(let placeholder): "\(names)[=\(placeholder)]"
        case .oneOf(let words): "\(names) \(words.joined(separator: "|"))"
        }
    }

    /// Its name in help: `[no-]quiet` if it can be switched off.
    var longName: String { isNegatable ? "[no-]\(name)" : name }

    /// The option that switches it off; nil if there is none.
    var negation: String? { isNegatable ? "no-\(name)" : nil }

    /// The option with other choices.
    func offering(_ choices: [String]) -> Option {
        var option = self
        option.value = .oneOf(choices)
        return option
    }

    /// Options by their groups, in the order of the help.
    static func grouped(_ options: [Option]) -> [(Group, [Option])] {
        Group.allCases.map { group in (group, options.filter { $0.group == group }) }.filter { !$1.isEmpty }
    }

    /// Whether a word of a command line is the option.
    package func isNamed(_ word: String) -> Bool { word == "--\(name)" || letter.map { "-\($0)" } == word }

    /// Whether the next word is its value.
    package var needsValue: Bool {
        switch value {
        case .none, .optional: false
        case .some, .oneOf: true
        }
    }
}

// MARK: Values

extension Option {
    /// The value, if it is valid for this option.
    ///
    /// Throws ``UsageError/badValue(_:option:expected:nearest:)``.
    func checked(_ value: String) throws -> String {
        guard !value.trimmed.isEmpty else { throw UsageError.missingValue(option: name) }
        guard case .oneOf(let words) = self.value, !words.contains(value) else { return value }
        throw UsageError.badValue(
            value, option: name, expected: Counted.choices(words), nearest: NearestName.of(value, among: words))
    }

    /// The value that a text stands for.
    ///
    /// Throws ``UsageError/badValue(_:option:expected:nearest:)``.
    func parsed<Value>(_ text: String, expected: String, _ parse: (String) -> Value?) throws -> Value {
        guard let value = parse(text) else {
            throw UsageError.badValue(text, option: name, expected: expected, nearest: nil)
        }
        return value
    }

    /// A whole number.
    func count(_ text: String, atLeast least: Int = 1, atMost most: Int = .max) throws -> Int {
        let range = most == .max ? "of at least \(least)" : "from \(least) to \(most)"
        return try parsed(text, expected: "a whole number " + range) { text in
            Int(text).flatMap { $0 >= least && $0 <= most ? $0 : nil }
        }
    }

    /// How often something is done, in seconds; nil for never.
    func interval(_ text: String) throws -> TimeInterval? {
        try parsed(text, expected: Self.intervals) { RefreshInterval($0) }.seconds
    }

    static let intervals = "a time like 10m, 2h or 1d, or never"

    /// How long posts are kept.
    func retention(_ text: String) throws -> Retention {
        try parsed(text, expected: "an age like 30d, 6w, 3m or 1y, or all") { Retention($0) }
    }

    /// One of an enum's cases.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(_ text: String) throws -> Choice {
        let words = Choice.allCases.map(\.rawValue)
        return try parsed(text, expected: Counted.choices(words)) { Choice(rawValue: $0) }
    }

    /// Whether a setting switches the option on.
    func flag(_ text: String) throws -> Bool {
        let (on, off) = (["yes", "true", "on"], ["no", "false", "off"])
        return try parsed(text, expected: "yes or no") { text in
            on.contains(text) ? true : off.contains(text) ? false : nil
        }
    }
}

extension Option {
    // MARK: Global

    package static let source = Option(
        name: "source", value: .some("NAME[,NAME]"), help: "only these sources, or a kind such as hn",
        environment: "BLOG_SOURCE", letter: "s", isList: true, isNegatable: true, group: .choose,
        details: "NAME is the name or the title of a source, or the beginning of one if that is unique. blog list "
            + "always refreshes sources named with this option.")
    package static let folder = Option(
        name: "folder", value: .some("NAME"), help: "only the sources in this folder", group: .choose)
    package static let url = Option(
        name: "url", value: .some("URL"), help: "only the source at this address, followed or not",
        environment: "BLOG_URL", environmentMeaning: "default for --url, until you follow a source", isNegatable: true,
        group: .choose,
        details: "Until you follow a source, the default is the address in BLOG_URL, or else http://localhost:8106.")
    package static let store = Option(
        name: "store", value: .some("PATH"), help: "store posts in this file", environment: "BLOG_STORE",
        isNegatable: true, group: .choose,
        details: "Several blog processes can use it at the same time.")
    package static let offline = Option(
        name: "offline", value: .none, help: "make no requests", group: .network,
        details: "Lists and posts come from the store, however old they are.")
    package static let refresh = Option(
        name: "refresh", value: .none, help: "fetch again even if the stored copy is fresh", group: .network,
        details: "A server that sent Retry-After isn't contacted before the time it gave.")
    package static let timeout = Option(
        name: "timeout", value: .some("SECONDS"),
        help: "give up after this many seconds without data [30; at most 20 for feeds, 10 for web pages]",
        group: .network,
        details: "The limit applies to connecting, and then to each wait for data. A response that delivers less "
            + "than 1 KiB in twice that time is aborted. In any case, a feed must arrive within 20 seconds, and a "
            + "web page or a picture within 10.")
    package static let format = Option(
        name: "format", value: .oneOf(Format.allCases.map(\.rawValue) + [Commands.opml]),
        help: "output format [text, in colour on a terminal; in a pipe, tsv for lists, title and body for posts]",
        group: .show,
        details: "The text format is what a terminal shows, without colours. In tsv, csv, json and jsonl, each post is "
            + "a record with the fields of --fields. The ids format is for other commands, as in: "
            + "blog list --format ids | blog read -. In csv, text that looks like a formula gets an apostrophe, unless you "
            + "use --csv-safe never. The html format is a page for a browser, and opml (only for "
            + "blog sources) is a list of feeds.")
    package static let json = Option(
        name: "json", value: .optional("FIELDS"), help: "same as --format json, with only these fields", group: .show,
        details: "Dates are as published. With --group, the output is an array of groups.")
    package static let fields = Option(
        name: "fields", value: .some("FIELDS"), help: "show only these fields (listed in the help for the command)",
        group: .show)
    package static let color = Option(
        name: "color", value: .oneOf(["auto", "always", "never"]),
        help: "use colour [auto: on a terminal]; always: also in a pipe",
        group: .show)
    package static let hyperlinks = Option(
        name: "hyperlinks", value: .oneOf(["auto", "always", "never"]),
        help: "make links clickable [auto: if the terminal supports it]; otherwise, number them", group: .show)
    package static let dates = Option(
        name: "dates", value: .oneOf(["relative", "absolute"]),
        help: "date style on terminals [relative: 3h, 20 Aug]; absolute: 2026-08-20 14:05", group: .show)
    package static let csvSafe = Option(
        name: "csv-safe", value: .oneOf(["always", "never"]),
        help: "put an apostrophe before CSV text that looks like a formula [always]", group: .show)
    package static let width = Option(
        name: "width", value: .some("N"),
        help: "width of the output, at least 20 columns [the terminal's; for posts, up to 80]", isNegatable: true,
        group: .show)
    package static let pager = Option(
        name: "pager", value: .none, help: "use a pager for output that is longer than the screen [on a terminal]",
        isNegatable: true, group: .show)
    package static let quiet = Option(
        name: "quiet", value: .none, help: "print no notices, only the output and errors", letter: "q",
        isNegatable: true, group: .show)
    package static let verbose = Option(
        name: "verbose", value: .none, help: "print requests and other details to stderr", letter: "v", group: .show)
    package static let help = Option(name: "help", value: .none, help: "show help for the command", letter: "h")
    package static let version = Option(name: "version", value: .none, help: "print the version")
    package static let example = Option(
        name: "example", value: .none, help: "print a settings file with every setting, and its default or an example")
    package static let man = Option(name: "man", value: .none, help: "show the full manual page")

    package static let global = [
        source, folder, url, store, offline, refresh, timeout, format, json, fields, color, hyperlinks, dates, csvSafe,
        width, pager, quiet, verbose, help, version,
    ]

    // MARK: Lists

    package static let group = Option(
        name: "group", value: .oneOf(Grouping.allCases.map(\.rawValue)),
        help: "group posts; tsv and csv get an extra first column", group: .order)
    package static let sort = Option(
        name: "sort", value: .oneOf(Sorting.allCases.filter { $0 != .relevance }.map(\.rawValue)),
        help: "sort order [date, newest first; rank for Hacker News and photos]", group: .order,
        details: "The orders score and comments only work with Hacker News, and rating only with photos.")
    package static let section = Option(
        name: "section", value: .oneOf(SourceRegistry.kinds.flatMap(\.capabilities.sections)),
        help: "which list of the source to use [top for Hacker News, popular for photos]", group: .choose)
    package static let oneline = Option(
        name: "oneline", value: .none, help: "show one line per post, like --format table", isNegatable: true,
        group: .show)
    package static let reverse = Option(
        name: "reverse", value: .none, help: "reverse the order of posts (with --group, within each group)",
        group: .order)
    package static let reverseGroups = Option(
        name: "reverse-groups", value: .none, help: "reverse the order of groups", group: .order)
    package static let page = Option(
        name: "page", value: .some("N"), help: "show page N, with --limit posts per page", group: .choose)
    package static let limit = Option(
        name: "limit", value: .some("N"),
        help: "show at most N posts [all; lists of Hacker News and photos without filters: 30]",
        letter: "n", group: .choose)
    package static let author = Option(
        name: "author", value: .some("NAME"), help: "only posts by this author (whole words, or parts of words with *)",
        group: .choose)
    package static let title = Option(
        name: "title", value: .some("TEXT"),
        help: "only posts with these words in the title (parts of words with *, as in swif*)",
        group: .choose)
    package static let tag = Option(
        name: "tag", value: .some("TAG"), help: "only posts with this tag in the feed", group: .choose)
    package static let since = Option(
        name: "since", value: .some("DATE"),
        help: "only posts since this date: 2018-07, 2018-07-15, yesterday, 7d, 2w", group: .choose,
        details: """
            DATE is a year, a month, a day, a timestamp, today, yesterday, or a number of days or weeks ago. Days are \
            those of your time zone.
            """)
    package static let until = Option(
        name: "until", value: .some("DATE"), help: "only posts up to the end of this day, month or year",
        group: .choose)
    package static let unread = Option(name: "unread", value: .none, help: "only unread posts", group: .choose)
    package static let saved = Option(
        name: "saved", value: .none, help: "only saved posts, even if no longer listed by their source",
        group: .choose,
        details: "Saved posts are never deleted.")
    package static let label = Option(
        name: "label", value: .some("LABEL"), help: "only posts with this label (blog label), even if no longer listed",
        group: .choose,
        details: "Posts with labels are never deleted.")
    package static let hidden = Option(
        name: "hidden", value: .none, help: "only posts that a rule hides (blog rule)", group: .choose)
    package static let duplicates = Option(
        name: "duplicates", value: .oneOf(["show", "hide"]),
        help: "list a story once [hide: in a list of several sources], or for each of its sources", group: .choose)
    package static let minScore = Option(
        name: "min-score", value: .some("N"), help: "only posts with at least N points (for Hacker News)",
        group: .choose)
    package static let new = Option(
        name: "new", value: .optional("NAME"),
        help: "only posts added or changed since the last --new (each NAME is tracked separately)", group: .choose,
        details: "The first run lists every post. Posts hidden by filters count as seen. If the next program exits "
            + "early, as head does, or if the list goes through a pager, no posts count as seen.")

    package static let peek = Option(
        name: "peek", value: .none, help: "with --new: don't count these posts as seen", group: .choose)
    package static let exitCode = Option(name: "exit-code", value: .none, help: "exit with 3 if no posts match")

    package static let filters = [author, title, tag, since, until, minScore, unread, saved, label, hidden]

    // MARK: Search, sync, mark, store

    package static let searchSort = Option(
        name: "sort", value: .oneOf(Sorting.allCases.filter { $0 != .rank }.map(\.rawValue)),
        help: "sort order [relevance, best match first]", group: .order)
    package static let browse = Option(
        name: "browse", value: .none, help: "show the matches in full-screen mode, like blog browse", group: .show)
    package static let plain = Option(
        name: "plain", value: .none,
        help: "read commands line by line instead of using full-screen mode, for screen readers",
        isNegatable: true, group: .show)
    package static let sources = Option(
        name: "sources", value: .none, help: "begin with the sources, not with the posts", isNegatable: true,
        group: .show)
    package static let newest = Option(
        name: "limit", value: .some("N"),
        help: "only the N newest posts of each source [all]; "
            + "for Hacker News and photos, the first N of the section [30]",
        letter: "n", group: .choose)
    package static let jobs = Option(
        name: "jobs", value: .some("N"), help: "fetch up to N bodies at a time from each source, at most 32 [4]",
        group: .network)
    package static let all = Option(
        name: "all", value: .none, help: "mark every post that matches the filters", group: .choose)
    package static let check = Option(name: "check", value: .none, help: "refresh every source now")
    package static let failing = Option(
        name: "failing", value: .none, help: "only sources whose last refresh failed, and what to do about it",
        group: .choose)
    package static let name = Option(
        name: "as", value: .some("NAME"), help: "name of the source: letters a to z, digits and dashes [from the host]")
    package static let searchName = Option(
        name: "as", value: .some("NAME"), help: "keep the search under this name, which blog list -s lists")
    package static let site = Option(
        name: "site", value: .some("URL"), help: "resolve relative links in posts against this address")
    package static let asRead = Option(
        name: "read", value: .none, help: "mark the posts of newly followed sources as read")
    package static let dryRun = Option(
        name: "dry-run", value: .none, help: "only show what would change",
        details: "With blog store prune, the fields are source, address, posts, comments and bytes.")
    package static let kind = Option(
        name: "kind", value: .oneOf(SourceRegistry.kinds.filter(\.isOnNetwork).map(\.idPrefix)),
        help: "kind of source [detected]")
    package static let everyOfSource = Option(
        name: every.name, value: every.value,
        help: "how often to refresh the source automatically: 10m, 2h, 1d or never; none: every 30m, or as its server "
            + "says")
    package static let repair = Option(
        name: "repair", value: .none, help: "look for a feed that fails, at its address and on its site",
        details: "Its posts, marks and name are kept. A feed without any of its stored posts is only shown.")
    package static let newAddress = Option(
        name: "address", value: .some("URL"), help: "the new address of a source that you follow; it keeps its posts")
    package static let titleOfSource = Option(
        name: title.name, value: title.value, help: "the title to show for the source; none for its own")
    package static let service = Option(
        name: "in", value: .some("NAME"), help: "let this sync server follow the feed, and take it from there")
    package static let allowHTTP = Option(
        name: "allow-http", value: .none, help: "send logins to this server without encryption")
    package static let allOfServices = Option(
        name: all.name, value: .none,
        help:
            "fetch all posts of sync servers, and not only the next 1,000; with --archive, read it again from its beginning",
        group: .choose)
    package static let sortSources = Option(
        name: sort.name, value: .oneOf(["name", "latest"]), help: "name [name], or latest: newest post first",
        group: .choose)
    package static let archive = Option(
        name: "archive", value: .none, help: "also read the older posts of the blogs, page by page", group: .choose,
        details: """
            A blog's feed has only its newest posts. With -s or --folder, older ones are read as far as the feed leads to them \
            (RFC 5005, JSON Feed, WordPress, Blogger), a page a second. They arrive as read.
            """)
    package static let folderOfSource = Option(
        name: folder.name, value: folder.value, help: "put the source into this folder; / for none")

    package static let every = Option(
        name: "every", value: .some("TIME"),
        help: "while it is open, refresh the sources this often: 10m, 2h or never [30m]",
        details: "A source with an interval of its own keeps that; a server may ask for a longer one.")

    // MARK: Rules

    package static let hides = Option(
        name: "hide", value: .none, help: "hide the posts: leave them out of lists, searches and counts",
        details: "Nothing is deleted: the posts come back when the rule is removed or expires.")
    package static let marksRead = Option(name: "read", value: .none, help: "mark the posts as read")
    package static let marksSaved = Option(name: "save", value: .none, help: "save the posts")
    package static let addsLabel = Option(name: label.name, value: label.value, help: "give the posts this label")
    package static let expires = Option(
        name: "expires", value: .some("DATE"), help: "end the rule after this day, month or year, or in 30d, 6w or 3m")

    // MARK: Pruning

    package static let keep = Option(
        name: "keep", value: .some("AGE"),
        help: "how long to keep posts that are neither saved nor still listed by their source: "
            + "30d, 6w, 3m, 1y or all [all]",
        details: "The age of a post counts from the day it was published, last changed, or dropped from its "
            + "source's list, whichever is latest.")
    package static let keepOfSource = Option(
        name: keep.name, value: keep.value,
        help: "how long to keep posts of this source: 30d, 6w, 3m, 1y or all; none: use the settings")
    package static let olderThan = Option(
        name: "older-than", value: .some("AGE"),
        help: "prune: delete posts not published, changed or listed within this time: 30d, 6w, 3m, 1y")
    package static let forget = Option(
        name: "forget", value: .none,
        help: "also delete the posts and marks of these sources, except saved and labelled posts")

    // MARK: Reading

    package static let withComments = Option(
        name: "comments", value: .none, help: "also fetch comments, from sources that have them", group: .choose,
        details: "Hacker News threads are fetched whole.")
    package static let skip = Option(
        name: "skip", value: .optional("N"), help: "with next: skip the first N unread posts, which stay unread [1]",
        group: .choose)
    package static let noComments = Option(
        name: "no-comments", value: .none, help: "show the post without comments", group: .choose)
    package static let depth = Option(
        name: "depth", value: .some("N"), help: "show comments up to N levels deep (1: only top-level comments)",
        group: .choose)
    package static let comments = Option(
        name: "comments", value: .some("N"), help: "show only the first N comments", group: .choose)
    package static let by = Option(name: "by", value: .some("USER"), help: "show only comments by USER", group: .choose)
    package static let print = Option(
        name: "print", value: .none, help: "print the address instead of opening it", group: .show)
    package static let undoableSteps = Option(
        name: "list", value: .none, help: "list the last ten changes without undoing any")
    package static let discussion = Option(
        name: "discussion", value: .none, help: "open the discussion instead of the linked page", group: .choose)
    package static let link = Option(
        name: "link", value: .some("N"), help: "open link number N of the post", group: .choose)
    package static let ownPage = Option(
        name: "page", value: .none, help: "open the post itself as a page, like --format html", group: .choose)

    package static let withImages = Option(
        name: "images", value: .none, help: "also fetch the pictures in posts", group: .choose)
    package static let images = Option(
        name: "images", value: .oneOf(["auto", "always", "never"]),
        help: "show pictures [auto: on terminals that support them; pages link to them]; always: also in a pipe",
        group: .show,
        details: "With always, no pager is used. In a pager, pictures are drawn with symbols. No login is sent for "
            + "pictures, and no picture is requested from a private network, unless the source itself is on it.")
    package static let embed = Option(
        name: "embed", value: .none, help: "with --format html: embed pictures in the pages", group: .show)
    package static let article = Option(
        name: "article", value: .optional("WHEN"),
        help: "use the linked article: always, never, or auto (if the post is only a summary) "
            + "[never; without WHEN: always]",
        group: .choose,
        details: "An article is the text of the page that a post links to, without menus and advertisements. With "
            + "auto, it is shown if the post has fewer than 1,000 characters or ends like a summary, and if the "
            + "article is longer. This option overrides the choice for the source (blog follow NAME --article), "
            + "which overrides the settings.")
    package static let articleOfSource = Option(
        name: article.name, value: .oneOf(ArticleChoice.allCases.map(\.rawValue) + ["none"]),
        help: "show linked articles; auto: if the post is only a summary; none: use the settings")
    package static let articleBody = Option(
        name: "article-body", value: .some("CSS"),
        help: "CSS selector for the article in the linked pages, such as div.post; none: detect the article",
        details:
            "A selector is a tag, .class, #id, [attribute] or [attribute=value], several of these joined (div.post), "
            + "one within another (main .post), or several separated by commas.")
    package static let articleDrop = Option(
        name: "article-drop", value: .some("CSS"),
        help: "CSS selector for parts to leave out of articles, such as \".ad, #share\"")
    package static let withArticles = Option(
        name: "articles", value: .none,
        help: "also fetch the articles that unread and saved posts link to", group: .choose,
        details: "Articles are fetched for sources with --article auto or always, and for sources named with -s.")
    package static let noMark = Option(name: "no-mark", value: .none, help: "don't mark the posts as read")
    package static let body = Option(
        name: "body", value: .none, help: "print only the body", group: .show)
    package static let markWords = Option(
        name: "highlight", value: .some("WORDS"), help: "highlight these words, matched as in a search", group: .show)
    package static let raw = Option(
        name: "raw", value: .none, help: "print the body byte for byte, even on a terminal", group: .show)
}
