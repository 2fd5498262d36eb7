import BlogTestSupport
import Foundation
import BlogMockServer
import Testing

@Suite("A terminal that is queried for its name", .serialized) struct TerminalModeTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(PictureSite(body: "Before.\n\n![One](HOST/images/1.png)\n\nAfter."))
    }

    /// The environment of an unknown terminal, without a program that could draw on it.
    private var environment: [String: String] { site.environment.merging(["PATH": "/nowhere"]) { $1 } }

    private func reader() throws -> BlogProcess {
        try BlogProcess(["read", "1"], environment: environment, folder: site.home)
    }

    /// The query for the terminal's name.
    private static let query = "\u{1B}[>q"

    @Test(
        "is restored, whatever ends the program",
        arguments: [SIGINT, SIGTERM, SIGQUIT, SIGHUP])
    func ended(signal: Int32) async throws {
        let (terminal, process) = try (Terminal(columns: 80, rows: 100), reader())
        async let code = process.run(input: terminal.program, output: terminal.program, errors: terminal.program)
        try await terminal.wait(for: Self.query)
        process.send(signal)
        // The program waits for a response only briefly, and may have finished before the signal arrives.
        #expect([128 + signal, 0].contains(try await code))
        #expect(terminal.isEchoing)
    }

    @Test("is restored while the program is stopped")
    func stopped() async throws {
        let (terminal, process) = try (Terminal(columns: 80, rows: 100), reader())
        async let code = process.run(input: terminal.program, output: terminal.program, errors: terminal.program)
        try await terminal.wait(for: Self.query)
        process.send(SIGTSTP)
        while !terminal.isEchoing { try await Task.sleep(for: .milliseconds(5)) }
        process.send(SIGCONT)
        #expect(try await code == 0)
    }
}
