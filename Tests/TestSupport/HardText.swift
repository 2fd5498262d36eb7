import Foundation
import Testing

/// Texts that are hard to parse in linear time, of any length: those of `Tests/Reliability/shapes.json`, which
/// `shapes.py` runs through the whole program.
package struct HardText: Decodable, Sendable, CustomTestStringConvertible {
    package enum Kind: String, Decodable {
        case html
        case markdown
        /// The contents of an entry of an Atom feed.
        case feed
        /// A part of a web page after the text of its article.
        case page
        /// A part of the head of a web page.
        case head
        /// A title, author, tag or ID.
        case line
        case json
        case opml
    }

    package let name: String
    package let kind: Kind
    private let start: String?
    private let `repeat`: String
    private let middle: String?
    private let close: String?
    private let end: String?

    package var testDescription: String { name }

    /// A text of about `length` bytes.
    package func text(length: Int) -> String {
        let unit = (`repeat` + (close ?? "")).utf8.count
        let count = max(1, length / unit)
        let hasNumbers = `repeat`.contains("{")
        let head = (start ?? "").replacing("{pad}", with: String(repeating: "p", count: length / 10))
        let many = hasNumbers ? numbered(count, length) : String(repeating: `repeat`, count: count)
        return head + many + (middle ?? "") + String(repeating: close ?? "", count: count) + (end ?? "")
    }

    private func numbered(_ count: Int, _ length: Int) -> String {
        let hasBars = `repeat`.contains("{bars}")
        var text = ""
        for number in 1...count where text.utf8.count < length {
            let one = `repeat`.replacing("{n}", with: String(number))
            text += hasBars ? one.replacing("{bars}", with: String(repeating: "`", count: number)) : one
        }
        return text
    }

    /// A feed of one entry with the text, as its title, author, tag and ID if it is a line.
    package func feed(length: Int) -> String {
        let text = text(length: length)
        let line = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
        let content =
            kind == .line
            ? "<title>\(line)</title><id>\(line)</id><author><name>\(line)</name></author><category term=\"\(line)\"/>"
            : "<title>t</title><id>i</id>\n" + text
        return """
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:u="urn:x"><title>t</title><entry>\(content)</entry></feed>
            """
    }

    /// A web page with an article and the text.
    package func page(length: Int) -> String {
        let text = text(length: length)
        let prose = String(
            repeating: "<p>Gulls and terns, as we know, nest on the coast, where the warden counts them.</p>", count: 8)
        return """
            <html><head><title>The gulls of the north coast</title>\(kind == .head ? text : "")</head>
            <body><article>\(prose)\(kind == .page ? text : "")</article></body></html>
            """
    }

    package static let all: [HardText] = {
        struct File: Decodable { let shapes: [HardText] }
        let file = Repository.root.appending(path: "Tests/Reliability/shapes.json")
        return (try? JSONDecoder().decode(File.self, from: Data(contentsOf: file)).shapes) ?? []
    }()

    package static func all(_ kind: Kind) -> [HardText] { all.filter { $0.kind == kind } }
}
