import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogMarkup
@testable import BlogRendering

@Suite("A body") struct EveryWordTests {
    private func lines(_ document: Document, width: Int = 80) -> [String] {
        var renderer = DocumentRenderer(isColored: false, mode: .numbered)
        return renderer.lines(document, width: width).map(\.plain)
    }

    /// The three texts that readers see: in a terminal, on a page and in Markdown.
    private func texts(_ document: Document) -> [String] {
        var printer = PagePrinter(.linked, below: 1)
        let page = printer.text(document, anchors: "a-").html
        return [lines(document).joined(separator: "\n"), page, MarkdownPrinter().text(document)]
    }

    @Test("is shown without what docs/articles.md says is left out", arguments: Omission.all)
    func omission(omission: Omission) {
        #expect(lines(HTML.document(omission.html)).first == omission.shown)
    }

    @Test("has all omissions of docs/articles.md checked")
    func omissions() { #expect(Omission.all.count >= 10) }

    @Test("in HTML is shown with each of its words, whatever its feed's format and its elements")
    func html() throws {
        var random = SplitMix(state: 11)
        for _ in 0..<Mutation.count(150) {
            var body = RandomBody(random: random)
            let html = body.html()
            random = body.random
            let content = try #require(try Self.htmlFeeds.randomElement(using: &random).flatMap { try $0(html) })
            for text in texts(BodyText.document(content.text, format: content.format)) {
                let missing = body.words.filter { !text.contains($0) }
                #expect(missing.isEmpty, "\(missing) of \(html)")
            }
        }
    }

    @Test("in plain text is shown with each of its characters and lines, whatever its feed's format")
    func plain() throws {
        var random = SplitMix(state: 12)
        for _ in 0..<Mutation.count(150) {
            let lines = (0..<Int.random(in: 1...6, using: &random)).map { _ in Self.line(&random) }
            let content = try #require(
                try Self.plainFeeds.randomElement(using: &random).flatMap { try $0(lines.joined(separator: "\n")) })
            let document = BodyText.document(content.text, format: content.format)
            #expect(self.lines(document, width: 1000).filter { !$0.isEmpty } == lines, "\(content)")
            let (page, markdown) = (texts(document)[1], texts(document)[2])
            for line in lines {
                #expect(page.contains(Self.escaped(line)), "\(line)")
                #expect(HTML.plain(Markdown.document(markdown)).contains(line), "\(line)")
            }
        }
    }

    private static func line(_ random: inout SplitMix) -> String {
        let words = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            plainWords.randomElement(using: &random) ?? ""
        }
        return words.joined(separator: " ")
    }

    private static let plainWords = [
        "<int>", "<script>", "</script>", "<b>bold</b>", "a<b", "&amp;", "AT&T", "*a*", "_b_", "`c`", "#", "-", "1.",
        "[x](y)",
        "<!--", "-->", "<br>", "List<T>", "word", "Wörter", "\\", "|", ">", "{{x}}", "http://a.b/?c=d&e=f",
    ]

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private typealias FeedOf = @Sendable (String) throws -> Entry.Content?

    private static let htmlFeeds: [FeedOf] = [
        { try FeedSample.rssItem("<description>\(escaped($0))</description>")?.content },
        { try FeedSample.rssItem("<description><![CDATA[\($0)]]></description>")?.content },
        { try FeedSample.rssItem("<content:encoded><![CDATA[\($0)]]></content:encoded>")?.content },
        { try FeedSample.atomEntry("<content type='html'>\(escaped($0))</content>")?.content },
        { try FeedSample.atomEntry("<summary type='html'><![CDATA[\($0)]]></summary>")?.content },
        { try json("content_html", $0) },
    ]

    private static let plainFeeds: [FeedOf] = [
        { try FeedSample.atomEntry("<content>\(escaped($0))</content>")?.content },
        { try FeedSample.atomEntry("<content type='text'><![CDATA[\($0)]]></content>")?.content },
        { try json("content_text", $0) },
        { Entry.Content($0, .plain) },
    ]

    private static func json(_ name: String, _ text: String) throws -> Entry.Content? {
        let feed: [String: Any] = [
            "version": "https://jsonfeed.org/version/1.1", "title": "a", "items": [["id": "1", name: text]],
        ]
        return try FeedSample.parse(Array(JSONSerialization.data(withJSONObject: feed)), charset: nil).items.first?
            .content
    }
}

