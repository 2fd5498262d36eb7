import Foundation
import MockServer
import Testing

@Suite("A terminal that is asked for its name", .serialized) struct TerminalModeTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(PictureSite(body: "Before.\n\n![One](HOST/images/1.png)\n\nAfter."))
    }

    /// Of a terminal of which nothing is known, and where no other program could draw.
    private var environment: [String: String] { site.environment.merging(["PATH": "/nowhere"]) { $1 } }

    private func reader() throws -> BlogProcess {
        try BlogProcess(["read", "1"], environment: environment, folder: site.home)
    }

    /// What asks for the terminal's name.
    private static let question = "\u{1B}[>q"

    @Test(
        "is left as it was found, whatever ends the program",
        arguments: [SIGINT, SIGTERM, SIGQUIT, SIGHUP])
    func ended(signal: Int32) async throws {
        let (terminal, process) = try (Terminal(columns: 80, rows: 100), reader())
        async let code = process.run(input: terminal.program, output: terminal.program, errors: terminal.program)
        try await terminal.wait(for: Self.question)
        process.send(signal)
        // The program waits for an answer for a moment only, and may be through before the signal comes.
        #expect([128 + signal, 0].contains(try await code))
        #expect(terminal.isEchoing)
    }

    @Test("is left as it was found while the program is stopped")
    func stopped() async throws {
        let (terminal, process) = try (Terminal(columns: 80, rows: 100), reader())
        async let code = process.run(input: terminal.program, output: terminal.program, errors: terminal.program)
        try await terminal.wait(for: Self.question)
        process.send(SIGTSTP)
        while !terminal.isEchoing { try await Task.sleep(for: .milliseconds(5)) }
        process.send(SIGCONT)
        #expect(try await code == 0)
    }
}
