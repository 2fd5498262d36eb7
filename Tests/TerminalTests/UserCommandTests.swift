import Foundation
import Testing
@testable import BlogTerminal

@Suite("A command to which a post is piped") struct UserCommandTests {
    init() {
        // As the program does.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Commands, with the lines that they print for "one", "two" and an é.
    static let commands: [(command: String, lines: [String])] = [
        ("cat", ["one", "two é"]), ("wc -l | tr -d ' '", ["2"]), ("sort -r", ["two é", "one"]),
        ("true", ["(no output)"]),
        ("exit 3", ["(exit status 3)"]), ("cat; exit 1", ["one", "two é", "(exit status 1)"]),
        ("echo out; echo err >&2", ["out", "err"]), ("kill -9 $$", ["(exit status 9)"]),
        ("printf 'a\\n\\nb'", ["a", "", "b"]), ("printf 'a\\tb'", ["a    b"]), ("printf 'a\\r\\nb\\r\\n'", ["a", "b"]),
        ("printf 'a\\033]0;x\\007b\\033[2Jc\\r\\n'", ["abc"]), ("printf 'a\\302\\233b\\342\\200\\256c'", ["ac"]),
        ("printf '\\377x'", ["\u{FFFD}x"]), ("echo \"$0\"", ["/bin/sh"]),
    ]

    @Test("gets the post on stdin, and its output comes back as sanitized lines", arguments: commands)
    func output(command: String, lines: [String]) {
        #expect(UserCommand(command).output(input: "one\ntwo é\n") == lines)
    }

    @Test("needn't read its input", arguments: ["true", "echo x", "head -c 1 > /dev/null; echo x"])
    func notReading(command: String) {
        let input = String(repeating: "a line of a post\n", count: 100_000)
        let lines = UserCommand(command).output(input: input)
        #expect(lines == [command == "true" ? "(no output)" : "x"])
    }

    @Test("is killed with everything it started if it takes too long")
    func tooLong() {
        let lines = UserCommand("echo x; sleep 1000 | cat").output(input: "", maxSeconds: 0.5)
        #expect(lines == ["x", "(exit status 9)"])
    }

    @Test("can be stopped, even before it runs")
    func stopped() async {
        let command = UserCommand("sleep 1000; echo x")
        command.stop()
        let lines = await Task.detached { command.output(input: "") }.value
        #expect(lines == ["(exit status 9)"])
    }

    @Test("may print more than a pipe holds before it has read everything")
    func longOutput() {
        let input = String(repeating: "a line of a post\n", count: 100_000)
        let lines = UserCommand("cat").output(input: input)
        #expect(lines.count == 100_000)
        #expect(lines.last == "a line of a post")
    }

    @Test("gets variables, which replace inherited ones, and never as a part of the command line")
    func variables() {
        let hostile = "$(echo x); 'y' \u{1B}[31m\u{202E}"
        let command = UserCommand(
            #"echo "$TITLE|$HOME"; ps -o args= -p $$"#, variables: [("TITLE", hostile), ("HOME", "/h")])
        let lines = command.output(input: "")
        #expect(lines.first == "$(echo x); 'y' |/h")
        #expect(!lines.dropFirst().joined().contains("echo x"))
    }
}
