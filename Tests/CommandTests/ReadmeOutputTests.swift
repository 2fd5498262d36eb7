import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("The output in README.md") struct ReadmeOutputTests {
    @Test("is that of the commands above it, on a terminal of 80 columns with the sample server")
    func output() async throws {
        let blocks = try DocumentedCommand.text(of: "README.md").components(separatedBy: "```console\n").dropFirst()
        let shown = blocks.compactMap { $0.components(separatedBy: "```").first }.joined()
        let commands = shown.components(separatedBy: "$ blog ").dropFirst()
        #expect(commands.count >= 3)
        let site = try TestSite()
        for command in commands {
            let (line, expected) = (command.prefix { $0 != "\n" }, command.drop { $0 != "\n" }.dropFirst())
            let words = line.split(separator: " ").map(String.init)
            let screen = try await site.screen(words, environment: ["TERM": "dumb"])
            let output = screen.replacing("127.0.0.1:\(site.server.port)", with: "localhost:8106")
            #expect(output.trimmingCharacters(in: .newlines) == expected.trimmingCharacters(in: .newlines))
        }
    }

    @Test("leaves the file short enough to be read")
    func length() throws {
        let lines = try DocumentedCommand.text(of: "README.md").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.dropLast().count <= 110)
    }
}
