import BlogEssentials

/// The anchors in a document that its own links may refer to: headings, and elements with an ID.
struct PageAnchors {
    /// The prefix of all IDs, different for each document on a page.
    private let prefix: String
    /// The address of the document, without a fragment; nil if unknown.
    private let page: String?
    private var used: Set<String> = []
    private var counts: [String: Int] = [:]
    /// The names of the IDs that links refer to.
    private var names: [String: String] = [:]
    /// The names that have been written: if an ID occurs twice, the first element has it.
    private var written: Set<String> = []
    /// The names of headings by their slugs without dashes, because links differ in those.
    private var headings: [String: String] = [:]

    init(prefix: String, _ blocks: [Block], page: URL?) {
        self.prefix = prefix
        self.page = page.map { String($0.absoluteString.prefix { $0 != "#" }) }
        var references = References()
        references.collect(blocks)
        let targets = Set(references.targets.compactMap(fragment))
        for id in references.ids where targets.contains(id) && names[id] == nil { names[id] = unique(Slug.of(id)) }
        for (text, ids) in references.headings {
            let slug = Slug.of(text)
            let key = Self.key(slug)
            guard !slug.isEmpty, headings[key] == nil else { continue }
            headings[key] = ids.compactMap { names[$0] }.first ?? slug
        }
    }

    /// A unique ID for the next heading.
    mutating func name(ofHeading heading: [Span]) -> String {
        var references = References()
        references.collect(heading)
        for id in references.ids { if let name = name(of: id) { return name } }
        return prefix + unique(Slug.of(heading.plainText))
    }

    /// The ID on the page for an element with an ID; nil if no link refers to it.
    mutating func name(of id: String) -> String? {
        guard let name = names[id], written.insert(name).inserted else { return nil }
        return prefix + name
    }

    /// The ID that a link like `#some-heading` refers to; nil for other links.
    func name(ofTarget target: String) -> String? {
        guard let fragment = fragment(of: target) else { return nil }
        return (names[fragment] ?? headings[Self.key(Slug.of(fragment))]).map { prefix + $0 }
    }

    /// The fragment of a link within the document; nil for other links.
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

/// The links, IDs and headings of a document.
private struct References {
    private(set) var targets: [String] = []
    private(set) var ids: [String] = []
    private(set) var headings: [(text: String, ids: [String])] = []

    mutating func collect(_ blocks: [Block]) {
        for block in blocks {
            switch block {
            case .heading(_, let spans):
                let count = ids.count
                collect(spans)
                headings.append((spans.plainText, Array(ids[count...])))
            case .paragraph(let spans): collect(spans)
            case .element(.summary, let inner): collect(inner.spans)
            case .quote(let inner), .element(_, let inner): collect(inner)
            case .list(_, _, let items): for item in items { collect(item) }
            case .definitions(let definitions): for definition in definitions { collect(definition.blocks) }
            case .table(let table): for cell in (table.header + table.rows.joined()) { collect(cell) }
            case .code, .rule, .html: break
            }
        }
    }

    mutating func collect(_ spans: [Span]) {
        for span in spans.withoutTags {
            if case .link(_, let target, _) = span { targets.append(target) }
            if case .element(.anchor(let id), _) = span { ids.append(id) }
            if let inner = span.inner { collect(inner) }
        }
    }
}

/// Makes names for files and IDs: letters a to z, digits and single dashes.
package enum Slug {
    /// `eclairs-gradients` for "Éclairs, Gradients"; "" for text without letters and digits.
    package static func of(_ text: String) -> String {
        var slug = ""
        // The rest of a long text would be dropped anyway.
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
