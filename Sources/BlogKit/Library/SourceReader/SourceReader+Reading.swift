import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

extension SourceReader {
    /// Reads a post with its body.
    ///
    /// This takes one request if the metadata is stored, and none if the body is stored too.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` for an unknown id, ``LibraryError/unreachable(_:)`` or
    /// ``LibraryError/postNotStored(id:_:)`` if it can't be fetched now, or an ``HTTPError``, ``SourceError`` or
    /// ``StoreError``.
    func read(id: String) async throws -> ReadPost {
        if let itemSource { return try await readItem(id: id, from: itemSource) }
        let includesBodies = source.capabilities.includesBodies
        if includesBodies, freshness == .refresh { _ = try await refresh() }
        let metadata = try await metadata(id: id)
        let stored = try await store.body(id: id, of: sourceID)
        if let stored, includesBodies || stored.isCurrent && freshness != .refresh {
            return try await post(metadata, stored, .store(fetchedAt: stored.fetchedAt))
        }
        guard !includesBodies else { throw SourceError.noBody(id: id, url) }
        if freshness == .offline {
            guard let stored else { throw LibraryError.postNotStored(id: id, url) }
            return try await post(metadata, stored, .outdated(fetchedAt: stored.fetchedAt, because: nil))
        }
        do {
            return try await fetch(metadata, stored)
        } catch SourceError.noBody(let id, let url) {
            // The body may have moved since the metadata was stored.
            let current = try? await source.metadata(id: id)
            guard let current, current != metadata else { throw SourceError.noBody(id: id, url) }
            try await writeIfFree { try await store.store(current, of: sourceID, at: now()) }
            return try await fetch(current, stored)
        } catch let error as any FetchError {
            guard let stored else { throw unreachable(error) }
            return try await post(metadata, stored, .outdated(fetchedAt: stored.fetchedAt, because: error))
        }
    }

    /// Fetches the current body and stores it, unless the store is busy.
    private func fetch(_ metadata: PostMetadata, _ stored: StoredBody?) async throws -> ReadPost {
        let body = try await body(of: metadata, stored)
        let isStored = try await writeIfFree { try await store.store(body, ofPost: metadata.id, of: sourceID) }
        let origin: ReadPost.Origin = isStored ? .server : .serverNotStored
        if case .unchanged = body.content, let stored { return try await post(metadata, stored, origin) }
        // A long body is read from its temporary file, as it may not have been stored.
        return ReadPost(metadata, body.content, body.format, origin)
    }

    /// The post with a stored body.
    private func post(
        _ metadata: PostMetadata, _ stored: StoredBody, _ origin: ReadPost.Origin
    ) async throws -> ReadPost {
        var content = try await store.content(of: stored)
        if content == nil { content = .text(try await store.body(id: metadata.id, of: sourceID)?.text ?? "") }
        return ReadPost(metadata, content ?? .unchanged, source.capabilities.bodyFormat, origin)
    }

    /// Fetches a body with a conditional request.
    func body(of metadata: PostMetadata, _ stored: StoredBody?) async throws -> FetchedBody {
        let now = now()
        let isOld = stored.map { now >= $0.fetchedAt.addingTimeInterval(Politeness.validatorLifetime) } ?? true
        let validators = freshness == .refresh || isOld ? nil : stored?.validators
        let response = try await source.body(
            of: metadata, validators: validators?.isEmpty == false ? validators : nil)
        return FetchedBody(
            content: response.content, format: source.capabilities.bodyFormat, fetchedAt: now, metadata: metadata,
            validators: response.validators)
    }

    private func metadata(id: String) async throws -> PostMetadata {
        if let stored = try await store.metadata(id: id, of: sourceID) { return stored }
        guard freshness != .offline else { throw LibraryError.postNotStored(id: id, url) }
        do {
            let metadata = try await source.metadata(id: id)
            try await writeIfFree { try await store.store(metadata, of: sourceID, at: now()) }
            return metadata
        } catch let error as HTTPError {
            throw unreachable(error)
        }
    }
}
