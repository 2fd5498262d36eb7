import BlogEssentials
import BlogLibrary
import BlogModel
import BlogRendering

/// The description of a command, shared by the parser, the help, the manual and shells.
package struct CommandDescription: Sendable {
    package let name: String
    /// One line for the list of commands.
    package let summary: String
    /// Paragraphs for the manual page.
    package var details: [String] = []
    /// The operands as the help shows them: "ID...".
    package var operands = ""
    /// Command lines with their descriptions, the most useful one first.
    package let examples: [(String, String)]
    /// The options it takes in addition to the global ones.
    package var options: [Option] = []
    /// The names that `--fields` takes; empty if the command has no fields.
    package var fields: [String] = []
    /// The formats in which it can print posts or facts.
    package var formats = Format.ofPosts
    /// Formats that no other command has.
    package var otherFormats: [String] = []
    /// Whether an operand may begin with a dash, as in `-word`.
    package var takesDashes = false
    /// Whether the settings file and the environment apply: commands about the program itself work even if those are
    /// wrong.
    package var hasSettings = true
    /// The valid words for the first operand; empty if it isn't a word.
    package var choices: [String] = []
    /// Whether its operands are names of followed sources.
    package var takesSources = false
    /// Which operands are IDs of posts.
    package var ids = IDOperands.none

    package enum IDOperands: Sendable {
        case none, all, afterFirst, afterSecond
    }

    /// Its own options, and the global ones that it doesn't redefine.
    package var allOptions: [Option] {
        let global = Option.global.map { option in
            let isFormat = option.name == Option.format.name && !formats.isEmpty
            return isFormat ? option.offering(formats.map(\.rawValue) + otherFormats) : option
        }
        return global.filter { option in !options.contains { $0.name == option.name } } + options
    }

    /// The IDs of posts among some operands; they may name their source, as `hn:8863` does.
    package func ids(among operands: [String]) -> [String] {
        switch ids {
        case .none: []
        case .all: operands
        case .afterFirst: Array(operands.dropFirst())
        case .afterSecond: Array(operands.dropFirst(2))
        }
    }
}

