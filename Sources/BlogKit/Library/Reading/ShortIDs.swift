import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Prints post IDs and splits typed ones, whose posts `PostLookup` finds.
///
/// The ID of a post is `NAME:ID` if its source is or was followed. Otherwise it starts with the name of the kind, as
/// `hn:8863`; that of the only source, if it speaks the blog API, is a plain ID.
public struct ShortIDs: Sendable {
    private let sources: [SourceID: Source]
    /// The only source, if there is no other that posts could be of.
    private let only: SourceID?

    private struct Source {
        let name: String
        let title: String?
    }

    /// - Parameter sources: all sources that are or were followed.
    init(_ sources: [ListedSource], only: SourceID? = nil) {
        self.only = only
        self.sources = sources.reduce(into: Dictionary(minimumCapacity: sources.count)) { known, source in
            guard let name = source.name else { return }
            let title = source.isFollowed && source.title?.isEmpty == false ? source.title : nil
            known[source.id] = Source(name: name, title: title)
        }
    }

    /// The title of a followed source: the user's, if there is one, or its own; nil for none.
    package func title(of source: SourceID) -> String? { sources[source]?.title }

    /// The titles of followed sources by their names.
    package var titles: [String: String] {
        sources.values.reduce(into: [:]) { titles, source in titles[source.name] = source.title }
    }

    /// The ID of a post as it is printed and typed.
    public func text(_ post: PostID) -> String { text(post.local, prefix(of: post.source)) }

    /// What the IDs of a source's posts start with.
    package struct Prefix: Sendable {
        package let name: String
        fileprivate let isOptional: Bool
    }

    package func prefix(of source: SourceID) -> Prefix {
        if let known = sources[source] { return Prefix(name: known.name, isOptional: false) }
        return Prefix(
            name: SourceRegistry.prefix(of: source),
            isOptional: source == only && source.kind == SourceRegistry.standard.name)
    }

    /// The ID of a post as it is printed and typed, by the ID that its source gave it.
    package func text(_ local: String, _ prefix: Prefix) -> String {
        // A plain ID that starts like that of another source would be ambiguous.
        prefix.isOptional && !isPrefixed(local) ? local : prefix.name + ":" + local
    }

    /// An ID shortened to a number of characters, as `gardening…:3`, or the whole ID if it can't be.
    ///
    /// Only the name of the source is shortened, as far as it remains unique.
    package func shortened(_ id: String, to width: Int) -> String {
        guard id.count > width, let (name, local) = Self.split(id), isKnown(name) else { return id }
        let beginning = String(name.prefix(max(width - local.count - 2, 0)))
        guard !beginning.isEmpty, SourceRegistry.kind(named: beginning) == nil,
            sources.values.count(where: { $0.name.hasPrefix(beginning) }) == 1
        else { return id }
        return "\(beginning)…:\(local)"
    }

    /// The name of a source, or else the prefix of its kind.
    public func name(of source: SourceID) -> String {
        prefix(of: source).name
    }

    private func isKnown(_ name: String) -> Bool { sources.values.contains { $0.name == name } }

    private func isPrefixed(_ id: String) -> Bool {
        guard let (prefix, _) = Self.split(id) else { return false }
        return isKnown(prefix) || SourceRegistry.kind(named: prefix) != nil
    }

    /// The parts of an ID before and after its first colon; nil for an ID without one.
    static func split(_ id: String) -> (prefix: String, local: String)? {
        // By bytes, because a combining mark after the colon would hide it.
        guard let colon = id.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return (String(id[..<colon]), String(id[id.utf8.index(after: colon)...]))
    }
}
