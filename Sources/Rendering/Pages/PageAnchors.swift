import Essentials
import Markup
import Model

/// The places in a document that its own links may refer to: headings, and elements with an id.
struct PageAnchors {
    /// The prefix of all ids, which differs for each document on a page.
    private let prefix: String
    /// The address of the document, without a fragment; nil if unknown.
    private let page: String?
    private var used: Set<String> = []
    private var counts: [String: Int] = [:]
    /// The names of the ids that links refer to.
    private var names: [String: String] = [:]
    /// The names that are on the page already: an id that occurs twice is that of its first element.
    private var placed: Set<String> = []
    /// The names of headings by their slugs without dashes, because links disagree about those.
    private var headings: [String: String] = [:]

    init(prefix: String, _ blocks: [Block], page: URL?) {
        self.prefix = prefix
        self.page = page.map { String($0.absoluteString.prefix { $0 != "#" }) }
        var places = Places()
        places.note(blocks)
        let wanted = Set(places.targets.compactMap(fragment))
        for id in places.ids where wanted.contains(id) && names[id] == nil { names[id] = unique(Slug.of(id)) }
        for (text, ids) in places.headings {
            let slug = Slug.of(text)
            let key = Self.key(slug)
            guard !slug.isEmpty, headings[key] == nil else { continue }
            headings[key] = ids.compactMap { names[$0] }.first ?? slug
        }
    }

    /// A unique id for the next heading.
    mutating func name(ofHeading heading: [Span]) -> String {
        var places = Places()
        places.note(heading)
        for id in places.ids { if let name = name(of: id) { return name } }
        return prefix + unique(Slug.of(heading.plainText))
    }

    /// The id on the page for an id of the text; nil if no link needs it.
    mutating func name(of id: String) -> String? {
        guard let name = names[id], placed.insert(name).inserted else { return nil }
        return prefix + name
    }

    /// The id of the place that a link like `#some-heading` refers to; nil if there is none.
    func name(ofTarget target: String) -> String? {
        guard let fragment = fragment(of: target) else { return nil }
        return (names[fragment] ?? headings[Self.key(Slug.of(fragment))]).map { prefix + $0 }
    }

    /// The name of a place in the document itself; nil for a link to somewhere else.
    private func fragment(of target: String) -> String? {
        let isOwn = page.map { target.utf8.starts(with: $0.utf8) } ?? false
        let rest = isOwn ? target.utf8.dropFirst(page?.utf8.count ?? 0) : target.utf8[...]
        guard rest.first == UInt8(ascii: "#"), let name = String(rest.dropFirst()) else { return nil }
        return name.percentDecoded ?? name
    }

    private mutating func unique(_ slug: String) -> String {
        let slug = slug.isEmpty ? "section" : slug
        var name = slug
        while !used.insert(name).inserted {
            counts[slug, default: 1] += 1
            name = "\(slug)-\(counts[slug, default: 1])"
        }
        return name
    }

    private static func key(_ slug: String) -> String { slug.filter { $0 != "-" } }
}

/// What a document has of links, ids and headings.
private struct Places {
    private(set) var targets: [String] = []
    private(set) var ids: [String] = []
    private(set) var headings: [(text: String, ids: [String])] = []

    mutating func note(_ blocks: [Block]) {
        for block in blocks {
            switch block {
            case .heading(_, let spans):
                let known = ids.count
                note(spans)
                headings.append((spans.plainText, Array(ids[known...])))
            case .paragraph(let spans): note(spans)
            case .element(.summary, let inner): note(inner.spans)
            case .quote(let inner), .element(_, let inner): note(inner)
            case .list(_, _, let items): for item in items { note(item) }
            case .definitions(let definitions): for definition in definitions { note(definition.blocks) }
            case .table(let table): for cell in (table.header + table.rows.joined()) { note(cell) }
            case .code, .rule, .html: break
            }
        }
    }

    mutating func note(_ spans: [Span]) {
        for span in spans.withoutTags {
            if case .link(_, let target, _) = span { targets.append(target) }
            if case .element(.anchor(let id), _) = span { ids.append(id) }
            if let inner = span.inner { note(inner) }
        }
    }
}

/// A text as a name of files and places on a page: letters a to z, digits and single dashes.
package enum Slug {
    /// "Éclairs, Gradients" is `eclairs-gradients`; "" for text without letters and digits.
    package static func of(_ text: String) -> String {
        var slug = ""
        // The rest of a long text would be cut off.
        for scalar in Folding.fold(String(text.prefix(2 * maxLength))).unicodeScalars {
            guard slug.utf8.count < maxLength else { break }
            switch scalar {
            case "a"..."z", "0"..."9": slug.unicodeScalars.append(scalar)
            // "don't" is one word.
            case "'", "’": break
            default: if !slug.isEmpty, !slug.hasSuffix("-") { slug.append("-") }
            }
        }
        return slug.hasSuffix("-") ? String(slug.dropLast()) : slug
    }

    private static let maxLength = 60
}
