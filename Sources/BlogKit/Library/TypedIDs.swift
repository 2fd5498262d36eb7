import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Post IDs as they are printed and typed.
///
/// The ID of a post is `NAME:ID` if its source is or was followed. Otherwise it is a plain ID for the blog API, and
/// starts with the name of the kind for others: `hn:8863`.
public struct TypedIDs: Sendable {
    private let names: [SourceID: String]
    private let known: Set<String>

    init(_ names: [SourceID: String]) {
        self.names = names
        known = Set(names.values)
    }

    /// Whether no source was ever followed.
    package var isEmpty: Bool { names.isEmpty }

    /// The ID of a post as it is printed and typed.
    public func text(_ post: PostID) -> String {
        if let name = names[post.source] { return "\(name):\(post.local)" }
        let isPlain = post.source.kind == SourceRegistry.standard.name
        // A plain ID that starts like that of another source would be ambiguous.
        return isPlain && !isPrefixed(post.local) ? post.local : "\(name(of: post.source)):\(post.local)"
    }

    /// An ID shortened to a number of characters, as `gardening…:3`, or the whole ID if it can't be.
    ///
    /// Only the name of the source is shortened, as far as it remains unique.
    package func shortened(_ id: String, to width: Int) -> String {
        guard id.count > width, let (name, local) = Self.split(id), known.contains(name) else { return id }
        let beginning = String(name.prefix(max(width - local.count - 2, 0)))
        guard !beginning.isEmpty, SourceRegistry.kind(named: beginning) == nil,
            known.count(where: { $0.hasPrefix(beginning) }) == 1
        else { return id }
        return "\(beginning)…:\(local)"
    }

    /// The name of a source, or else the prefix of its kind.
    public func name(of source: SourceID) -> String {
        names[source] ?? SourceRegistry.kind(named: source.kind)?.idPrefix ?? source.kind
    }

    private func isPrefixed(_ id: String) -> Bool {
        guard let (prefix, _) = Self.split(id) else { return false }
        return known.contains(prefix) || SourceRegistry.kind(named: prefix) != nil
    }

    /// The parts of an ID before and after its first colon; nil for an ID without one.
    static func split(_ id: String) -> (prefix: String, local: String)? {
        // By scalars, because a combining mark after the colon would hide it.
        guard let colon = id.unicodeScalars.firstIndex(of: ":") else { return nil }
        return (String(id[..<colon]), String(id[id.unicodeScalars.index(after: colon)...]))
    }
}

/// A word that refers to posts without naming them.
///
/// | word | posts |
/// | --- | --- |
/// | `latest`, `latest:3` | the first in a default list |
/// | `next`, `next:3` | the first unread ones |
/// | `swift:latest` | the first of a source |
/// | `3-7`, `swift:3-7` | those with the numbers 3 to 7 |
package enum PostReference: Hashable, Sendable {
    /// The first posts of a source or of everything; `count` is nil if it is invalid.
    case first(source: String?, isUnread: Bool, count: Int?)
    /// Posts with numbers, after the prefix of their IDs; the range is nil if it is invalid.
    case numbers(prefix: String, ClosedRange<Int>?)

    /// Nil for any other word.
    package init?(_ word: String) {
        if let match = word.wholeMatch(of: #/([a-z0-9-]+:)?(\d+)-(\d+)/#) {
            let (first, last) = (Int(match.2) ?? .max, Int(match.3) ?? .max)
            let isValid = first <= last && last - first < Self.maxCount && last < .max
            self = .numbers(prefix: match.1.map { String($0) } ?? "", isValid ? first...last : nil)
            return
        }
        var parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let source = parts.count > 1 && !Self.words.contains(parts[0]) ? parts.removeFirst() : nil
        guard Self.words.contains(parts[0]), parts.count <= 2 else { return nil }
        let count = parts.count == 1 ? 1 : Int(parts[1]).flatMap { (1...Self.maxCount).contains($0) ? $0 : nil }
        self = .first(source: source, isUnread: parts[0] == "next", count: count)
    }

    package var isNext: Bool {
        if case .first(_, isUnread: true, _) = self { true } else { false }
    }

    /// Whether it may refer to more than one post.
    package var isPlural: Bool {
        switch self {
        case .first(_, _, let count): count ?? 0 > 1
        case .numbers: true
        }
    }

    private static let words = ["latest", "next"]
    private static let maxCount = 1000
}

extension Library {
    /// The post with an ID as users type it: `NAME:ID`, also with a unique prefix of the name, `hn:ID`, a plain ID, the
    /// link of the post, or `last` for the one read most recently.
    ///
    /// Throws ``LibraryError/ambiguous(_:candidates:)`` or ``LibraryError/noSuchPost(_:known:)`` unless exactly one
    /// source has a post with a plain ID, ``LibraryError/severalSources(_:names:)``, ``LibraryError/missingID(_:)`` for
    /// only the name of a source, ``LibraryError/nothingRead`` for `last` if there is none, or a ``StoreError``.
    public func post(_ typed: String, in scope: Scope = .everything) async throws -> PostID {
        guard typed == "last" else { return try await post(withID: typed, in: scope) }
        if let post = try await storedPost(withID: typed, in: scope) { return post }
        guard let post = try await lastRead() else { throw LibraryError.nothingRead }
        return post
    }

