import Testing
@testable import BlogLibrary
@testable import BlogRendering
@testable import BlogCommandLine
@testable import blog

@Suite("A command line") struct ArgumentsTests {
    static let known = Option.global + Commands.list.options

    static let lines: [(String, [String: String], [String])] = [
        ("list", [:], ["list"]),
        ("list --limit 5", ["limit": "5"], ["list"]),
        ("--limit=5 list", ["limit": "5"], ["list"]),
        ("list --json", ["json": ""], ["list"]),
        ("list --json=id,title", ["json": "id,title"], ["list"]),
        ("list --json id", ["json": ""], ["list", "id"]),
        ("read -- --limit", [:], ["read", "--limit"]),
        ("read -", [:], ["read", "-"]),
        ("list --author=--odd", ["author": "--odd"], ["list"]),
        ("list --author -x", ["author": "-x"], ["list"]),
        ("list --title=a=b", ["title": "a=b"], ["list"]),
        ("list --limit 1 --limit 2", ["limit": "2"], ["list"]),
        ("list -h", ["help": ""], ["list"]),
        ("list -n5", ["limit": "5"], ["list"]),
        ("list -n=5", ["limit": "5"], ["list"]),
        ("list -s a -s b", ["source": "a,b"], ["list"]),
        ("list -qv", ["quiet": "", "verbose": ""], ["list"]),
    ]

    @Test("is split into options and operands", arguments: lines)
    func splits(line: String, options: [String: String], operands: [String]) throws {
        let arguments = try Arguments(line.split(separator: " ").map(String.init), known: Self.known)
        #expect(arguments.options == options)
        #expect(arguments.operands == operands)
    }

    static let invalidLines: [(String, UsageError)] = [
        ("--limt 5", .unknownOption("--limt", nearest: "--limit")),
        ("--zzzzzz", .unknownOption("--zzzzzz", nearest: nil)),
        ("-z 5", .unknownOption("-z", nearest: nil)),
        ("-qz", .unknownOption("-qz", nearest: nil)),
        ("-qs", .unknownOption("-qs", nearest: nil)),
        ("--limit", .missingValue(option: "limit")),
        ("--author --json", .missingValue(option: "author")),
        ("--author=", .missingValue(option: "author")),
        ("--reverse=yes", .needlessValue(option: "reverse")),
        (
            "--sort dat",
            .badValue(
                "dat", option: "sort", expected: "date, title, author, rank, score, comments or rating",
                nearest: "date")
        ),
        (
            "--group xyzzy",
            .badValue("xyzzy", option: "group", expected: "author, date, title, source or folder", nearest: nil)
        ),
    ]

    @Test("with a mistake is rejected, with the nearest known name", arguments: invalidLines)
    func mistakes(line: String, error: UsageError) {
        #expect(throws: error) { try Arguments(line.split(separator: " ").map(String.init), known: Self.known) }
    }

    @Test("knows every option of a command by one name only")
    func names() {
        for command in Commands.all {
            let names = command.allOptions.map(\.name)
            #expect(Set(names).count == names.count)
        }
    }
}
