import BlogTestSupport
import Foundation
import Testing
@testable import blog
@testable import BlogBrowse
@testable import BlogCommandLine
@testable import BlogTerminal

@Suite("docs/browse.md") struct DocumentedKeysTests {
    private let text: String

    init() throws {
        text = try DocumentedCommand.text(of: "docs/browse.md")
    }

    @Test("lists all actions with their keys, in the order of the help")
    func table() {
        let expected = Action.inOrder.map { action in
            // A vertical bar would end the cell.
            let keys = action.defaultKeys.map { "`\($0.name.replacing("|", with: "\\|"))`" }
            let names = keys.isEmpty ? "`:\(action.rawValue)`" : keys.joined(separator: " ")
            return "| \(names) | `\(action.rawValue)` | \(action.help) |"
        }
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init) == expected)
    }

    @Test("shows valid settings")
    func settings() throws {
        let lines = text.split(separator: "\n").filter { line in
            ["key.", "command."].contains { line.hasPrefix($0) } && line.contains(" = ")
        }
        #expect(!lines.isEmpty)
        #expect(throws: Never.self) { try Settings(lines.joined(separator: "\n")) }
    }

    @Test("says correctly that blog browse --plain begins with the first posts")
    func first() async throws {
        let run = try await TestSite().blog("browse", "--plain", input: "Q\n")
        #expect(run.code == 0 && run.output.contains("\n1. Caches: 3 Hard Things, "))
    }

    @Test("names commands of blog browse --plain that do what it says")
    func lines() async throws {
        let site = try TestSite()
        let commands = ["F author:bram", "1", "q", "s 3", "save 3", "u", "/cookies", "| wc -w", "?", "Q"]
        _ = try await site.blog("list")
        let run = try await site.blog("browse", "--plain", input: commands.joined(separator: "\n") + "\n")
        #expect(run.code == 0 && run.errors.isEmpty)
        #expect(run.output.contains("(author:bram), 3 "))
        #expect(run.output.contains(":\n1. An Apology to the Back Button, "))
        #expect(run.output.contains("> Saved\n> No longer saved\n> 1 post marked as saved again: “"))
        #expect(run.output.contains("/WORDS: in a list: search its posts; in a post: find text\n"))
        #expect(!run.output.contains("isn't a command"))
    }
}
