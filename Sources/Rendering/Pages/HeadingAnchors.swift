import Foundation
import Markup

/// The names of a document's headings on a page, to which its own links may lead.
struct HeadingAnchors {
    /// What all names begin with, so that no two documents of a page have the same.
    private let prefix: String
    private var used: Set<String> = []
    private var counts: [String: Int] = [:]
    /// The names of the document's own headings, by their letters and digits: dashes depend on who made a link.
    private var known: [String: String] = [:]

    init(prefix: String, _ document: Document) {
        self.prefix = prefix
        note(document.blocks)
    }

    private mutating func note(_ blocks: [Block]) {
        for block in blocks {
            switch block {
            case .heading(_, let spans):
                let slug = Slug.of(spans.plainText)
                if !slug.isEmpty { known[Self.key(slug)] = slug }
            case .quote(let inner): note(inner)
            case .list(_, _, let items): items.forEach { note($0) }
            case .definitions(let definitions): definitions.forEach { note($0.blocks) }
            case .paragraph, .code, .table, .rule, .html: break
            }
        }
    }

    /// The name for the next heading, which no other has.
    mutating func name(of heading: [Span]) -> String {
        let text = Slug.of(heading.plainText)
        let slug = text.isEmpty ? "section" : text
        var name = slug
        while !used.insert(name).inserted {
            counts[slug, default: 1] += 1
            name = "\(slug)-\(counts[slug, default: 1])"
        }
        return prefix + name
    }

    /// The name of the heading to which a link like `#some-heading` leads; nil if it leads to none.
    func name(ofTarget target: String) -> String? {
        guard target.hasPrefix("#"), let fragment = target.dropFirst().removingPercentEncoding else { return nil }
        return known[Self.key(Slug.of(fragment))].map { prefix + $0 }
    }

    private static func key(_ slug: String) -> String { slug.filter { $0 != "-" } }
}

/// The levels of the headings of a page, of which none is skipped, whatever the levels in a document are.
struct HeadingOutline {
    /// The level of the outermost headings.
    private let top: Int
    /// The published levels of the headings that the next one may be below.
    private var open: [Int] = []

    init(below level: Int) {
        top = level + 1
    }

    mutating func level(of published: Int) -> Int {
        while let last = open.last, last >= published { open.removeLast() }
        open.append(published)
        return min(top + open.count - 1, 6)
    }
}
