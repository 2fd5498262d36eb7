import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Finds posts by what users type.
package struct PostLookup: Sendable {
    let connections: Connections
    let scopes: ScopeResolver
    let directory: SourceDirectory

    private var store: PostStore { connections.store }

    func post(_ typed: String, in scope: Scope) async throws -> PostID {
        guard typed == "last" else { return try await find(idOrAddress: typed, in: scope) }
        if let post = try await storedPost(withID: typed, in: scope) { return post }
        guard let post = try await store.read({ try Marks($0).lastRead() }) else { throw LibraryError.nothingRead }
        return post
    }

    /// The post with an ID that may look like a reference, if it is stored.
    func storedPost(withID typed: String, in scope: Scope) async throws -> PostID? {
        guard let post = try? await find(idOrAddress: typed, in: scope) else { return nil }
        return try await store.read { try Posts($0).metadata(post.local, of: post.source) } == nil ? nil : post
    }

    private func find(idOrAddress typed: String, in scope: Scope) async throws -> PostID {
        if let post = try await find(address: typed, in: scope) { return post }
        let parts = ShortIDs.split(typed)
        if let (prefix, local) = parts, let source = try await directory.source(named: prefix, in: scope) {
            return try Self.checked(local, of: source, typedAs: prefix)
        }
        let resolved = try await scopes.resolve(scope)
        let owners = try await store.read { try Sources($0).filter(resolved.stored.sources, withPost: typed) }
        let followed = try await store.read { try Sources($0).followed() }
        if owners.isEmpty, parts == nil, followed.contains(where: { $0.name == typed }) {
            throw LibraryError.missingID(typed)
        }
        if owners.isEmpty, let (prefix, local) = parts,
            let source = try SourceLookup.source(ofID: prefix, among: followed)
        {
            return try Self.checked(local, of: source.id, typedAs: prefix)
        }
        // Following a source replaces the default one, whose posts were listed before with the same plain IDs.
        if owners.isEmpty, case .everything = scope,
            let former = try await store.read({ try Sources($0).find(scopes.defaultSource) }),
            try await !store.read({ try Sources($0).filter([former.listed], withPost: typed) }).isEmpty
        {
            return PostID(source: former.id, local: typed)
        }
        // Its posts are printed without a prefix, also if single pages are followed, which have numbers, too.
        if let only = resolved.onlySource, owners.contains(where: { $0.id == only && $0.name == nil }) {
            return PostID(source: only, local: typed)
        }
        if let single = resolved.single { return PostID(source: single, local: typed) }
        guard let found = owners.first else { throw LibraryError.noSuchPost(typed, known: followed.compactMap(\.name)) }
        guard owners.count == 1 else {
            let shortIDs = try await directory.shortIDs(besides: resolved)
            let candidates = owners.map { shortIDs.text(PostID(source: $0.id, local: typed)) }
            throw LibraryError.ambiguous(typed, candidates: candidates)
        }
        return PostID(source: found.id, local: typed)
    }

    private static func checked(_ local: String, of source: SourceID, typedAs prefix: String) throws -> PostID {
        guard !local.allSatisfy(\.isWhitespace) else { throw LibraryError.missingID(prefix) }
        guard !source.isService else { throw LibraryError.noSuchPost("\(prefix):\(local)") }
        return PostID(source: source, local: local)
    }

    /// The post that a web page is about; nil if the text isn't an address.
    private func find(address text: String, in scope: Scope) async throws -> PostID? {
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), let page = URL(address: text)
        else { return nil }
        if let post = try await storedPost(atPage: text) { return post }
        let defaults = SourceRegistry.kinds.compactMap { $0.source(at: nil) }
        for source in try await scopes.resolve(scope).sources + defaults {
            if let local = connections.source(source)?.id(ofPage: page) { return PostID(source: source, local: local) }
        }
        throw LibraryError.noSuchPost(text)
    }

    /// The stored post with the address of its page.
    ///
    /// A page that was read by this address remains that post, even if a followed feed lists it later.
    private func storedPost(atPage text: String) async throws -> PostID? {
        let address = SourceAddress.page(text)?.absoluteString ?? text
        let page = try await store.read { try Posts($0).find(withGUID: address, of: PageSource.sourceID) }
        if let page, try await store.read({ try Sources($0).find(page.source) })?.isFollowed == true { return page }
        for link in [text, address] {
            if let post = try await store.read({ try Posts($0).find(withLink: link) }) { return post }
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
            let scope = if let source { try await directory.scope(named: [source], in: scope) } else { scope }
            let resolved = try await scopes.resolve(scope)
            var query = Query(arrangement: Arrangement(sorting: resolved.capabilities.sorting), limit: count)
            query.offset = skipped
            query.filter.isUnread = isUnread
            let shortIDs = try await directory.shortIDs(besides: resolved)
            var ids: [String] = []
            for try await post in try await PostListing(connections: connections, scopes: scopes).list(
                query, in: resolved
            ).posts { ids.append(shortIDs.text(post.id)) }
            return ids
        case .first, .numbers: throw LibraryError.badReference(word)
        }
    }
}
