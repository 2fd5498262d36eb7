import BlogEssentials
import BlogTestSupport
import Foundation
import Testing
@testable import blog
@testable import BlogCommandLine
@testable import BlogLibrary
@testable import BlogRendering

@Suite("A quoted shell word") struct ShellTests {
    static let words = [
        "plain", "", "it's", "a b", "$HOME", "`id`", "\\", "\\'", "''", "'\u{301}; id", "*", "~", "!", "\"", "a\nb",
        "é", "-x",
        "#", "&;|<>()[]{}", "%s", "\u{1F1E6}'\u{1F1E6}",
    ]

    @Test("is unchanged when a shell reads it", arguments: words)
    func quoted(word: String) async throws {
        let process = BlogProcess(
            ["-c", "printf '<%s>' \(ShellWords.quoted(word)) end"], of: URL(filePath: "/bin/sh"), environment: [:],
            folder: FileManager.default.temporaryDirectory)
        let run = try await process.run(input: "")
        #expect(scalars([run.output]) == scalars(["<\(word)><end>"]))
    }

    @Test("is a word again when a line of words is split", arguments: words)
    func split(word: String) {
        let quoted = ShellWords.quoted(word)
        #expect(ShellWords.words(of: " \(quoted) 'a b'\\ \"c\" ").map { scalars($0) } == scalars([word, "a b c"]))
    }

    @Test("isn't split if a quote or a backslash is open", arguments: ["'a", "a \"b", "a\\"])
    func open(line: String) {
        #expect(ShellWords.words(of: line) == nil)
    }

    private func scalars(_ texts: [String]) -> [[Unicode.Scalar]] { texts.map { Array($0.unicodeScalars) } }
}
