import Testing
@testable import blog
@testable import BlogCommandLine
@testable import BlogLibrary
@testable import BlogRendering

@Suite("A completion") struct CompletionTests {
    static let lines: [(String, [String])] = [
        ("l", ["list", "label"]),
        ("list --gr", ["--group"]),
        ("--offline list --group ", ["author", "date", "title", "source", "folder"]),
        ("list --group=t", ["--group=title"]),
        ("search --sort r", ["rating", "relevance"]),
        ("list --sort r", ["rank", "rating"]),
        ("list --limit ", []),
        ("list --fields id,ti", ["id,title"]),
        ("list --json=id,publ", ["--json=id,publishDate"]),
        ("list --fields id,title,sc", ["id,title,score"]),
        ("list --fields=id,title,sc", ["--fields=id,title,score"]),
        ("list --json=id,title,sc", ["--json=id,title,score"]),
        ("list --json id,title,sc", []),
        ("sources --fields=name,", Commands.sources.fields.map { "--fields=name," + $0 }),
        ("list --onel", ["--oneline"]),
        (
            "list --no-",
            ["--no-source", "--no-url", "--no-store", "--no-width", "--no-pager", "--no-quiet", "--no-oneline"]
        ),
        ("mark u", ["unread", "unsaved"]),
        ("store ", ["check", "prune", "vacuum", "clear-pictures", "export", "import"]),
        ("store import ", []),
        ("brow", ["browse"]),
        ("browse --pl", ["--plain"]),
        ("search x --br", ["--browse"]),
        ("help s", ["sources", "search", "sync", "store", "settings", "searching"]),
        ("completions ", ["bash", "zsh", "fish"]),
        ("nonsense ", []),
        ("list --nonsense ", []),
    ]

    @Test("offers what may come next", arguments: lines)
    func candidates(line: String, expected: [String]) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard case .words(let found) = Completion(words).place else {
            Issue.record("expected words")
            return
        }
        #expect(found.map(\.word) == expected)
    }

    @Test("offers all commands at first, and all options after a dash")
    func everything() {
        func count(_ words: [String]) -> Int? {
            if case .words(let found) = Completion(words).place { found.count } else { nil }
        }
        func names(_ options: [Option]) -> Int { options.count + options.count(where: \.isNegatable) }
        #expect(count([]) == Commands.all.count)
        #expect(count([""]) == Commands.all.count)
        #expect(count(["list", "-"]) == names(Option.global) + names(Commands.list.options))
        #expect(count(["-"]) == names(Option.global))
    }

    @Test(
        "offers sources for an option or command that takes one",
        arguments: ["-s h", "--source ", "--source=h", "unfollow "])
    func source(line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect(Completion(words).place == .source)
    }

    @Test(
        "offers folders for an option that takes one", arguments: ["list --folder ", "--folder=h", "follow --folder N"])
    func folder(line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect(Completion(words).place == .folder)
    }

    @Test(
        "offers stored values for an option that takes one",
        arguments: [("list --author k", .author), ("search --tag=s", .tag), ("list --new=c", .cursor)]
            as [(String, Completion.Place)])
    func stored(line: String, place: Completion.Place) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect(Completion(words).place == place)
    }

    @Test(
        "offers no ID that a shell or the program would take for anything else",
        arguments: [
            ("", "hn:1", true), ("h", "hn:1", true), ("a", "hn:1", false), ("", "-rf", false), ("", "a;b", false),
            ("", "a b", false), ("", "é", false),
        ])
    func safeIDs(typed: String, id: String, isOffered: Bool) {
        #expect(Completion(["read", typed]).accepts(id: id) == isOffered)
    }

    @Test(
        "offers sources that aren't in the list yet, and kinds of source except to unfollow",
        arguments: [
            (["list", "-s", "s"], ["swift", "sea"]), (["list", "-s", "swift,s"], ["swift,sea"]),
            (["list", "--source=5"], ["--source=500px"]), (["unfollow", ""], ["swift", "sea"]),
        ])
    func sourceNames(words: [String], names: [String]) {
        let followed = [(name: "swift", title: "Swift"), (name: "sea", title: "The Sea")]
        #expect(Completion(words).sources(followed).map(\.word) == names)
    }

    @Test(
        "offers IDs for a command that takes one",
        arguments: ["read ", "read 1 1", "mark saved ", "open ", "-s hn read "])
    func ids(line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect(Completion(words).place == .id)
    }
}
