import BlogLibrary
import Model

extension Option {
    // MARK: Every command takes these

    static let source = Option(
        name: "source", value: .some("NAME[,NAME]"),
        help: "these sources that are followed, or a kind at its usual address, such as hn", environment: "BLOG_SOURCE",
        letter: "s", isList: true)
    static let folder = Option(name: "folder", value: .some("NAME"), help: "the sources that are followed in a folder")
    static let url = Option(
        name: "url", value: .some("URL"), help: "this address, followed or not", environment: "BLOG_URL")
    static let store = Option(
        name: "store", value: .some("PATH"), help: "the file that keeps what was seen", environment: "BLOG_STORE")
    static let offline = Option(name: "offline", value: .none, help: "make no requests")
    static let refresh = Option(name: "refresh", value: .none, help: "fetch again, even if the stored copy is fresh")
    static let timeout = Option(
        name: "timeout", value: .some("SECONDS"), help: "how long a server may take to respond or stay silent (30)")
    static let format = Option(
        name: "format", value: .oneOf(Format.allCases.map(\.rawValue)),
        help: "how to print, wherever it goes; without it cards or text on a terminal, tab-separated in a pipe")
    static let json = Option(
        name: "json", value: .optional("FIELDS"), help: "the same as --format json, with these fields only")
    static let fields = Option(
        name: "fields", value: .some("FIELDS"),
        help: "these fields only; the help of a command names them")
    static let color = Option(
        name: "color", value: .oneOf(["auto", "always", "never"]),
        help:
            "when to use colour; in a pipe, always shows a post as on a terminal, and a list with --format cards")
    static let hyperlinks = Option(
        name: "hyperlinks", value: .oneOf(["auto", "always", "never"]),
        help: "when to make links that a terminal can follow; else they are numbered")
    static let dates = Option(
        name: "dates", value: .oneOf(["relative", "absolute"]),
        help: "how people's formats show when something was: 3h and 20 Aug, or 2026-08-20 14:05")
    static let csvSafe = Option(
        name: "csv-safe", value: .oneOf(["always", "never"]),
        help: "when to put an apostrophe before text in CSV that a spreadsheet would take for a formula (always)")
    static let width = Option(
        name: "width", value: .some("N"),
        help:
            "columns to fill, at least 20: else the terminal's, and for the text of a post 80 at most")
    static let noPager = Option(name: "no-pager", value: .none, help: "never start a pager")
    static let quiet = Option(name: "quiet", value: .none, help: "print no notices, only errors", letter: "q")
    static let verbose = Option(
        name: "verbose", value: .none, help: "print requests and where data came from, on stderr", letter: "v")
    static let help = Option(name: "help", value: .none, help: "explain the command", letter: "h")
    static let version = Option(name: "version", value: .none, help: "print the version")

    static let global = [
        source, folder, url, store, offline, refresh, timeout, format, json, fields, color, hyperlinks, dates, csvSafe,
        width, noPager, quiet, verbose, help, version,
    ]

    // MARK: Lists take these

    static let group = Option(
        name: "group", value: .oneOf(Grouping.allCases.map(\.rawValue)),
        help:
            "put posts together by author, by month, by the title's first letter, by source or by folder; in tab-separated lines and CSV the group is one more column in front"
    )
    static let sort = Option(
        name: "sort", value: .oneOf(Sorting.allCases.filter { $0 != .relevance }.map(\.rawValue)),
        help:
            "newest first (date), or A to Z (title, author); of Hacker News and photos their own order (rank), most first (score, comments), or the best rated first (rating)"
    )
    static let section = Option(
        name: "section", value: .oneOf(SourceRegistry.kinds.flatMap(\.capabilities.sections)),
        help: "which list of a source that has several, such as Hacker News (top)")
    static let oneline = Option(
        name: "oneline", value: .none,
        help: "a line a post, in columns, as --format table has it; in the settings for terminals only")
    static let reverse = Option(
        name: "reverse", value: .none, help: "reverse the order of posts, inside their groups too")
    static let reverseGroups = Option(name: "reverse-groups", value: .none, help: "reverse the order of groups")
    static let page = Option(name: "page", value: .some("N"), help: "the Nth page of --limit posts")
    static let output = Option(
        name: "output", value: .some("DIR"),
        help: "with --format html: a folder of pages, an index and one for each post", letter: "o")
    static let limit = Option(
        name: "limit", value: .some("N"),
        help: "at most N posts, the first of the order; for Hacker News and photos 30, unless filters choose",
        letter: "n")
    static let author = Option(
        name: "author", value: .some("NAME"),
        help: "posts by this author: whole words of the name, or with * a part of one")
    static let title = Option(
        name: "title", value: .some("TEXT"),
        help: "posts with these words in the title: whole words, or with * a part of one, as in swif*")
    static let tag = Option(name: "tag", value: .some("TAG"), help: "posts that a feed files under this tag")
    static let since = Option(
        name: "since", value: .some("DATE"),
        help: "from this day on (UTC): 2018, 2018-07, 2018-07-15, a timestamp, today, yesterday, 7d or 2w ago")
    static let until = Option(name: "until", value: .some("DATE"), help: "up to and with this day, month or year")
    static let unread = Option(name: "unread", value: .none, help: "only posts that have not been read")
    static let saved = Option(
        name: "saved", value: .none, help: "only saved posts, those that their blog no longer lists among them")
    static let minScore = Option(
        name: "min-score", value: .some("N"), help: "posts with at least N points, where their source counts them")
    static let new = Option(
        name: "new", value: .optional("NAME"),
        help:
            "only what came or changed after the last --new, each NAME with a last time of its own; what filters leave out counts as seen"
    )

