import Model

/// How the ids of posts are written so that they can be typed back.
///
/// A post of a source that is or was followed is `NAME:ID`. Of one that never was, a blog API's posts have plain ids, and
/// others begin with their kind: `hn:8863`.
public struct TypedIDs: Sendable {
    private let names: [SourceID: String]
    private let known: Set<String>

    init(_ names: [SourceID: String]) {
        self.names = names
        known = Set(names.values)
    }

    /// Whether nothing was ever followed.
    package var isEmpty: Bool { names.isEmpty }

    /// An id as it is printed and typed.
    public func text(_ post: PostID) -> String {
        if let name = names[post.source] { return "\(name):\(post.local)" }
        let isPlain = post.source.kind == SourceRegistry.kinds[0].name
        // A plain id that begins like another source's would be taken for one.
        return isPlain && !isPrefixed(post.local) ? post.local : "\(name(of: post.source)):\(post.local)"
    }

    /// An id in at most so many characters, as `gardening…:3`; where that can't be typed back, the id as it is.
    ///
    /// Only the source's name is cut, and only as far as no other begins so.
    package func shortened(_ id: String, to width: Int) -> String {
        guard id.count > width, let (name, local) = Self.split(id), known.contains(name) else { return id }
        let beginning = String(name.prefix(max(width - local.count - 2, 0)))
        guard !beginning.isEmpty, SourceRegistry.kind(named: beginning) == nil,
            known.count(where: { $0.hasPrefix(beginning) }) == 1
        else { return id }
        return "\(beginning)…:\(local)"
    }

    /// What a source is called: its name, else its kind's.
    public func name(of source: SourceID) -> String {
        names[source] ?? SourceRegistry.kind(named: source.kind)?.idPrefix ?? source.kind
    }

    private func isPrefixed(_ id: String) -> Bool {
        guard let (prefix, _) = Self.split(id) else { return false }
        return known.contains(prefix) || SourceRegistry.kind(named: prefix) != nil
    }

    /// What stands before the first colon of an id, and what after it; nil for an id without one.
    static func split(_ id: String) -> (prefix: String, local: String)? {
        // By scalars: a mark that combines with the colon would hide it.
        guard let colon = id.unicodeScalars.firstIndex(of: ":") else { return nil }
        return (String(id[..<colon]), String(id[id.unicodeScalars.index(after: colon)...]))
    }
}
