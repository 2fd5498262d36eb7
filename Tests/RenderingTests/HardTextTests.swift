import BlogEssentials
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogMarkup
@testable import BlogModel
@testable import BlogRendering

/// Each text is read at one length and at eight times that: work and output must be proportional.
@Suite("Text that is hard to parse") struct HardTextTests {
    /// `BLOG_GROWTH` overrides it: longer texts reveal smaller parts of the work that grow too fast.
    fileprivate static let length = ProcessInfo.processInfo.environment["BLOG_GROWTH"].flatMap { Int($0) } ?? 1024
    /// Between n log n and n².
    private static let mostGrowth = 20.0

    @Test("comes in at least 200 shapes") func shapes() { #expect(HardText.all.count >= 200) }

    @Test(
        "takes linear time as a body, and gives output of linear size",
        arguments: HardText.all(.html) + HardText.all(.markdown))
    func body(shape: HardText) {
        let texts = Texts { shape.text(length: $0) }
        // Set by the first step.
        var documents: [Int: Document] = [:]
        func document(_ length: Int) -> Document { documents[length] ?? Document(blocks: []) }
        // Nesting may add this much to any text.
        let most = 20 * texts[8 * Self.length].utf8.count + 1 << 15
        // Each returns the size of its output.
        let steps: [(String, (Int) -> Int)] = [
            (
                "reading",
                { length in
                    let document = Self.document(shape, texts[length])
                    documents[length] = document
                    return document.blocks.count
                }
            ),
            ("detecting the format", { BodyText.format(of: texts[$0]) == .html ? 1 : 0 }),
            ("finding its links as HTML", { BodyText.links(in: texts[$0], format: .html).count }),
            ("finding its links as Markdown", { BodyText.links(in: texts[$0], format: .markdown).count }),
            ("showing on a terminal", { Self.lines(document($0), texts[$0].utf8.count, width: 80).utf8.count }),
            ("showing in a pipe", { Self.lines(document($0), texts[$0].utf8.count, width: 1_000_000).utf8.count }),
            ("making a web page", { Self.page(document($0)).utf8.count }),
            ("printing as Markdown", { MarkdownPrinter().text(document($0)).utf8.count }),
            ("converting to plain text", { document($0).blocks.spans.plainText.utf8.count }),
            (
                "converting its beginning to plain text",
                { Self.beginning(of: texts[$0]).utf8.count }
            ),
            ("summarizing", { FeedText.line(html: Array(texts[$0].utf8))?.utf8.count ?? 0 }),
            ("resolving links", { Self.resolved(texts[$0]).count }),
            ("folding", { Folding.words(texts[$0]).utf8.count }),
            ("sanitizing", { Sanitizer.line(texts[$0]).utf8.count }),
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

    @Test("takes linear time after the beginning that is converted", arguments: [" x[", "[x\n", "  [x]: y\n"])
    func definitions(unit: String) {
        // In short texts, finding the end of a line takes no time.
        let texts = Texts { "a\n\n" + String(repeating: unit, count: 32 * $0) }
        let growth = Growth.ofEightfoldInput(enough: Self.mostGrowth, from: Self.length) {
            _ = Self.beginning(of: texts[$0])
        }
        #expect(growth < Self.mostGrowth)
    }

    private static func resolved(_ text: String) -> [UInt8] {
        let base = LinkBase("https://example.com/a/b/", allowance: LinkAllowance(textOf: text.utf8.count))
        return base.map { RelativeLinks.resolved(markdown: Array(text.utf8), base: $0) } ?? []
    }

    private static func beginning(of text: String) -> String {
        Array(text.utf8).withUnsafeBufferPointer { BodyText.plainText(ofBeginning: 64, of: $0, format: .markdown) }
    }

    @Test("takes linear time in a web page", arguments: HardText.all(.page) + HardText.all(.head))
    func page(shape: HardText) throws {
        let address = try #require(URL(string: "http://127.0.0.1/"))
        let rules = ArticleRules(body: ElementSelector("body .x, body"), drop: ElementSelector("div div [id=x], x"))
        let texts = Texts { shape.page(length: 4 * $0) }
        for rules in [ArticleRules(), rules] {
            let growth = Growth.ofEightfoldInput(enough: Self.mostGrowth, from: Self.length) {
                _ = PageArticle(page: texts[$0], at: address, rules: rules)
            }
            #expect(growth < Self.mostGrowth)
        }
    }

    @Test("takes linear time as a title, author, tag or ID", arguments: HardText.all(.line))
    func line(shape: HardText) {
        let texts = Texts { shape.text(length: $0) }
        let steps: [(String, (Int) -> Int)] = [
            ("reading a title", { FeedText.title(html: Array(texts[$0].utf8))?.utf8.count ?? 0 }),
            ("reading tags", { FeedTags.tags(html: Array(texts[$0].utf8)).count }),
            ("folding for searches", { Folding.searchable(texts[$0]).utf8.count }),
            ("folding for sorting", { Folding.fold(texts[$0]).utf8.count }),
            ("finding words", { Folding.words(texts[$0]).utf8.count }),
            ("composing", { Folding.composed(texts[$0]).utf8.count }),
            ("sanitizing", { Sanitizer.line(texts[$0]).utf8.count }),
            ("cutting", { TextLayout.truncate(texts[$0], width: 1_000_000).utf8.count }),
        ]
        for (name, step) in steps {
            let growth = Growth.ofEightfoldInput(enough: Self.mostGrowth, from: Self.length) { _ = step($0) }
            #expect(growth < Self.mostGrowth, "\(name)")
        }
    }

    @Test("takes linear time in a feed", arguments: HardText.all(.feed) + HardText.all(.line))
    func feed(shape: HardText) {
        // Resolved addresses grow with their base, up to a length that only longer texts reach.
        let texts = Texts { shape.feed(length: 8 * $0) }
        let growth = Growth.ofEightfoldInput(enough: Self.mostGrowth, from: Self.length) {
            if let feed = try? FeedSample.parse(Array(texts[$0].utf8)) {
                for entry in FeedEntries(of: feed) { _ = SortKey(entry.metadata) }
            }
        }
        #expect(growth < Self.mostGrowth)
    }

    @Test(
        "gives the same plain text from its blocks as from their spans",
        arguments: HardText.all(.html) + HardText.all(.markdown))
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

    /// The terminal output of a document whose source has `bytes` bytes.
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

    /// The inputs at the two lengths, made once.
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