    static let peek = Option(name: "peek", value: .none, help: "with --new: what is new stays new")
    static let exitCode = Option(
        name: "exit-code", value: .none, help: "exit with 1 if there are no matching posts")

    static let filters = [author, title, tag, since, until, minScore, unread, saved]

    // MARK: Searching, syncing, marking and looking after the store take these

    static let searchSort = Option(
        name: "sort", value: .oneOf(Sorting.allCases.filter { $0 != .rank }.map(\.rawValue)),
        help: "what fits best first (relevance, unless told otherwise), newest first (date), or A to Z (title, author)")
    static let maxHits = Option(
        name: "limit", value: .some("N"), help: "at most N posts, the first of the order", letter: "n")
    static let newest = Option(
        name: "limit", value: .some("N"),
        help: "only the N newest posts; of Hacker News and photos the first N of the section (30)", letter: "n")
    static let jobs = Option(name: "jobs", value: .some("N"), help: "fetch N bodies at a time, at most 32 (4)")
    static let all = Option(name: "all", value: .none, help: "every post that passes the filters")
    static let check = Option(name: "check", value: .none, help: "refresh each of them now")
    static let name = Option(
        name: "as", value: .some("NAME"),
        help: "what to call it: letters a to z, digits and dashes (made from the host)")
    static let site = Option(
        name: "site", value: .some("URL"), help: "the address that relative links of its posts are of")
    static let asRead = Option(name: "read", value: .none, help: "take the posts that are there for read")
    static let dryRun = Option(name: "dry-run", value: .none, help: "only show what would be followed")
    static let kind = Option(
        name: "kind", value: .oneOf(SourceRegistry.kinds.map(\.name)),
        help: "what kind of source it is, without detection")

    // MARK: Deleting takes these

    static let keep = Option(
        name: "keep", value: .some("AGE"),
        help: "how long posts are kept that are neither saved nor listed any more: 30d, 6w, 3m, 1y, or all (all)")
    static let keepOfSource = Option(
        name: keep.name, value: keep.value,
        help: "how long posts of this source are kept: 30d, 6w, 3m, 1y, or all; none for what the settings say")
    static let olderThan = Option(
        name: "older-than", value: .some("AGE"),
        help: "prune: delete what was last published, changed and listed so long ago: 30d, 6w, 3m, 1y")
    static let keepSaved = Option(
        name: "keep-saved", value: .none, help: "prune: leave saved posts alone, as it does anyway")
    static let dryPruning = Option(
        name: "dry-run", value: .none, help: "prune: only show how much would be deleted of each source")
    static let forget = Option(
        name: "forget", value: .none, help: "delete their posts and marks too, except saved posts")

    // MARK: Reading takes these

    static let withComments = Option(
        name: "comments", value: .none, help: "fetch the comments on each post too, of a source that has them")
    static let noComments = Option(name: "no-comments", value: .none, help: "show the post alone")
    static let depth = Option(
        name: "depth", value: .some("N"), help: "show comments N levels deep, 1 for direct replies only")
    static let comments = Option(name: "comments", value: .some("N"), help: "show the first N comments only")
    static let by = Option(name: "by", value: .some("USER"), help: "show only the comments that USER wrote")
    static let print = Option(name: "print", value: .none, help: "print the address, and open nothing")
    static let lastMarkings = Option(name: "list", value: .none, help: "name the last ten, and take none back")
    static let discussion = Option(
        name: "discussion", value: .none, help: "the page where people discuss it, not what it is about")
    static let link = Option(name: "link", value: .some("N"), help: "the link with this number")
    static let ownPage = Option(
        name: "page", value: .none, help: "a page made of the post, as --format html has it, wherever it links to")

    static let withImages = Option(
        name: "images", value: .none, help: "fetch the pictures of the posts too, for reading offline")
    static let images = Option(
        name: "images", value: .oneOf(["auto", "always", "never"]),
        help:
            "when to show pictures: on a terminal that can, in a pager only as symbols (auto), or without a pager and in a pipe too (always); a page without them requests none"
    )
    static let embed = Option(
        name: "embed", value: .none, help: "with --format html: put the pictures into the pages themselves")
    static let noMark = Option(name: "no-mark", value: .none, help: "don't mark the posts as read")
    static let body = Option(name: "body", value: .none, help: "the body alone, as published, in a pipe or not")
    static let markWords = Option(
        name: "mark", value: .some("WORDS"), help: "mark these words in the text, as a search finds them")
    static let raw = Option(name: "raw", value: .none, help: "every byte of the body as published, also on a terminal")
}
