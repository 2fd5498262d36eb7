import BlogEssentials
import BlogMarkup
import BlogModel
import BlogStore

/// Why a list is empty.
package enum EmptyList: Sendable {
    /// The page is beyond the last one.
    case pastTheEnd(ListEnd)
    /// Nothing is new.
    case nothingNew
    /// The scope is empty.
    case noPosts
    /// This many posts would be listed without one of the filters, named like its option.
    case filtered(by: String, count: Int)
    /// No post is by the author; `nearest` is a similar name.
    case unknownAuthor(String, nearest: String?)
    /// No post has the label; the error says which there are.
    case unknownLabel(LibraryError)
    /// No post passes all filters.
    case noMatch
}

/// How many posts and pages a list or a search has.
package struct ListEnd: Sendable {
    let page: Int
    /// The number of posts; ``ListCounts/limit`` means that many or more.
    let posts: Int
    let limit: Int

    /// For example: "No page 7: 18 posts on 5 pages.".
    package var message: Message {
        let pages = (posts - 1) / limit + 1
        let more: Message = posts == ListCounts.limit ? "at least " : ""
        return "No page \(page): \(more)\(Counted.posts(posts)) on \(pages) \(pages == 1 ? "page" : "pages")."
    }
}

/// Finds out why a list is empty, and what would have been found elsewhere.
package struct EmptyListSearch: Sendable {
    let listing: PostListing

    /// Why a list has no posts.
    ///
    /// Throws a ``LibraryError`` or a ``StoreError``.
    package func reason(_ query: Query, in scope: ResolvedScope) async throws -> EmptyList {
        if let end = try await end(of: query, in: scope) { return .pastTheEnd(end) }
        if query.newFor != nil { return .nothingNew }
        if query.filter.isEmpty { return .noPosts }
        if let label = query.filter.label {
            let labels = try await listing.store.read { try Marks($0).labelNames() }
            guard labels.contains(where: { Label.isSame($0, label) }) else {
                return .unknownLabel(.unknownLabel(label, known: labels))
            }
        }
        for (name, remove) in Self.filters {
            var other = query
            remove(&other.filter)
            // The author may be the only filter because the name is misspelt.
            guard other.filter != query.filter, name != "author" || !other.filter.isEmpty,
                let count = try await listing.counts(of: other, in: scope)?.posts, count > 0
            else { continue }
            return .filtered(by: name, count: count)
        }
        guard let author = query.filter.author else { return .noMatch }
        let stored = try await listing.scopes.current(scope).stored
        let settled = try await listing.store.settleRules()
        let authors = try await listing.store.read { try ListCounting($0).authors(in: stored, settled) }
        let nearest = NearestName.ofWords(author, among: authors.sorted())
        return .unknownAuthor(author, nearest: nearest)
    }

    private static let filters: [(name: String, remove: @Sendable (inout Filter) -> Void)] = [
        ("title", { $0.title = nil }), ("tag", { $0.tag = nil }), ("author", { $0.author = nil }),
        ("since", { $0.since = nil }), ("until", { $0.before = nil }), ("min-score", { $0.minScore = nil }),
        ("unread", { $0.isUnread = false }), ("saved", { $0.isSaved = false }), ("label", { $0.label = nil }),
    ]

    /// The number of posts and pages of a list or search, for a page past the last one; nil for any other.
    package func end(of query: Query, in scope: ResolvedScope) async throws -> ListEnd? {
        guard query.offset > 0, let limit = query.limit else { return nil }
        let counted = try await listing.counts(of: query, in: scope)?.posts
        let posts = if let counted { counted } else { try await hits(of: query, in: scope) }
        return posts > 0 ? ListEnd(page: query.offset / limit + 1, posts: posts, limit: limit) : nil
    }

    /// How many posts a search finds, at most ``ListCounts/limit``.
    package func hits(of query: Query, in scope: ResolvedScope) async throws -> Int {
        var query = query
        (query.limit, query.offset, query.hasSnippets, query.parts) = (ListCounts.limit, 0, false, [])
        return try await listing.search(query, in: scope).posts.reduce(0) { count, _ in count + 1 }
    }

    /// A followed source outside a scope with a post that a search finds; nil if there is none.
    package func otherSource(matching query: Query, outside scope: Scope) async throws -> SourceID? {
        if case .everything = scope { return nil }
        var query = query
        (query.limit, query.offset, query.hasSnippets, query.parts) = (1, 0, false, [])
        for try await post in try await listing.search(query, in: listing.scopes.resolve(.everything)).posts {
            return post.source
        }
        return nil
    }
}
