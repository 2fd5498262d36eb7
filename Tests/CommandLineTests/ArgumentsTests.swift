import Testing
@testable import blog
@testable import BlogCommandLine
@testable import BlogLibrary
@testable import BlogRendering

@Suite("A command line") struct ArgumentsTests {
    private func arguments(_ line: String) throws -> Arguments {
        var arguments = Arguments()
        try arguments.parse(line.split(separator: " ").map(String.init))
        return arguments
    }

    @Test("has a typed address of the kind that the IDs begin with", arguments: ["mark saved hn:1", "read hn:1"])
    func kind(line: String) throws {
        let arguments = try arguments(line + " --url http://a.example")
        let command = try #require(arguments.command)
        #expect(try Invocation(arguments, of: command, Settings())[.source] == "hackernews")
    }

    static let lines: [(String, [String: String], [String])] = [
        ("list", [:], []),
        ("list --limit 5", ["limit": "5"], []),
        ("--limit=5 list", ["limit": "5"], []),
        ("--images never -n 5 list", ["images": "never", "limit": "5"], []),
        ("list --json", ["json": ""], []),
        ("list --json=id,title", ["json": "id,title"], []),
        ("list --json id", ["json": "id"], []),
        ("read --json id", ["json": ""], ["id"]),
        ("read --article auto 7", ["article": "auto"], ["7"]),
        ("read --article 7", ["article": ""], ["7"]),
        ("read -- --limit", [:], ["--limit"]),
        ("read -", [:], ["-"]),
        ("search a -b", [:], ["a", "-b"]),
        ("list --author=--odd", ["author": "--odd"], []),
        ("list --author -x", ["author": "-x"], []),
        ("list --title=a=b", ["title": "a=b"], []),
        ("list --limit 1 --limit 2", ["limit": "2"], []),
        ("list -h", ["help": ""], []),
        ("list -n5", ["limit": "5"], []),
        ("list -n=5", ["limit": "5"], []),
        ("list -s a -s b", ["source": "a,b"], []),
        ("list -qv", ["quiet": "", "verbose": ""], []),
        ("list --oneline --no-oneline", ["no-oneline": ""], []),
        ("--no-oneline list --oneline --no-pager", ["oneline": "", "no-pager": ""], []),
    ]

    @Test("is split into a command, options and operands", arguments: lines)
    func splits(line: String, options: [String: String], operands: [String]) throws {
        let arguments = try arguments(line)
        #expect(line.contains(try #require(arguments.command).name))
        #expect(arguments.options == options)
        #expect(arguments.operands == operands)
    }

    static let invalidLines: [(String, UsageError)] = [
        ("list --limt 5", .unknownOption("--limt", nearest: "--limit")),
        ("--limt 5 list", .unknownOption("--limt", nearest: "--limit")),
        ("list --no-pagr", .unknownOption("--no-pagr", nearest: "--no-pager")),
        ("list --no-reverse", .unknownOption("--no-reverse", nearest: nil)),
        ("list --zzzzzz", .unknownOption("--zzzzzz", nearest: nil)),
        ("list -z 5", .unknownOption("-z", nearest: nil)),
        ("list -qz", .unknownOption("-qz", nearest: nil)),
        ("list -qs", .unknownOption("-qs", nearest: nil)),
        ("list --limit", .missingValue(option: "limit")),
        ("list --author --json", .missingValue(option: "author")),
        ("list --author=", .missingValue(option: "author")),
        ("list --reverse=yes", .needlessValue(option: "reverse")),
        ("list --no-quiet=yes", .needlessValue(option: "no-quiet")),
        ("--peek undo", .unknownOption("--peek", nearest: nil)),
        ("--images never sync", .needlessValue(option: "images")),
        (
            "--sort relevance list",
            .badValue(
                "relevance", option: "sort", expected: "date, title, author, rank, score, comments or rating",
                nearest: nil)
        ),
        (
            "list --sort dat",
            .badValue(
                "dat", option: "sort", expected: "date, title, author, rank, score, comments or rating",
                nearest: "date")
        ),
        (
            "list --group xyzzy",
            .badValue("xyzzy", option: "group", expected: "author, date, title, source or folder", nearest: nil)
        ),
    ]

    @Test("with a mistake is rejected, with the nearest known name", arguments: invalidLines)
    func mistakes(line: String, error: UsageError) {
        #expect(throws: error) { try arguments(line) }
    }

    @Test("knows every option of a command by one name only")
    func names() {
        for command in Commands.all {
            let names = command.allOptions.flatMap { [$0.name, $0.negation].compactMap(\.self) }
            #expect(Set(names).count == names.count)
        }
    }
}
