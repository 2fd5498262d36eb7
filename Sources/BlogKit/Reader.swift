import Foundation

/// The face of the library: answers queries about one source, reads its posts, and keeps all it sees.
///
/// Every list is a query to the store, refreshed from the source just before; a body is fetched only when it is asked
/// for. This is the only file where the stages of the program meet.
public struct Reader: Sendable {
    private let source: any BlogSource
    private let store: PostStore
    private let address: BlogAddress
    private let freshness: Freshness
    private let now: @Sendable () -> Date

    /// A reader of one source.
    ///
    /// Throws ``ReaderError/unknownSource(_:known:)``, ``ReaderError/badAddress(_:)`` or a ``StoreError``.
    ///
    /// - Parameters:
    ///   - source: the source's name; nil for the default, the blog API.
    ///   - address: the http or https address to ask; nil for the source's own.
    ///   - storePath: the file that keeps what is seen; made where there is none.
    ///   - timeout: how long a server may be silent, in seconds.
    ///   - observer: is told what requests are doing.
    public init(
        source: String? = nil, address: String? = nil, storePath: String, freshness: Freshness = .normal,
        timeout: TimeInterval = 30, observer: @escaping HTTPObserver = { _ in }
    ) throws {
        let name = source ?? SourceRegistry.entries[0].name
        guard let entry = SourceRegistry.entry(named: name) else {
            throw ReaderError.unknownSource(name, known: SourceRegistry.entries.map(\.name))
        }
        let text = address ?? entry.defaultAddress
        guard let url = SourceAddress.url(text) else { throw ReaderError.badAddress(text) }
        let client = HTTPClient(transport: URLSessionTransport(), timeout: timeout, observer: observer)
        self.init(
            source: entry.make(url, client), name: name, store: try PostStore(path: storePath), freshness: freshness)
    }

    package init(
        source: any BlogSource, name: String, store: PostStore, freshness: Freshness = .normal,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.source = source
        self.store = store
        self.address = BlogAddress(source: name, address: source.address.absoluteString)
        self.freshness = freshness
        self.now = now
    }

    /// The address that is asked.
    public var url: URL { source.address }

    /// Why nothing more is kept; nil as long as it is.
    public var storeNotice: StoreNotice? {
        get async { await store.notice }
    }

    /// The posts that a query asks for, after the list was refreshed.
    ///
    /// Throws ``ReaderError/unreachable(_:)`` or ``ReaderError/nothingStored(_:)`` where there is nothing to show, an
    /// ``HTTPError`` or ``SourceError`` where the server failed and nothing is stored, or a ``StoreError``.
    public func list(_ query: Query) async throws -> PostList {
        let refresh = try await refresh()
        guard let blog = try await store.blog(address) else { throw ReaderError.nothingStored(url) }
        let (cursor, groups) = try await store.openList(query, of: blog)
        return PostList(refresh: refresh, groups: groups, posts: PostList.Posts(store: store, cursor: cursor))
    }

    /// The names of all authors in the stored list, in no order.
    public func authors() async throws -> [String] {
        guard let blog = try await store.blog(address) else { return [] }
        return try await store.authors(of: blog)
    }

    /// A post whole.
    ///
    /// With its metadata stored, this costs one request, or none where its body is stored too.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` for an unknown id, ``ReaderError/unreachable(_:)`` or
    /// ``ReaderError/postNotStored(id:_:)`` where it can't be had now, or an ``HTTPError``, ``SourceError`` or
    /// ``StoreError``.
    public func read(id: String) async throws -> ReadPost {
        let metadata = try await metadata(id: id)
        let stored = try await store.body(id: id, of: address)
        func answer(_ body: String, _ origin: ReadPost.Origin) -> ReadPost {
            ReadPost(post: Post(id: metadata.postId, metadata: metadata, body: body), origin: origin)
        }
        if let stored, stored.isCurrent, freshness != .refresh {
            return answer(stored.text, .store(fetchedAt: stored.fetchedAt))
        }
        if freshness == .offline {
            guard let stored else { throw ReaderError.postNotStored(id: id, url) }
            return answer(stored.text, .outdated(fetchedAt: stored.fetchedAt, because: nil))
        }
        do {
            let post = try await source.post(for: metadata)
            try await store.store(post.body, ofPost: id, of: address, fetchedAt: now())
            return answer(post.body, .server)
        } catch let error where error is HTTPError || error is SourceError {
            guard let stored else { throw unreachable(error) }
            return answer(stored.text, .outdated(fetchedAt: stored.fetchedAt, because: error))
        }
    }

    private func metadata(id: String) async throws -> PostMetadata {
        if let stored = try await store.metadata(id: id, of: address) { return stored }
        guard freshness != .offline else { throw ReaderError.postNotStored(id: id, url) }
        do {
            let metadata = try await source.metadata(id: id)
            try await store.store(metadata, of: address)
            return metadata
        } catch let error as HTTPError {
            throw unreachable(error)
        }
    }

    /// Asks the source what it lists now and stores it.
    ///
    /// A failure is part of the report where a list is stored.
    private func refresh() async throws -> RefreshReport {
        let known = try await store.blog(address)
        if freshness == .offline {
            guard let known else { throw ReaderError.nothingStored(url) }
            return RefreshReport(.notAsked(storedAt: known.refreshedAt))
        }
        if freshness == .normal, let known, let refreshedAt = known.refreshedAt, let until = known.currentUntil,
            (refreshedAt..<max(until, refreshedAt)).contains(now())
        {
            return RefreshReport(.stillCurrent(storedAt: refreshedAt))
        }
        do {
            return try await ask(known)
        } catch let error where error is HTTPError || error is SourceError {
            guard let known else { throw unreachable(error) }
            return RefreshReport(.failed(error, storedAt: known.refreshedAt))
        }
    }

    private func ask(_ known: BlogRecord?) async throws -> RefreshReport {
        let known = freshness == .refresh ? nil : known
        let answer = try await source.list(validators: known?.validators)
        func mark(_ digest: String?) -> RefreshMark {
            RefreshMark(validators: answer.validators, digest: digest, refreshedAt: now(), maxAge: answer.maxAge)
        }
        guard let content = answer.content else {
            try await store.confirm(address, mark: mark(known?.digest))
            return RefreshReport(.unchanged)
        }
        if let digest = known?.digest, digest == content.digest {
            try await store.confirm(address, mark: mark(digest))
            return RefreshReport(.unchanged)
        }
        let list = try content.decode()
        guard !list.records.isEmpty || list.rejected.isEmpty else {
            throw SourceError.nothingUsable(url, list.rejected)
        }
        // A list with flaws is decoded again next time, so that its warnings don't fall silent.
        let remembered = list.isFlawed ? mark(nil).withoutValidators : mark(content.digest)
        let changes = try await store.store(list.records, of: address, mark: remembered)
        return RefreshReport(
            .stored(
                new: changes.new, updated: changes.updated, unchanged: changes.unchanged, delisted: changes.delisted),
            rejected: list.rejected, duplicateIDs: list.duplicateIDs)
    }

    private func unreachable(_ error: any Error) -> any Error {
        guard let error = error as? HTTPError, error.isUnreachable else { return error }
        return ReaderError.unreachable(error)
    }
}
