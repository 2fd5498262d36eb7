import Foundation
import Testing
@testable import BlogLibrary
@testable import Feeds
@testable import Markup
@testable import Model
@testable import Rendering

/// Each text is read at one length and at eight times that: work and output have to be in proportion.
@Suite("A text that is hard to parse") struct HardTextTests {
    /// `BLOG_GROWTH` says otherwise: the longer the texts, the smaller the part of the work that may grow too fast unseen.
    fileprivate static let length = ProcessInfo.processInfo.environment["BLOG_GROWTH"].flatMap { Int($0) } ?? 1024
    /// Between n log n and n².
    private static let mostGrowth = 20.0

    @Test("is known in enough shapes") func shapes() { #expect(HardText.all.count >= 60) }

    @Test(
        "takes time in proportion to its length as a body, and gives no more than a small multiple of it",
        arguments: HardText.all(.html) + HardText.all(.markdown))
    func body(shape: HardText) {
        let texts = Texts { shape.text(length: $0) }
        // Set by the first step.
        var documents: [Int: Document] = [:]
        func document(_ length: Int) -> Document { documents[length] ?? Document(blocks: []) }
        // Nesting may add as much to any text.
        let most = 20 * texts[8 * Self.length].utf8.count + 1 << 15
        // Each returns how many bytes it gives.
        let steps: [(String, (Int) -> Int)] = [
            (
                "reading",
                { length in
                    let document = Self.document(shape, texts[length])
                    documents[length] = document
                    return document.blocks.count
                }
            ),
            ("finding out what it is", { BodyText.format(of: texts[$0]) == .html ? 1 : 0 }),
            ("showing on a terminal", { Self.lines(document($0), texts[$0].utf8.count, width: 80).utf8.count }),
            ("showing in a pipe", { Self.lines(document($0), texts[$0].utf8.count, width: 1_000_000).utf8.count }),
            ("making a page", { Self.page(document($0)).utf8.count }),
            ("printing as Markdown", { MarkdownPrinter().text(document($0)).utf8.count }),
            ("saying in words", { document($0).blocks.spans.plainText.utf8.count }),
            ("summing up", { FeedText.line(html: Array(texts[$0].utf8))?.utf8.count ?? 0 }),
            ("folding", { Folding.words(texts[$0]).utf8.count }),
            ("cleaning", { Sanitizer.line(texts[$0]).utf8.count }),
        ]
        for (name, step) in steps {
            var bytes = 0
            let growth = Growth.ofEightfoldInput(enough: Self.mostGrowth, from: Self.length) {
                bytes = max(bytes, step($0))
            }
            #expect(growth < Self.mostGrowth, "\(name)")
            #expect(bytes < most, "\(name)")
        }
    }

    @Test("takes time in proportion to its length in a feed", arguments: HardText.all(.feed))
    func feed(shape: HardText) {
        // An address is as long as what it is relative to, up to a length that only longer texts reach.
        let texts = Texts { shape.feed(length: 4 * $0) }
        let growth = Growth.ofEightfoldInput(enough: Self.mostGrowth, from: Self.length) {
            if let feed = try? FeedSample.parse(Array(texts[$0].utf8)) {
                for entry in FeedEntries(of: feed) { _ = SortKey(entry.metadata) }
            }
        }
        #expect(growth < Self.mostGrowth)
    }

    @Test("says in words what its spans say, line by line", arguments: HardText.all(.html) + HardText.all(.markdown))
    func words(shape: HardText) {
        let blocks = Self.document(shape, shape.text(length: Self.length)).blocks
        func lines(_ text: String) -> [Substring.UTF8View] {
            text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0).utf8 }
        }
        #expect(lines(blocks.plainText).elementsEqual(lines(blocks.spans.plainText)) { $0.elementsEqual($1) })
    }

    // MARK: Steps

    private static func document(_ shape: HardText, _ text: String) -> Document {
        shape.kind == .html ? HTML.document(text) : Markdown.document(text)
    }

    /// The text of a document that was so many bytes long.
    private static func lines(_ document: Document, _ bytes: Int, width: Int) -> String {
        var renderer = DocumentRenderer(isColored: false, mode: .numbered)
        var text = ""
        renderer.write(part: document, bytes: bytes, width: width) { text += $0.plain + "\n" }
        return text + renderer.targetLines().lines.plain
    }

    private static func page(_ document: Document) -> String {
        var printer = PagePrinter(.linked, below: 1)
        return printer.text(document, anchors: "a-").html
    }

    /// What is read at the two lengths, made once.
    private struct Texts<Value> {
        private let short: Value
        private let long: Value

        init(_ make: (Int) -> Value) {
            short = make(HardTextTests.length)
            long = make(8 * HardTextTests.length)
        }

        subscript(length: Int) -> Value { length == HardTextTests.length ? short : long }
    }
}
