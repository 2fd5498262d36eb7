import Foundation
import HTTP
import Markup
import Testing
@testable import Model

@Suite("The Markdown reader") struct CommonMarkTests {
    private func printed(_ text: String) -> String { HTMLPrinter().html(Markdown.document(text)) }

    /// A file with the examples of https://spec.commonmark.org, as the JSON that the specification's own tests print.
    static let specificationPath = ProcessInfo.processInfo.environment["COMMONMARK_SPEC"]

    /// The numbers of the examples of version 0.31.2 that are known to differ.
    ///
    /// The text of the specification (CC BY-SA 4.0, John MacFarlane) is not part of this repository.
    private static let differing: Set<Int> = [148, 354]

    private struct Example: Decodable {
        let markdown: String
        let html: String
        let example: Int
    }

    @Test(
        "is CommonMark in every example of the specification but the known ones", .enabled(if: specificationPath != nil)
    )
    func specification() throws {
        let data = try Data(contentsOf: URL(filePath: try #require(Self.specificationPath)))
        let examples = try JSONDecoder().decode([Example].self, from: data)
        let wrong = examples.filter { printed($0.markdown) != $0.html }.map(\.example)
        #expect(Set(wrong) == Self.differing, "\(wrong.count) of \(examples.count) differ: \(wrong)")
    }

    /// Documents of our own, each made of random constructs of CommonMark.
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

    @Test("reads documents as those that are kept")
    func documents() throws {
        let text = KeptText.joined((0..<512).map { printed(Self.document($0)) })
        let difference = try KeptText.difference(of: text, from: "markdown.txt")
        #expect(difference == nil, "\(difference ?? "")")
    }

    /// Many more than can be kept.
    @Test("reads documents as it did when their digests were written", arguments: 0..<32)
    func digests(group: Int) throws {
        let file = Repository.root.appending(path: "Tests/BlogKitTests/Fixtures/markdown-digests.txt")
        let html = (0..<64).map { printed(Self.document(group * 64 + $0)) }.joined(separator: "\u{0}")
        let digest = ContentDigest.of(Data(html.utf8))
        let known = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(known.count == 32)
        #expect(group < known.count && known[group] == digest, "group \(group): \(digest)")
    }
}
