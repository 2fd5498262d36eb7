import BlogTestSupport
import Testing

@testable import BlogCommandLine
@testable import blog

@Suite("The commands in README.md and docs") struct DocumentedCommandTests {
    @Test("are valid", arguments: DocumentedCommand.all)
    func parses(command: DocumentedCommand) {
        #expect(throws: Never.self) { try command.check() }
    }

    @Test("are in every file except those about the code", arguments: DocumentedCommand.files)
    func found(file: String) {
        let commands = DocumentedCommand.all.filter { $0.place.hasPrefix(file + ":") }
        #expect(!commands.isEmpty || ["docs/library.md", "docs/mock-server.md"].contains(file))
    }

    static let mistakes = [
        "    blog list --gruop author", "    blog lits", "    blog list --group autor", "    blog list | blog raed -",
        "    blog list --since 2018-7", "    blog list --limit ten", "    blog list --json=titel",
        "    blog search swift --mew", "    blog read", "    blog mark red 11", "    blog mark saved",
        "    blog list 11", "    blog follow swift.org --keep 1x", "    blog sources --format tsv --sort date",
        "    swift run -q blog list --sroup author", "    fzf --preview 'blog read {1} --colour always'",
        "    eval \"$(blog completions tcsh)\"", "    blog store chek",
        "```sh\nblog unfolow swift\n```",
        "```console\n$ blog read 11 --hed\nblog is output\n```", "To see more, `blog read 11 --boddy`.",
        "| all | `blog list \\| blog read - --n-mark` |", "`blog\nundo --lists` names them.",
    ]

    @Test("are rejected with a mistake in them", arguments: mistakes)
    func rejects(text: String) {
        let commands = DocumentedCommand.commands(in: text, of: "a.md")
        #expect(throws: UsageError.self) { for command in commands { try command.check() } }
    }

    static let lines: [(String, [[String]])] = [
        ("blog list | blog read - # all", [["blog", "list"], ["blog", "read", "-"]]),
        ("blog sync && blog list; blog undo", [["blog", "sync"], ["blog", "list"], ["blog", "undo"]]),
        ("blog list >a.html 2> /dev/null", [["blog", "list"]]),
        (#"blog search '"a b" -c' it\'s"#, [["blog", "search", #""a b" -c"#, "it's"]]),
        (#"blog search "\"a b\" #c""#, [["blog", "search", #""a b" #c"#]]),
        (#"eval "$(blog list)""#, [["blog", "list"], ["eval", "$(blog list)"]]),
        ("# only a comment", []),
    ]

    @Test("are split as a shell splits them", arguments: lines)
    func splits(line: String, commands: [[String]]) {
        #expect(ShellLine(line).commands == commands)
    }
}
