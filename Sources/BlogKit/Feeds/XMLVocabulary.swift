/// The vocabularies of feeds, by their namespaces.
enum XMLVocabulary: Hashable, Sendable {
    /// All versions of RSS and Atom, whose names don't conflict.
    case feed
    case rdf
    /// http://purl.org/rss/1.0/modules/content/
    case content
    /// https://www.dublincore.org/specifications/dublin-core/dces/
    case dublinCore
    /// https://www.dublincore.org/specifications/dublin-core/dcmi-terms/
    case dublinCoreTerms
    /// https://www.rssboard.org/media-rss
    case media
    /// https://help.apple.com/itc/podcasts_connect/#/itcb54353390
    case itunes
    /// http://rssnamespace.org/feedburner/ext/1.0
    case feedBurner
    /// http://source.scripting.com/
    case source
    /// https://github.com/dewitt/opensearch
    case openSearch
    case xhtml
    case unknown

    /// The vocabulary of a namespace, which feeds spell in many ways.
    init(namespace: String) {
        let name = namespace.lowercased()
        self = Self.namespaces.first { name.contains($0.part) }?.vocabulary ?? .unknown
    }

    /// The usual vocabulary of an undeclared prefix.
    init(prefix: String) { self = Self.prefixes[prefix] ?? .unknown }

    private static let namespaces: [(part: String, vocabulary: XMLVocabulary)] = [
        ("www.w3.org/2005/atom", .feed), ("purl.org/atom/ns", .feed), ("purl.org/rss/1.0/modules/content", .content),
        ("purl.org/rss/1.0/modules/", .unknown), ("purl.org/rss/1.0", .feed), ("netscape.com/rdf/simple", .feed),
        ("netscape.com/publish/formats/rss", .feed), ("backend.userland.com/rss", .feed),
        ("law.harvard.edu/tech/rss", .feed), ("purl.org/net/rss1.1", .feed), ("22-rdf-syntax-ns", .rdf),
        ("purl.org/dc/elements", .dublinCore), ("purl.org/dc/terms", .dublinCoreTerms),
        ("search.yahoo.com/mrss", .media), ("itunes.com/dtds/podcast", .itunes), ("www.w3.org/1999/xhtml", .xhtml),
        ("rssnamespace.org/feedburner", .feedBurner), ("source.scripting.com", .source),
        ("a9.com/-/spec/opensearch", .openSearch),
    ]

    private static let prefixes: [String: XMLVocabulary] = [
        "atom": .feed, "atom03": .feed, "atom10": .feed, "a10": .feed, "rss": .feed, "rdf": .rdf, "content": .content,
        "dc": .dublinCore, "dcterms": .dublinCoreTerms, "dct": .dublinCoreTerms, "media": .media, "itunes": .itunes,
        "feedburner": .feedBurner, "source": .source,
        "xhtml": .xhtml, "xh": .xhtml, "opensearch": .openSearch,
    ]
}

/// The namespaces in scope.
struct XMLNamespaces {
    /// With the depth of the element that declares them; the prefix is "" for the default namespace.
    private var declarations: [(prefix: String, vocabulary: XMLVocabulary, depth: Int)] = []

    /// More than any feed has, and few enough for a linear search.
    private static let maxCount = 64

    /// Adds the declaration of an `xmlns` attribute.
    mutating func declare(_ attribute: String, _ namespace: String, depth: Int) {
        guard declarations.count < Self.maxCount else { return }
        let prefix = String(attribute.dropFirst("xmlns:".count))
        var vocabulary = XMLVocabulary(namespace: namespace)
        // The default namespace of the root is the feed's, whatever its URI.
        if prefix.isEmpty, depth <= 1, vocabulary == .unknown { vocabulary = .feed }
        declarations.append((prefix, vocabulary, depth))
    }

    /// Removes the declarations of elements below a depth.
    mutating func leave(depth: Int) {
        while let last = declarations.last, last.depth > depth { declarations.removeLast() }
    }

    func vocabulary(prefix: String) -> XMLVocabulary {
        if let declared = declarations.last(where: { $0.prefix == prefix }) { return declared.vocabulary }
        return prefix.isEmpty ? .feed : XMLVocabulary(prefix: prefix)
    }
}
