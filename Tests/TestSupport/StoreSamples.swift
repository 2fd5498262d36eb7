import BlogLibrary
import BlogModel
import BlogStore
import Foundation

extension SourceID {
    package static let one = SourceID(kind: "blog", address: "http://a")
    package static let two = SourceID(kind: "blog", address: "http://b")
}

extension [PostID] {
    /// Posts of the first sample source.
    package static func one(_ ids: String...) -> [PostID] { ids.map { PostID(source: .one, local: $0) } }
}

extension EntryBatch {
    package var records: [PostMetadata] { entries.map(\.metadata) }
}

extension RefreshMark {
    /// A response with an ETag.
    package static func sample(digest: String? = nil) -> RefreshMark {
        RefreshMark(
            Checkpoint(validators: CacheValidators(etag: "\"1\"", lastModified: nil), digest: digest, maxAge: 60),
            refreshedAt: Date(timeIntervalSince1970: 1000))
    }
}

extension PostStore {
    /// Makes a blog list exactly these posts.
    package func list(_ posts: [PostMetadata], of source: SourceID = .one) async throws {
        _ = try await store(posts, of: source, mark: .sample())
    }

    /// Stores a list that arrived in one piece.
    ///
    /// - Parameter unread: the ids of records that couldn't be read; nil for one without an id.
    @discardableResult
    package func store(
        _ posts: [PostMetadata], unread: [String?] = [], of source: SourceID, mark: RefreshMark
    ) async throws -> ListChanges {
        let rejected = unread.map { RejectedRecord(index: 0, field: "", reason: "", id: $0) }
        let batches = Batches([EntryBatch(posts.map { Entry($0) }, rejected: rejected)])
        return try await storeList(of: source, mark: mark) { try await batches.next() }.changes
    }

    /// Stores a body.
    package func store(_ text: String, of id: String, _ source: SourceID = .one) async throws {
        try await store(FetchedBody(text: text, fetchedAt: Date(timeIntervalSince1970: 2000)), ofPost: id, of: source)
    }

    /// The posts that match a query.
    package func posts(_ query: Query = Query(), of source: SourceID = .one) async throws -> [ListedPost] {
        guard let stored = try self.source(source) else { return [] }
        while try await indexMore() > 0 {}
        let list = try await openList(query, in: SourceScope([stored])).number
        return try await PostList.Posts(store: self, list: list).reduce(into: []) { $0.append($1) }
    }

    /// The ids of the posts that match a query.
    package func ids(_ query: Query = Query(), of source: SourceID = .one) async throws -> [String] {
        try await posts(query, of: source).map(\.metadata.id)
    }
}

/// Batches of a list, as if they arrived one by one.
package actor Batches {
    private var rest: ArraySlice<EntryBatch>

    package init(_ batches: [EntryBatch]) {
        rest = batches[...]
    }

    package func next() throws -> PreparedBatch? {
        rest.popFirst().map { PreparedBatch($0.entries, rejected: $0.rejected, isNew: true) }
    }
}