    /// The post with an ID that may look like a reference, if it is stored.
    func storedPost(withID word: String, in scope: Scope) async throws -> PostID? {
        guard let post = try? await post(withID: word, in: scope) else { return nil }
        return try await storedMetadata(of: post) == nil ? nil : post
    }

    /// The post with an ID or link.
    private func post(withID typed: String, in scope: Scope) async throws -> PostID {
        if let post = try await post(atPage: typed, in: scope) { return post }
        let parts = TypedIDs.split(typed)
        if let (prefix, local) = parts, let source = try await source(named: prefix, in: scope) {
            return try Self.post(local, of: source, typedAs: prefix)
        }
        let resolved = try await resolve(scope)
        let (sources, stored) = (resolved.sources, resolved.stored)
        let owners = try await store.sources(withPost: typed, among: stored.sources)
        let followed = try await store.followedSources()
        if owners.isEmpty, let (prefix, local) = parts,
            let source = try SourceLookup.source(ofID: prefix, among: followed)
        {
            return try Self.post(local, of: source.id, typedAs: prefix)
        }
        if owners.isEmpty, case .everything = scope, !sources.contains(defaultSource),
            let former = try await store.source(defaultSource),
            former.name == nil, try await !store.sources(withPost: typed, among: [former]).isEmpty
        {
            throw LibraryError.formerDefault(typed, defaultSource)
        }
        if sources.count == 1 { return PostID(source: sources[0], local: typed) }
        guard let found = owners.first else { throw LibraryError.noSuchPost(typed, known: followed.compactMap(\.name)) }
        guard owners.count == 1 else {
            let typedIDs = try await typedIDs()
            let candidates = owners.map { typedIDs.text(PostID(source: $0.id, local: typed)) }
            throw LibraryError.ambiguous(typed, candidates: candidates)
        }
        return PostID(source: found.id, local: typed)
    }

    private static func post(_ local: String, of source: SourceID, typedAs prefix: String) throws -> PostID {
        guard !local.allSatisfy(\.isWhitespace) else { throw LibraryError.missingID(prefix) }
        return PostID(source: source, local: local)
    }

    /// The post that a web page is about; nil if the text isn't an address.
    private func post(atPage text: String, in scope: Scope) async throws -> PostID? {
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), let page = URL(address: text)
        else { return nil }
        if let post = try await storedPost(atPage: text) { return post }
        let defaults = SourceRegistry.kinds.compactMap { $0.source(at: nil) }
        for source in try await sourceIDs(in: scope) + defaults {
            if let local = self.source(source)?.id(ofPage: page) { return PostID(source: source, local: local) }
        }
        throw LibraryError.noSuchPost(text)
    }

    /// The stored post with the address of its page.
    ///
    /// A page that was read by this address remains that post, even if a followed feed lists it later.
    private func storedPost(atPage text: String) async throws -> PostID? {
        let address = SourceAddress.page(text)?.absoluteString ?? text
        let page = try await store.post(withGUID: address, of: PageSource.sourceID)
        if let page, try await store.source(page.source)?.isFollowed == true { return page }
        for link in [text, address] {
            if let post = try await store.post(withLink: link) { return post }
        }
        return page
    }

    /// The IDs that a word refers to; the word itself if it is an ID.
    ///
    /// Throws ``LibraryError/badReference(_:)``, or what a list throws.
    ///
    /// - Parameter skipped: the offset of the first post.
    package func ids(for word: String, in scope: Scope, skipping skipped: Int = 0) async throws -> [String] {
        guard let reference = PostReference(word) else { return [word] }
        // The ID of a post may look like a reference, but then there are no further posts to skip to.
        if skipped == 0, try await storedPost(withID: word, in: scope) != nil { return [word] }
        switch reference {
        case .numbers(let prefix, let numbers?): return numbers.map { "\(prefix)\($0)" }
        case .first(let source, let isUnread, let count?):
            let scope = if let source { try await self.scope(named: [source], in: scope) } else { scope }
            let resolved = try await resolve(scope)
            let sorting: Sorting = resolved.capabilities.isRanked ? .rank : .date
            var query = Query(arrangement: Arrangement(sorting: sorting), limit: count)
            query.offset = skipped
            query.filter.isUnread = isUnread
            let typedIDs = try await typedIDs()
            var ids: [String] = []
            for try await post in try await list(query, in: resolved).posts { ids.append(typedIDs.text(post.id)) }
            return ids
        case .first, .numbers: throw LibraryError.badReference(word)
        }
    }
}
