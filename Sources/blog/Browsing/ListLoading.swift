import BlogBrowse
import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering

/// Loads the rows of a list, as many as are requested.
struct ListLoading {
    let request: ListRequest
    let number: Int
    let session: Session
    let now: Date
    let send: @Sendable (BrowseEvent) -> Void
    /// How many rows to load in all, each time more; nil to stop.
    let requests = Mailbox<Int?>()
    /// Gets an element when the first rows have been sent, or there are none.
    let started = Mailbox<Void>()

    /// Loads the list to its end, or until it is stopped.
    func run() async {
        defer { started.put([()]) }
        do {
            if case .these(let posts) = request.posts, request.search == nil { return await send(posts) }
            try await send(try await list())
        } catch LibraryError.nothingStored, LibraryError.listNotStored {
            // The refresh may add posts, or reports an error.
            send(.rows([], isEnd: true, list: number))
        } catch {
            send(.listFailed(Failure(error).message ?? "", list: number))
        }
    }

    private func send(_ list: PostList) async throws {
        var (rows, sent, requested) = ([ListRow](), 0, 0)
        func flush(isEnd: Bool) {
            sent += rows.count
            send(.rows(rows, isEnd: isEnd, list: number))
            started.put([()])
            rows = []
        }
        for try await post in list.posts {
            while sent + rows.count >= requested {
                for count in await requests.take() {
                    guard let count else { return }
                    requested = max(requested, count)
                }
            }
            rows.append(row(post))
            // A small first batch fills the screen sooner.
            let size = sent == 0 ? Self.firstBatch : Self.batch
            if rows.count >= size || sent + rows.count >= requested { flush(isEnd: false) }
        }
        flush(isEnd: true)
    }

    private func row(_ post: StoredPost) -> ListRow {
        let presentation = session.presentation
        let group = post.group.map { presentation.heading($0, of: post.source) }
        return ListRow(post, source: presentation.title(of: post.source), group: group)
    }

    private func send(_ posts: [PostID]) async {
        var rows: [ListRow] = []
        for post in posts { rows.append(await Self.row(of: post, session)) }
        send(.rows(rows.filter(isShown), isEnd: true, list: number))
    }

    /// The row of a post that may not be stored.
    static func row(of post: PostID, _ session: Session) async -> ListRow {
        let stored = try? await session.library.reading.marked(post)
        return ListRow(
            post, stored?.metadata, fallbackTitle: session.shortIDs.text(post),
            source: session.presentation.title(of: post.source), state: stored?.state)
    }

    /// Whether a post of a list by IDs passes the filter.
    private func isShown(_ row: ListRow) -> Bool {
        let words = Folding.searchable(request.filter).split(separator: " ")
        let text = Folding.searchable("\(row.title) \(row.author)")
        guard words.allSatisfy({ text.contains($0) }) else { return false }
        switch request.show {
        case .asRequested, .all, .hidden: return true
        case .unread: return !row.isRead
        case .saved: return row.isSaved
        }
    }

    private static let firstBatch = 100
    private static let batch = 1000

    // MARK: Query

    private func list() async throws -> PostList {
        let (query, scope) = try Self.query(of: request, now: now)
        for typed in [request.search, request.filter].compactMap(\.self) {
            let typed = Search(typed)
            try await session.library.check(typed)
            if let notice = SearchCommand.notices(on: typed).first { send(.notice(notice)) }
        }
        guard !query.hasWords else { return try await session.library.search(query, in: scope) }
        return try await session.library.offline.list(query, in: scope)
    }

    /// The query and scope of a request.
    ///
    /// Throws ``LibraryError/badSearch(_:)`` or ``UsageError/nothingToSearch(_:)``.
    static func query(of request: ListRequest, now: Date) throws -> (Query, Scope) {
        guard case .query(var query, let scope) = request.posts else { return (Query(), request.scope) }
        let show = request.show
        if show != .asRequested {
            (query.filter.isUnread, query.filter.isSaved) = (show == .unread, show == .saved)
            query.filter.hidden = show == .hidden ? .only : .excluded
        }
        query.arrangement = request.arranged(query)
        if let search = request.search {
            query.section = nil
            try Search(search).narrow(&query, now: now)
        }
        let (words, field) = (query.words, query.searchField)
        query.searchField = nil
        try Search(request.filter).narrow(&query, now: now)
        if let words {
            query.within += query.search.map { [$0] } ?? []
            (query.words, query.searchField) = (words, field)
        }
        if let vain = query.searches.first(where: { $0.condition == nil }) {
            throw UsageError.nothingToSearch(vain.text)
        }
        query.hasSnippets = false
        return (query, scope)
    }
}