/// A row of the table "What is left out" in docs/articles.md.
struct Omission: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let html: String
    let shown: String

    static let all: [Omission] = {
        let text = (try? DocumentedCommand.text(of: "docs/articles.md")) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap { row in
            let code = row.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
            guard code.count == 5, let name = row.split(separator: "|").first else { return nil }
            return Omission(testDescription: name.trimmingCharacters(in: .whitespaces), html: code[1], shown: code[3])
        }
    }()
}

/// A random body in HTML, often malformed, and the words that readers must see.
private struct RandomBody {
    var random: SplitMix
    private(set) var words: [String] = []

    init(random: SplitMix) { self.random = random }

    mutating func html() -> String { blocks(depth: 0) }

    private mutating func chance(_ percent: Int) -> Bool { .random(in: 0..<100, using: &random) < percent }

    private mutating func word() -> String {
        words.append("w\(words.count)w")
        return words[words.count - 1]
    }

    private mutating func blocks(depth: Int) -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in block(depth: depth) }.joined(
            separator: chance(50) ? "\n" : "")
    }

    private mutating func block(depth: Int) -> String {
        guard depth < 3 else { return element("p", inlines()) }
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return element("div", blocks(depth: depth + 1))
        case 1: return element("blockquote", blocks(depth: depth + 1))
        case 2: return "<ul>" + items("li", depth) + "</ul>"
        case 3: return "<ol>" + items("li", depth) + "</ol>"
        case 4: return "<table><tr>" + items("td", depth) + "<tr>" + items("th", depth) + "</table>"
        case 5: return "<pre>" + (chance(50) ? inlines() : items("div", depth)) + "</pre>"
        case 6: return "<h2>" + inlines() + "</h2>"
        case 7: return "<details><summary>" + inlines() + "</summary>" + blocks(depth: depth + 1) + "</details>"
        case 8: return "<dl><dt>" + inlines() + "<dd>" + blocks(depth: depth + 1) + "</dl>"
        case 9: return "<figure><img src='/a' alt='\(word())'><figcaption>" + inlines() + "</figcaption></figure>"
        case 10: return inlines() + "<br>" + inlines() + "<br><br>" + inlines()
        case 11: return "<aside>" + blocks(depth: depth + 1) + "</aside>"
        case 12: return "<p style='white-space: pre-wrap'>" + inlines() + "\n\n" + inlines() + "</p>"
        case 13: return Omission.all.randomElement(using: &random).map { "<div>\($0.html)</div>" } ?? ""
        default: return element("p", inlines())
        }
    }

    private mutating func items(_ name: String, _ depth: Int) -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            element(name, chance(70) ? inlines() : blocks(depth: depth + 1))
        }.joined()
    }

    private mutating func inlines() -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in inline() }.joined(separator: chance(70) ? " " : "")
    }

    private mutating func inline() -> String {
        switch Int.random(in: 0..<16, using: &random) {
        case 0: element("b", word())
        case 1: element("em", word())
        case 2: "<a href='/\(words.count)'>" + word() + "</a>"
        case 3: element("code", word())
        case 4: element("span", word())
        case 5: "<q>" + word() + "</q>"
        case 6: "<img src='/b' alt='\(word())'>"
        case 7: "<abbr title='x'>" + word() + "</abbr>"
        case 8: "<!-- x -->" + word()
        case 9: "<custom-element>" + word() + "</custom-element>"
        case 10: "<a href='#x'>" + word() + "</a>"
        default: word()
        }
    }

    private mutating func element(_ name: String, _ content: String) -> String {
        let name = chance(10) ? name.uppercased() : name
        let attributes = ["", "", " class='hidden-gem'", " id='x\(words.count)'", " style='color: red'", " dir=ltr"]
        let start = "<\(name)\(attributes.randomElement(using: &random) ?? "")>"
        // Browsers close what is left open.
        return start + content + (chance(15) ? "" : "</\(name)>")
    }
}

extension HTML {
    fileprivate static func plain(_ document: Document) -> String { document.blocks.plainText }
}
