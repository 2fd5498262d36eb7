import Testing
@testable import BlogLibrary
@testable import Rendering
@testable import CommandLine
@testable import blog

@Suite("A completion") struct CompletionTests {
    static let lines: [(String, [String])] = [
        ("l", ["list"]),
        ("list --gr", ["--group"]),
        ("--offline list --group ", ["author", "date", "title", "source", "folder"]),
        ("list --group=t", ["--group=title"]),
        ("search --sort r", ["rating", "relevance"]),
        ("list --sort r", ["rank", "rating"]),
        ("list --limit ", []),
        ("list --fields id,ti", ["id,title"]),
        ("list --json=id,publ", ["--json=id,publishDate"]),
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

    @Test("is what may come there", arguments: lines)
    func candidates(line: String, expected: [String]) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard case .words(let found) = Completion(words).place else {
            Issue.record("no words but an id")
            return
        }
        #expect(found.map(\.word) == expected)
    }

    @Test("is all commands at first, and all options of a command behind a dash")
    func everything() {
        func count(_ words: [String]) -> Int? {
            if case .words(let found) = Completion(words).place { found.count } else { nil }
        }
        #expect(count([]) == Commands.all.count)
        #expect(count([""]) == Commands.all.count)
        #expect(count(["list", "-"]) == Option.global.count + Commands.list.options.count)
        #expect(count(["-"]) == Option.global.count)
    }

    @Test(
        "is a source where an option or a command takes one",
        arguments: ["-s h", "--source ", "--source=h", "unfollow "])
    func source(line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect(Completion(words).place == .source)
    }

    @Test("is a folder where an option takes one", arguments: ["list --folder ", "--folder=h", "follow --folder N"])
    func folder(line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect(Completion(words).place == .folder)
    }

    @Test(
        "is a value that only the store knows where an option takes one",
        arguments: [("list --author k", .author), ("search --tag=s", .tag), ("list --new=c", .cursor)]
            as [(String, Completion.Place)])
    func stored(line: String, place: Completion.Place) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect(Completion(words).place == place)
    }

    @Test(
        "is an id where a command takes one", arguments: ["read ", "read 1 1", "mark saved ", "open ", "-s hn read "])
    func ids(line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect(Completion(words).place == .id)
    }
}
