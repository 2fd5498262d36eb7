import BlogLibrary
import Browse
import CommandLine
import Essentials
import Model
import Rendering
import Store

/// Reads the rows of one list, as many as are wanted.
struct ListLoading {
    let request: ListRequest
    let number: Int
    let session: Session
    let now: Date
    let send: @Sendable (BrowseEvent) -> Void
    /// How many rows are wanted in all, each time more; a number below 0 ends the reading.
    let wanted = Mailbox<Int>()
    /// Gets something as soon as the first rows were sent, or there are none.
    let begun = Mailbox<Void>()

    /// Reads the list to its end, or until no more of it is wanted.
    func run() async {
        defer { begun.put([()]) }
        do {
            if case .these(let posts) = request.posts, request.search == nil { return await give(posts) }
            try await give(try await list())
        } catch LibraryError.nothingStored, LibraryError.listNotStored {
            // The refresh may bring something, or says why not.
            send(.rows([], isEnd: true, list: number))
        } catch {
            send(.listFailed(Failure(error).message ?? "", list: number))
        }
    }

    private func give(_ list: PostList) async throws {
        var (rows, given, wanted) = ([ListRow](), 0, 0)
        func give(isEnd: Bool) {
            given += rows.count
            send(.rows(rows, isEnd: isEnd, list: number))
            begun.put([()])
            rows = []
        }
        for try await post in list.posts {
            while given + rows.count >= wanted {
                let counts = await self.wanted.take()
                guard counts.allSatisfy({ $0 >= 0 }) else { return }
                wanted = max(wanted, counts.max() ?? 0)
            }
            rows.append(row(post))
            // The first screen doesn't wait for more.
            let size = given == 0 ? Self.firstBatch : Self.batch
            if rows.count >= size || given + rows.count >= wanted { give(isEnd: false) }
        }
        give(isEnd: true)
    }

    private func row(_ post: ListedPost) -> ListRow {
        let presentation = session.presentation
        let group = post.group.map { presentation.heading(PostGroup(name: $0, count: 0)).name }
        return ListRow(post, source: presentation.title(of: post.source), group: group)
    }

    private func give(_ posts: [PostID]) async {
        var rows: [ListRow] = []
        for post in posts {
            let stored = try? await session.library.markedPost(post)
            rows.append(
                ListRow(
                    post, stored?.metadata, typedID: session.typedIDs.text(post),
                    source: session.presentation.title(of: post.source), state: stored?.state))
        }
        send(.rows(rows.filter(isShown), isEnd: true, list: number))
    }

    /// Whether a post that is named passes what is to be shown.
    private func isShown(_ row: ListRow) -> Bool {
        let words = Folding.fold(request.filter).split(separator: " ")
        let text = Folding.fold("\(row.title) \(row.author)")
        guard words.allSatisfy({ text.contains($0) }) else { return false }
        switch request.show {
        case .asRequested, .all: return true
        case .unread: return !row.isRead
        case .saved: return row.isSaved
        }
    }

    private static let firstBatch = 100
    private static let batch = 1000

    // MARK: Query

    private func list() async throws -> PostList {
        let (query, scope) = try Self.query(of: request, now: now)
        guard query.words == nil else { return try await session.library.search(query, in: scope) }
        return try await session.library.offline.list(query, in: scope)
    }

    /// The query of a request.
    ///
    /// Throws ``LibraryError/badFilter(_:value:expected:)`` or ``UsageError/nothingToSearch(_:)``.
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
        guard words.isEmpty || Query.canSearch(words) else { throw UsageError.nothingToSearch(words) }
        query.words = words.isEmpty ? nil : words
        query.hasSnippets = false
        return (query, scope)
    }
}
