import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel

@Suite("The Markdown reader") struct CommonMarkTests {
    private func printed(_ text: String) -> String { HTMLPrinter().html(Markdown.document(text)) }

    private struct Example: Decodable {
        let example: Int
        let section: String
        let markdown: String
        let html: String
    }

    /// All examples of CommonMark 0.31.2; `Fixtures/CommonMark/NOTICE.md` has their origin and licence.
    private static let examples: [Example] = {
        let file = Repository.root.appending(path: "Tests/Fixtures/CommonMark/examples.json")
        return (try? JSONDecoder().decode([Example].self, from: Data(contentsOf: file))) ?? []
    }()

    /// The examples that are read differently on purpose, with their HTML and the reason.
    private static let deviations: [Int: (html: String, reason: String)] = [
        148: (
            "<table><tr><td>\n<pre>\n**Hello**,\n\n_world_.\n</pre>\n</td></tr></table>\n",
            "a blank line in a `pre` doesn't end the block of HTML, which would tear the `pre` apart"
        )
    ]

    @Test("is tested with all 652 examples of the specification") func exampleCount() {
        #expect(Self.examples.map(\.example) == Array(1...652))
    }

    @Test("reads the examples as specified", arguments: Set(examples.map(\.section)).sorted())
    func specification(section: String) {
        for example in Self.examples where example.section == section {
            let (html, reason) = Self.deviations[example.example] ?? (example.html, "as specified")
            #expect(printed(example.markdown) == html, "example \(example.example): \(reason)")
        }
    }

    /// Documents of our own, each composed of random constructs of CommonMark.
    private static func document(_ seed: Int) -> String {
        var random = SplitMix(state: UInt64(seed))
        var text = ""
        for _ in 0..<12 { text += constructs[Int(random.next() % UInt64(constructs.count))] }
        return text
    }

    private static let constructs = [
        "word", " ", "\n", "\n\n", "\n    ", "  \n", "\t", "*", "**", "_", "__", "***", "`", "``", "\n```\n",
        "\n~~~ a\n",
        "[a]", "[a](b)", "![a](b \"c\")", "](<d e>)", "[", "\n\n[a]: /u 't'\n\n", "<http://a.b>", "<i>", "\n<div>\n",
        "<!-- -->",
        "\n# ", " #\n", "\n===\n", "\n---\n", "\n***\n", "\n> ", "\n- ", "\n  - ", "\n1. ", "\n3) ", "\n   ", "\\",
        "&amp;",
        "&#35;", "é", "\n| a | b |\n|---|---|\n", "~~",
    ]

    @Test("reads random documents as in the fixture")
    func documents() throws {
        let text = FixtureText.joined((0..<512).map { printed(Self.document($0)) })
        let difference = try FixtureText.difference(of: text, from: "markdown.txt")
        #expect(difference == nil, "\(difference ?? "")")
    }

    /// Many more documents than the fixture could hold.
    @Test("reads random documents as their recorded digests say", arguments: 0..<32)
    func digests(group: Int) throws {
        let file = Repository.root.appending(path: "Tests/Fixtures/markdown-digests.txt")
        let html = (0..<64).map { printed(Self.document(group * 64 + $0)) }.joined(separator: "\u{0}")
        let digest = ContentDigest.of(Data(html.utf8))
        let known = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(known.count == 32)
        #expect(group < known.count && known[group] == digest, "group \(group): \(digest)")
    }
}