/// The table of commands.
package enum Commands {
    package static let all = allButHelp + [help]

    // The help takes the names of these commands, so it can't be one of them.
    private static let allButHelp = [
        follow, unfollow, sources, list, read, browse, search, sync, open, mark, label, rule, undo, store, config,
        completions,
    ]

    /// The options of all commands; an option of several commands takes the words of each.
    static let everyOption = all.flatMap(\.options).reduce(into: Option.global) { options, option in
        guard let index = options.firstIndex(where: { $0.name == option.name }) else {
            return options.append(option)
        }
        guard case .oneOf(let known) = options[index].value, case .oneOf(let more) = option.value else { return }
        options[index] = option.offering(known + more.filter { !known.contains($0) })
    }

    /// The format of lists of sources for other readers (https://opml.org/spec2.opml).
    package static let opml = "opml"

    /// The command of that name.
    ///
    /// Throws ``UsageError/unknownCommand(_:nearest:)``.
    package static func named(_ name: String) throws -> CommandDescription {
        let name = Suggestions.aliases[name] ?? name
        if let command = all.first(where: { $0.name == name }) { return command }
        if let answer = Suggestions.commands[name] { throw UsageError.elsewhere("command “\(name)”", answer) }
        if name.contains(where: \.isNumber) {
            throw UsageError.elsewhere("command “\(name)”", "blog read \(name)")
        }
        if SourceRegistry.kind(named: name) != nil {
            throw UsageError.elsewhere("command “\(name)”", "blog list -s \(name)")
        }
        throw UsageError.unknownCommand(name, nearest: NearestName.of(name, among: all.map(\.name)))
    }

    // MARK: Descriptions

    /// What `blog` alone does; it isn't a command that can be typed.
    package static let overview = CommandDescription(
        name: "overview", summary: "show what there is to read, or how to begin", examples: [], formats: [])

    package static let follow = CommandDescription(
        name: "follow",
        summary: "follow blogs, feeds or Hacker News",
        details: [
            """
            ADDRESS is the address of a feed (RSS, Atom or JSON Feed), of a page that links to one, of a server with \
            the Blog Nerd Ranch API, or of a sync server (FreshRSS, Miniflux); or it is hn for Hacker News. FILE is newsboat's folder \
            (~/.newsboat), which brings what you have read and flagged, its urls file, an OPML file, or a list with \
            one address per line; - reads it from stdin. With the NAME of a source that \
            you already follow, the options change that source.
            """,
            "Post IDs begin with the name of their source, which comes from the host unless you set it with --as.",
            """
            Logins are sent, and private networks and sync servers requested, only at addresses that you have typed here: \
            what came with a list or an export waits until you follow its ADDRESS.
            """,
        ],
        operands: "ADDRESS|NAME|FILE... | -",
        examples: [
            ("blog follow swift.org", "follow the feed that the page links to (https by default)"),
            ("blog follow hn --folder tech", "Hacker News, in a folder (to list it: blog list --folder tech)"),
            (
                "blog follow http://localhost:8106 --as nerds",
                "a server with the Blog Nerd Ranch API; its posts are nerds:1, nerds:2, …"
            ),
            ("blog follow swift --as s --folder /", "rename a source and take it out of its folder"),
            (
                "blog follow swift --keep 1y",
                "when syncing, delete posts after a year, unless saved or still in the feed"
            ),
            ("blog follow swift --address https://swift.org/new.xml", "when a feed has moved"),
            ("blog follow swift --repair", "look for its feed again if it fails"),
            ("blog follow swift --article auto", "show linked articles where the feed has only summaries"),
            ("blog follow ~/.newsboat", "import newsboat's feeds, with what you have read, flagged and deleted"),
            ("blog follow feeds.opml --read", "import from another reader, and mark existing posts as read"),
            (
                "blog follow https://rss.example.net --as home",
                "FreshRSS or Miniflux, with its feeds, folders and marks"
            ),
            ("blog follow example.org --in home", "let that server follow another feed"),
            ("blog follow https://github.com/apple/swift --dry-run", "show what would be followed"),
            ("blog follow linked", "what your sources link to: the pages that two or more of them linked to this week"),
            ("blog follow exec:news", "what the command exec.news of the settings prints: blog help settings"),
        ],
        options: [
            .name, .titleOfSource, .newAddress, .repair, .folderOfSource, .kind, .site, .keepOfSource, .everyOfSource,
            .articleOfSource,
            .articleBody, .articleDrop, .asRead, .service, .allowHTTP, .dryRun,
        ],
        fields: ["name", "kind", "folder", "posts", "title", "address"],
        formats: Format.ofFacts)

    package static let unfollow = CommandDescription(
        name: "unfollow",
        summary: "stop following sources",
        details: [
            """
            The posts of an unfollowed source disappear from lists, except saved posts. All marks are kept, and \
            following the source again brings the posts back.
            """
        ],
        operands: "NAME...",
        examples: [
            ("blog unfollow swift", "remove its posts from lists, except saved ones"),
            ("blog unfollow swift --forget", "also delete its posts, except saved and labelled ones"),
            ("blog sources --fields name", "names of the sources you follow"),
        ],
        options: [.forget],
        formats: [],
        takesSources: true)

    package static let sources = CommandDescription(
        name: "sources",
        summary: "list sources with post counts and last refresh",
        details: [
            """
            Shows how many posts and unread posts each source has, when it was last refreshed, and whether that \
            failed. To refresh again and see why it fails, use --check.
            """
        ],
        examples: [
            ("blog sources", "the sources you follow, or the default one if you follow none"),
            ("blog sources --failing", "sources that could not be refreshed: why, since when, and what to do"),
            ("blog sources --check || echo down", "refresh every source (exit code 5 if any fail)"),
            ("blog sources --sort latest --fields latest,name | tail -n 5", "those that have been silent for longest"),
            ("blog sources --fields unread,address", "number of unread posts by address"),
            ("blog sources --format opml > feeds.opml", "export feeds for another reader"),
        ],
        options: [.check, .failing, .sortSources],
        fields: [
            "name", "kind", "address", "folder", "posts", "bodies", "unread", "refreshedAt", "status", "failedAt",
            "dueAt",
            "title", "movedTo", "comments", "site", "keep", "article", "every", "reason",
            "advice", "marksToSend", "postsToCome", "latest",
        ],
        formats: Format.ofCards,
        otherFormats: [opml])

    package static let list = CommandDescription(
        name: "list",
        summary: "list posts, grouped, sorted and filtered",
        details: [
            """
            Listing several sources refreshes those that are due: half an hour after their last refresh, or \
            later if their server says so. It waits up to five seconds in total, then shows the stored posts. \
            A single source, and sources named with --source, are refreshed every time.
            """,
            """
            On a terminal, posts are shown as cards. In a pipe, each post is a line with its ID, date (UTC), \
            author, title and summary, separated by tabs.
            """,
        ],
        examples: [
            ("blog list --group author --sort date", "by author, newest first"),
            (
                "blog list --since 2018-07 --title swift --limit 10",
                "up to ten posts since July 2018 with “swift” in the title"
            ),
            ("blog list --format ids | blog read -", "read every post"),
            ("blog list --new=cron --quiet", "posts added or changed since the last run, for a cron job"),
            ("blog list --saved --format html > saved.html", "a page for a browser"),
            ("blog list --json=id,title | jq -r '.[].title'", "only the titles, for another program"),
        ],
        options: [.section, .oneline, .group, .sort, .reverse, .reverseGroups, .limit, .page] + Option.filters + [
            .duplicates, .new, .peek, .exitCode, .images, .embed,
        ],
        fields: Field.ofLists.map(\.rawValue))

    package static let read = CommandDescription(
        name: "read",
        summary: "read one or more posts",
        details: [
            """
            Lists show the ID of each post, such as swift:12; just 12 is enough if only one source has a post \
            with that number. The words latest, next and last stand for the newest post, the first unread post and the post you just read; \
            latest:3 and next:3 stand for three posts, and 3-7 is a range. The address of a web page works, too. \
            With -, IDs are read from stdin.
            """,
            "Reading a post marks it as read. In a pipe, this happens once the next program has read it.",
        ],
        operands: "ID... | -",
        examples: [
            ("blog read 11", "the post with the ID 11"),
            ("blog read latest:3", "the three newest posts; also next (first unread), last (just read), 3-7"),
            ("blog read next --skip", "the second unread post; the first stays unread"),
            ("blog list --author kerri --format ids | blog read -", "all posts by one author; - reads IDs from stdin"),
            ("blog read 11 --offline", "the stored copy"),
            ("blog read 11 --json | jq -r .body", "only the body, for another program"),
            ("blog read hn:8863 --depth 2", "a Hacker News story with its comments and their direct replies"),
            ("blog read hn:8863 --article", "the article that the story links to, then the comments"),
            ("blog read https://example.org/page", "any web page, stored as a post in the source named “pages”"),
            ("blog read hn:user:pg", "a Hacker News user"),
        ],
        options: [
            .article, .body, .raw, .images, .embed, .markWords, .noMark, .skip, .noComments, .depth, .comments, .by,
        ],
        fields: Field.ofReadings.map(\.rawValue),
        formats: Format.ofReadings,
        ids: .all)

    package static let browse = CommandDescription(
        name: "browse",
        summary: "read lists and posts in full-screen mode",
        details: [
            """
            Shows lists and posts in full-screen mode. It starts with the stored posts and, in the background, \
            refreshes the sources that are due. The list never moves under the cursor: the bottom line counts new \
            posts, and r shows them. A post counts as read once its text has been on the screen.
            """,
            "To change the keys, see blog-settings(5).",
        ],
        examples: [
            ("blog browse", "everything, newest first; ? shows the keys"),
            ("blog browse --unread --folder tech", "unread posts in a folder"),
            ("blog browse -s hn", "Hacker News, with comments"),
            ("blog browse --plain", "line by line, not in full-screen mode"),
        ],
        options: [.section, .group, .sort, .reverse, .reverseGroups] + Option.filters + [
            .duplicates, .article, .images, .sources, .plain, .every,
        ],
        formats: [])

    package static let search = CommandDescription(
        name: "search",
        summary: "search all stored posts and comments",
        details: [
            """
            Searches the titles, summaries, authors, tags, links, bodies and linked articles in the store, without using the \
            network. The best matches come first. For the search syntax, see blog-search(7).
            """
        ],
        operands: "WORDS...",
        examples: [
            ("blog search embedded swift", "posts with both words, best match first"),
            ("blog search '\"structured concurrency\" OR actors'", "posts with the phrase or the word"),
            (
                "blog search 'author:kim title:part* -beta'",
                "posts by kim with a title word that begins with “part”, without the word “beta”"
            ),
            ("blog search in:article sqlite", "only linked articles that you have read or synced"),
            ("blog search -s hn in:comments sqlite", "only Hacker News comments; in:posts excludes comments"),
            ("blog search swift --sort date --format ids | blog read -", "read all matches, newest first"),
            (
                "blog search 'swift -beta since:30d' --as swiftish",
                "keep the search, for: blog list -s swiftish --unread"
            ),
            ("blog search swift --new=alert", "only matches in posts added or changed since the last time"),
            ("blog search swift --format html > swift.html", "a page for a browser"),
        ],
        options: [.oneline, .group, .searchSort, .reverse, .reverseGroups, .limit, .page] + Option.filters + [
            .duplicates, .searchName, .new, .peek, .exitCode, .images, .embed, .browse, .plain,
        ],
        fields: Field.ofSearches.map(\.rawValue),
        takesDashes: true)

    package static let sync = CommandDescription(
        name: "sync",
        summary: "fetch posts for reading offline, and sync marks",
        details: [
            """
            Sends marks to sync servers, and fetches the lists of all sources, then the bodies that aren't stored \
            yet. You can stop it at any time: the next run continues where it left off. With --keep, it also deletes old posts, once a day.
            """
        ],
        examples: [
            ("blog sync", "everything; can be stopped and rerun at any time"),
            ("blog sync --limit 30", "the 30 newest posts of each source"),
            ("blog sync --source hn --section best --limit 50 --comments", "stories with all comments"),
            ("blog sync -s hn --articles", "articles that unread and saved stories link to"),
            ("blog sync -s home --all", "all posts of a sync server"),
            ("blog sync -s swift --archive", "the whole blog, from its first post on"),
            ("blog sync --images", "also fetch pictures"),
            ("blog sync --json | jq -r '.[] | select(.failed > 0) | .reason'", "reasons for failures, by source"),
        ],
        options: [
            .newest, .allOfServices, .archive, .jobs, .section, .withComments, .withArticles, .withImages, .keep,
        ],
        fields: [
            "source", "address", "new", "updated", "unchanged", "failed", "comments", "status", "reason", "dueAt",
            "deleted",
        ],
        formats: Format.ofFacts)

    package static let open = CommandDescription(
        name: "open",
        summary: "open a post or link in the browser",
        details: [
            """
            Opens the page of a post; for a Hacker News story, the page that it links to. For a post without an \
            address, blog makes a page from the stored post.
            """
        ],
        operands: "ID",
        examples: [
            ("blog open 11 --link 2", "link [2], as numbered by blog read 11 --hyperlinks never"),
            ("blog open hn:8863", "the page that a Hacker News story links to"),
            ("blog open hn:8863 --discussion", "its discussion on Hacker News"),
            ("blog open hn:8863 --link 2 --article", "the second link in the article that it links to"),
            ("blog open 11 --page", "the post itself, as a page"),
        ],
        options: [.link, .article, .discussion, .ownPage, .images, .print],
        formats: [],
        ids: .all)

    package static let mark = CommandDescription(
        name: "mark",
        summary: "mark posts as read, unread, saved or unsaved",
        details: [
            """
            Marks the posts with these IDs (with -, read from stdin), or, with --all, every post that matches the \
            filters. To save a web page for later, use its address as the ID.
            """
        ],
        operands: "read|unread|saved|unsaved ID... | -",
        examples: [
            ("blog mark saved 11", "save a post; blog list --saved shows it"),
            ("blog mark saved https://example.org/page", "save a web page for later; blog list -s pages shows it"),
            ("blog list --unread --format ids | head -5 | blog mark read -", "mark five unread posts as read"),
            ("blog mark read --all --until 2018", "mark everything up to the end of 2018 as read"),
            ("blog undo", "undo the last mark"),
        ],
        options: [.all] + Option.filters,
        formats: [],
        choices: Mark.named.map(\.name),
        ids: .afterFirst)

    package static let label = CommandDescription(
        name: "label",
        summary: "give posts labels, or list them",
        details: [
            """
            A label is any text without double quotes, such as later or "to read". Case and accents don't count. Labels \
            are yours; the tags of a feed are found with --tag. Without an action, lists the labels.
            """,
            """
            IDs are given as for blog mark: with -, they are read from stdin, and with --all, every post that matches \
            the filters gets or loses the label.
            """,
        ],
        operands: "[add|remove LABEL ID... | rename LABEL NEW | delete LABEL]",
        examples: [
            ("blog label add later 11", "label a post; blog list --label later shows it"),
            ("blog search swift --format ids | blog label add swift -", "label all matches"),
            ("blog label remove later --all --author kim", "remove a label from posts by one author"),
            ("blog label", "all labels, with the numbers of their posts"),
            ("blog label rename later 'read later'", "rename a label"),
            ("blog label delete 'read later'", "remove a label from all posts (blog undo brings it back)"),
            ("blog search 'label:later is:unread swift'", "labels in a search"),
        ],
        options: [.all] + Option.filters,
        fields: ["label", "posts", "unread"],
        formats: Format.ofFacts,
        choices: ["add", "remove", "rename", "delete"],
        ids: .afterSecond)

    package static let rule = CommandDescription(
        name: "rule",
        summary: "hide, mark or label what a search finds",
        details: [
            """
            A rule is a search (see blog-search(7)), and what is done with the posts that it finds: those in the store, and \
            those that arrive. Rules apply to all sources; use source: or folder: for some. Hidden posts are in no list and \
            no count, except with --hidden or in:hidden. They stay in the store with their marks, and come back when the \
            rule is removed or expires.
            """,
            """
            A post gets the marks of a rule once, when the rule first finds it. blog undo takes back the marks that adding \
            the rule made. blog rule test shows what a search finds in the last 30 days, before you add it.
            """,
        ],
        operands: "[add WORDS... | test WORDS... | remove NUMBER...]",
        examples: [
            ("blog rule test 'title:sponsored'", "what a rule would find in the last 30 days, and how much of all"),
            (
                "blog rule add '(crypto OR web3) -source:lwn' --hide --expires 2027-01",
                "hide a topic until the end of January"
            ),
            ("blog rule add 'author:kim tag:swift' --save --label swift", "save and label posts as they arrive"),
            ("blog rule", "the rules, with their numbers and what they found in the last 30 days"),
            ("blog rule remove 3", "its posts are shown again"),
            ("blog list --hidden", "the posts that rules hide"),
        ],
        options: [.hides, .marksRead, .marksSaved, .addsLabel, .expires, .oneline, .limit],
        fields: ["number", "words", "actions", "posts", "of", "expires", "status", "reason"],
        formats: Format.ofRules,
        takesDashes: true,
        choices: ["add", "test", "remove"])

    package static let undo = CommandDescription(
        name: "undo",
        summary: "undo the last change, such as a mark",
        details: [
            """
            It undoes marks, labels, rules, following and unfollowing. Reading a post marks it as read, which can be undone, too. To undo earlier changes, run blog undo again. What can't be undone, such as an import, is said, and passed over the next time.
            """
        ],
        examples: [
            ("blog undo", "undo the last change; repeat for earlier ones"),
            ("blog undo --list", "what can be undone, latest first"),
        ],
        options: [.undoableSteps],
        fields: ["mark", "posts", "titles"],
        formats: Format.ofFacts)

    package static let store = CommandDescription(
        name: "store",
        summary: "inspect, check, prune, export or import the store",
        details: [
            """
            Without an action, shows the location and size of the store and how many posts it holds. The store is \
            a single SQLite file that only its owner can read.
            """
        ],
        operands: "[check|prune|vacuum|clear-pictures|export|import [FILE|-]]",
        examples: [
            ("blog store", "location, size and number of posts"),
            ("blog store check", "check for damage (exit code 1 if there is any)"),
            ("blog store prune --older-than 1y --dry-run", "show how many posts would be deleted"),
            (
                "blog store prune --older-than 6w --source hn",
                "delete old Hacker News posts, except those saved or still listed by the source"
            ),
            ("blog store vacuum", "shrink the file and repair the search index"),
            ("blog store clear-pictures", "remove stored pictures"),
            ("blog store export > posts.jsonl", "every post with its marks, one per line"),
            ("blog store import posts.jsonl", "merge exported posts into this store; no post or mark is lost"),
        ],
        options: [.olderThan, .keep, .dryRun],
        fields: [
            "path", "bytes", "schemaVersion", "posts", "bodies", "articles", "comments", "pictures", "pictureBytes",
        ],
        formats: Format.ofCards,
        choices: ["check", "prune", "vacuum", "clear-pictures", "export", "import"])

    package static let config = CommandDescription(
        name: "config",
        summary: "show the settings and their origins",
        details: [
            """
            Settings come from the environment or the settings file; the others have their defaults. With --example, prints a settings file in \
            which every setting is commented out; for each setting, see blog-settings(5).
            """
        ],
        examples: [
            ("blog config", "all settings, from the environment, the settings file or by default"),
            ("blog config --example > ~/.config/blog/settings", "begin a settings file with all settings in it"),
        ],
        options: [.example],
        fields: ["name", "value", "origin"],
        formats: Format.ofFacts)

    package static let completions = CommandDescription(
        name: "completions",
        summary: "print a completion script for your shell",
        operands: Shell.allCases.map(\.rawValue).joined(separator: "|"),
        examples: [
            ("eval \"$(blog completions bash)\"", "add this to ~/.bashrc"),
            ("eval \"$(blog completions zsh)\"", "add this to ~/.zshrc, after compinit"),
            ("blog completions fish > ~/.config/fish/completions/blog.fish", "install for fish"),
        ],
        formats: [],
        hasSettings: false,
        choices: Shell.allCases.map(\.rawValue))

    package static let help = CommandDescription(
        name: "help",
        summary: "show help for blog or a command",
        operands: "[COMMAND|options|settings|searching]",
        examples: [
            ("blog help list", "options and examples of blog list"),
            ("blog help --man list", "the full manual page, like man blog-list"),
            ("blog help --json list", "the same for programs: options, values, formats, fields with their types"),
        ],
        options: [Option.man],
        formats: [],
        hasSettings: false,
        choices: allButHelp.map(\.name) + ["help"] + Help.topics)
}
