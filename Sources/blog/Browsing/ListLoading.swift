import BlogLibrary
import Browse
import Foundation
import Model
import Rendering
import Store

/// Reads the rows of one list as they are wanted.
actor ListLoading {
    private let session: Session
    private let number: Int
    private let send: @Sendable (BrowseEvent) -> Void
    private let open: @Sendable () async throws -> PostList
    private var posts: PostList.Posts.Iterator?
    private var given = 0
    private var wanted = 0
    private var isRunning = false
    private var isAtEnd = false
    private let now: Date

    init(
        _ request: ListRequest, number: Int, _ session: Session, now: Date,
        send: @escaping @Sendable (BrowseEvent) -> Void
    ) {
        self.session = session
        self.number = number
        self.send = send
        self.now = now
        open = { try await Self.list(request, session, now: now) }
        if case .these(let posts) = request.posts, request.search == nil { named = posts }
    }

    /// The posts of a list that names them; nil for a query.
    private var named: [PostID]?

    /// Reads on until so many rows were given.
    func read(upTo count: Int) async {
        wanted = max(wanted, count)
        guard !isRunning, !isAtEnd, given < wanted else { return }
        isRunning = true
        defer { isRunning = false }
        do {
            if let named { return await give(named) }
            if posts == nil { posts = try await open().posts.makeAsyncIterator() }
            while given < wanted, !isAtEnd, !Task.isCancelled { try await readBatch() }
        } catch {
            isAtEnd = true
            send(.listFailed(Failure(error).message ?? "", list: number))
        }
    }

    private func readBatch() async throws {
        guard var posts else { return }
        var rows: [ListRow] = []
        // The first screen doesn't wait for more.
        let size = min(given == 0 ? Self.firstBatch : Self.batch, wanted - given)
        while rows.count < size {
            guard let post = try await posts.next() else {
                isAtEnd = true
                break
            }
            rows.append(row(post))
        }
        self.posts = posts
        given += rows.count
        send(.rows(rows, isEnd: isAtEnd, list: number))
    }

    private func row(_ post: ListedPost) -> ListRow {
        let presentation = session.presentation
        let group = post.group.map { presentation.heading(PostGroup(name: $0, count: 0)).name }
        return ListRow(post, source: presentation.title(of: post.source), group: group)
    }

    private func give(_ posts: [PostID]) async {
        var rows: [ListRow] = []
        for post in posts {
            let stored = try? await session.library.storedPost(post)
            rows.append(
                ListRow(
                    post, stored?.metadata, typedID: session.typedIDs.text(post),
                    source: session.presentation.title(of: post.source), state: stored?.state))
        }
        isAtEnd = true
        send(.rows(rows, isEnd: true, list: number))
    }

    private static let firstBatch = 100
    private static let batch = 1000

    // MARK: Query

    private static func list(_ request: ListRequest, _ session: Session, now: Date) async throws -> PostList {
        let (query, scope) = try query(of: request, now: now)
        guard query.words == nil else { return try await session.library.search(query, in: scope) }
        return try await session.library.offline.list(query, in: scope)
    }

    /// The query of a request.
    ///
    /// Throws ``LibraryError/badFilter(_:value:expected:)``.
    static func query(of request: ListRequest, now: Date) throws -> (Query, Scope) {
        guard case .query(var query, let scope) = request.posts else { return (Query(), request.scope) }
        switch request.show {
        case .asRequested: break
        case .all: (query.filter.isUnread, query.filter.isSaved) = (false, false)
        case .unread: (query.filter.isUnread, query.filter.isSaved) = (true, false)
        case .saved: (query.filter.isUnread, query.filter.isSaved) = (false, true)
        }
        if let search = request.search {
            query.arrangement = Arrangement(sorting: .relevance)
            query.section = nil
            try SearchInput(search).narrow(&query, now: now)
        }
        let filter = SearchInput(request.filter)
        let words = [query.words, filter.hasWords ? filter.words : nil].compactMap(\.self).joined(separator: " ")
        try filter.narrow(&query, now: now)
        query.words = words.isEmpty ? nil : words
        query.hasSnippets = false
        return (query, scope)
    }
}
