import BlogLibrary
import BlogModel
import BlogRendering
import BlogStore
import Foundation
import Testing

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
    /// A response with an ETag, some seconds after the beginning of 1970.
    package static func sample(digest: String? = nil, at seconds: TimeInterval = 1000) -> RefreshMark {
        RefreshMark(
            Checkpoint(validators: CacheValidators(etag: "\"1\"", lastModified: nil), digest: digest, maxAge: 60),
            refreshedAt: Date(timeIntervalSince1970: seconds))
    }
}

extension PostStore {
    /// Makes a blog list exactly these posts.
    @discardableResult
    package func list(
        _ posts: [PostMetadata], of source: SourceID = .one, at seconds: TimeInterval = 1000
    ) async throws -> ListChanges {
        try await store(posts, of: source, mark: .sample(at: seconds))
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
        return try await storeList(of: source, mark: mark, batches).changes
    }

    /// Stores a body.
    package func store(
        _ text: String, of id: String, format: BodyFormat? = nil, _ source: SourceID = .one
    ) async throws {
        let body = FetchedBody(text: text, format: format, fetchedAt: Date(timeIntervalSince1970: 2000))
        try await write { try Bodies($0).save([(id, body)], of: source) }
    }

    /// The posts that match a query.
    package func posts(_ query: Query = Query(), of source: SourceID = .one) async throws -> [StoredPost] {
        while try await indexMore() > 0 {}
        return try await opened(query, of: source).reduce(into: []) { $0.append($1) }
    }

    /// The posts that match a query, none of which was read yet.
    package func opened(_ query: Query = Query(), of source: SourceID = .one) async throws -> PostList.Posts {
        PostList.Posts(store: self, list: try await openList(query, in: scope(source)).number)
    }

    /// A source, if it is stored.
    package func scope(_ source: SourceID = .one) throws -> SourceScope {
        SourceScope([try read { try Sources($0).find(source) }].compactMap { $0 })
    }

    /// The ids of the posts that match a query.
    package func ids(_ query: Query = Query(), of source: SourceID = .one) async throws -> [String] {
        try await posts(query, of: source).map(\.metadata.id)
    }
}

extension PostStore {
    /// All posts as an export has them.
    package func exported() throws -> [ExportedPost] {
        try read { database in
            let exporting = Exporting(database)
            return try (exporting.keys() ?? []).compactMap { try exporting.find($0, withBody: true) }
        }
    }
}

extension PostStore {
    /// The lines that `blog store export` prints, but for the last one.
    package func export() async throws -> String {
        let posts = try await ExportedPosts(of: self)
        var lines = posts.sources.map { ExportLine.text($0) } + posts.rules.map { ExportLine.text($0) }
        for try await post in posts { lines.append(ExportLine.text(post)) }
        #expect(posts.unreadable.isEmpty)
        return (lines + posts.cursors.map { ExportLine.text($0) }).joined()
    }
}

/// Batches of a list; an error at its end stands for a document that can't be read on.
package struct Batches: EntryBatches {
    private var rest: ArraySlice<EntryBatch>
    private let error: (any Error)?

    package init(_ batches: [EntryBatch], error: (any Error)? = nil) {
        rest = batches[...]
        self.error = error
    }

    package mutating func next() throws -> EntryBatch? {
        if let batch = rest.popFirst() { return batch }
        if let error { throw error }
        return nil
    }
}

extension Marks {
    /// The last markings that can be undone.
    package static func last(_ limit: Int, in store: PostStore) async throws -> [MarkingReport] {
        try await store.read { try ChangeHistory($0).steps(limit) }.compactMap {
            if case .marks(let report) = $0 { report } else { nil }
        }
    }
}
