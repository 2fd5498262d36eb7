import Foundation
import Testing
@testable import BlogLibrary
@testable import Feeds
@testable import Markup
@testable import Model
@testable import Rendering

/// Each text is read at one length and at eight times that: work and output have to be in proportion.
@Suite("A text made to be hard to read") struct HardTextTests {
    /// `BLOG_GROWTH` says otherwise: the longer the texts, the smaller the part of the work that may grow too fast unseen.
    fileprivate static let length = ProcessInfo.processInfo.environment["BLOG_GROWTH"].flatMap { Int($0) } ?? 1024
    /// Between n log n and n².
    private static let mostGrowth = 20.0

    @Test("is known in enough shapes") func shapes() { #expect(HardText.all.count >= 60) }

    @Test("takes time in proportion to its length as a body", arguments: HardText.all(.html) + HardText.all(.markdown))
    func body(shape: HardText) {
        let texts = Texts { shape.text(length: $0) }
        let documents = Texts { Self.document(shape, texts[$0]) }
        let steps: [(String, (Int) -> Void)] = [
            ("reading", { _ = Self.document(shape, texts[$0]) }),
            ("finding out what it is", { _ = BodyText.format(of: texts[$0]) }),
            ("showing on a terminal", { _ = Self.lines(documents[$0], texts[$0].utf8.count, width: 80) }),
            ("showing in a pipe", { _ = Self.lines(documents[$0], texts[$0].utf8.count, width: 1_000_000) }),
            ("making a page", { _ = Self.page(documents[$0]) }),
            ("printing as Markdown", { _ = MarkdownPrinter().text(documents[$0]) }),
            ("saying in words", { _ = documents[$0].blocks.spans.plainText }),
            ("summing up", { _ = FeedText.line(html: Array(texts[$0].utf8)) }),
            ("folding", { _ = Folding.words(texts[$0]) }),
            ("cleaning", { _ = Sanitizer.line(texts[$0]) }),
        ]
        for (name, step) in steps {
            let growth = Growth.ofEightfold(enough: Self.mostGrowth, from: Self.length, step)
            #expect(growth < Self.mostGrowth, "\(name)")
        }
    }

    @Test("takes time in proportion to its length in a feed", arguments: HardText.all(.feed))
    func feed(shape: HardText) {
        // An address is as long as what it is relative to, up to a length that only longer texts reach.
        let texts = Texts { shape.feed(length: 4 * $0) }
        let growth = Growth.ofEightfold(enough: Self.mostGrowth, from: Self.length) {
            if let feed = try? FeedSample.parse(Array(texts[$0].utf8)) {
                for entry in FeedEntries(of: feed) { _ = SortKey(entry.metadata) }
            }
        }
        #expect(growth < Self.mostGrowth)
    }

    @Test("gives no more than a small multiple of it", arguments: HardText.all(.html) + HardText.all(.markdown))
    func output(shape: HardText) {
        let text = shape.text(length: 8 * Self.length)
        let document = Self.document(shape, text)
        // Nesting may add as much to any text.
        let most = 20 * text.utf8.count + 1 << 15
        for width in [80, 1_000_000] {
            #expect(Self.lines(document, text.utf8.count, width: width).utf8.count < most)
        }
        #expect(Self.page(document).utf8.count < most)
        #expect(MarkdownPrinter().text(document).utf8.count < most)
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
