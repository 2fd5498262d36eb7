import BlogTestSupport
import Foundation
import Testing

@Suite("The full screen as a job of a shell", .enabled(if: TabTests.Shell.installed.contains(.bash)))
struct JobControlTests {
    // It painted over the shell's lines, and ended with "Hangup".
    @Test("stays stopped until it is in the foreground, whoever continues it", arguments: ["bg", "kill -CONT %1"])
    func background(command: String) async throws {
        let site = try TestSite()
        _ = try await site.blog("list")
        let terminal = try Terminal(columns: 100, rows: 20)
        let binaries = BlogProcess.binary.deletingLastPathComponent().path
        let shell = BlogProcess(
            ["--ctty", "--wait", "bash", "--norc", "-i"], of: URL(filePath: TabTests.Shell.setsid),
            environment: site.environment.merging([
                "PATH": "\(binaries):/usr/bin:/bin", "TERM": "xterm", "PS1": "READY> ",
            ]) { $1 },
            folder: site.home)
        try shell.start(input: terminal.program, output: terminal.program, errors: terminal.program)
        try await terminal.wait(for: "READY>")
        try terminal.type("echo shell''=$$ it''is\r")
        try await terminal.wait(for: "itis")
        let number = try #require(terminal.output.firstMatch(of: /shell=(\d+) itis/).flatMap { pid_t($0.1) })
        // It ends its jobs, too.
        defer { kill(number, SIGHUP) }
        try await stopAndContinue(with: command, on: terminal)
    }

    private func stopAndContinue(with command: String, on terminal: Terminal) async throws {
        try terminal.type("blog browse --offline\r")
        try await terminal.wait(for: "Caches")
        try terminal.type("\u{1A}")
        try await terminal.wait(for: "Stopped")
        let screens = terminal.count(of: enterScreen)
        // Each line is a word to wait for only once it was printed, not as it was typed.
        try terminal.type("\(command); while jobs -r | grep -q .; do read -t 0.05 < <(:); done; echo is''stopped\r")
        try await terminal.wait(for: "isstopped")
        #expect(terminal.count(of: enterScreen) == screens)
        try terminal.type("fg\r")
        try await terminal.wait(for: enterScreen, times: screens + 1)
        let prompts = terminal.count(of: "READY>")
        try terminal.type("q")
        try await terminal.wait(for: "READY>", times: prompts + 1)
        try terminal.type("echo code''=$?\r")
        try await terminal.wait(for: "code=0")
    }

    private let enterScreen = "\u{1B}[?1049h"
}
