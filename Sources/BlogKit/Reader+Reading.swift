import Foundation

extension Reader {
    /// A post whole.
    ///
    /// With its metadata stored, this costs one request, or none where its body is stored too.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` for an unknown id, ``ReaderError/unreachable(_:)`` or
    /// ``ReaderError/postNotStored(id:_:)`` where it can't be had now, or an ``HTTPError``, ``SourceError`` or
    /// ``StoreError``.
    ///
    /// - Parameter arriving: gets the body's first lines while the rest is still under way, where the source can tell and
    ///   nothing is stored to fall back on. After that, an error may still be thrown.
    public func read(id: String, arriving: TextReceiver? = nil) async throws -> ReadPost {
        switch source {
        case .list(let source): try await read(id: id, from: source, arriving)
        case .items(let source): try await readItem(id: id, from: source)
        }
    }

    private func read(
        id: String, from source: any ListSource, _ arriving: TextReceiver?
    ) async throws -> ReadPost {
        let metadata = try await metadata(id: id, from: source)
        let stored = try await store.body(id: id, of: address)
        func answer(_ body: String, _ origin: ReadPost.Origin) -> ReadPost {
            ReadPost(
                post: Post(id: metadata.postId, metadata: metadata, body: body, bodyFormat: source.bodyFormat),
                origin: origin)
        }
        if let stored, stored.isCurrent, freshness != .refresh {
            return answer(stored.text, .store(fetchedAt: stored.fetchedAt))
        }
        if freshness == .offline {
            guard let stored else { throw ReaderError.postNotStored(id: id, url) }
            return answer(stored.text, .outdated(fetchedAt: stored.fetchedAt, because: nil))
        }
        do {
            return try await fetch(metadata, stored, source, stored == nil ? arriving : nil)
        } catch SourceError.noBody(let id, let url) {
            // The body may have moved since the metadata was stored.
            let current = try? await source.metadata(id: id)
            guard let current, current != metadata else { throw SourceError.noBody(id: id, url) }
            try await keep { try await store.store(current, of: address, at: now()) }
            return try await fetch(current, stored, source)
        } catch let error where error is HTTPError || error is SourceError {
            guard let stored else { throw unreachable(error) }
            return answer(stored.text, .outdated(fetchedAt: stored.fetchedAt, because: error))
        }
    }

    /// A body as the source has it now, stored unless somebody else is storing for too long.
    private func fetch(
        _ metadata: PostMetadata, _ stored: StoredBody?, _ source: any ListSource, _ arriving: TextReceiver? = nil
    ) async throws -> ReadPost {
        let body = try await body(of: metadata, stored, from: source, arriving)
        let isKept = try await keep { try await store.store(body, ofPost: metadata.id, of: address) }
        let post = Post(
            id: metadata.postId, metadata: metadata, body: body.text, bodyFormat: source.bodyFormat)
        return ReadPost(post: post, origin: isKept ? .server : .serverUnkept)
    }

    /// Stores something that is shown in any case; whether it could be.
    @discardableResult
    func keep(_ store: () async throws -> Void) async throws -> Bool {
        do {
            try await store()
            return true
        } catch let error as StoreError where error.reason == .busy {
            return false
        }
    }

    /// A body as the source has it now; one that it has not changed is not sent again.
    func body(
        of metadata: PostMetadata, _ stored: StoredBody?, from source: any ListSource, _ arriving: TextReceiver? = nil
    ) async throws -> FetchedBody {
        let now = now()
        let known = freshness == .refresh ? nil : stored
        let isUsable = known.map { now < $0.fetchedAt.addingTimeInterval(CacheValidators.longestUse) } ?? false
        let validators = isUsable ? known?.validators : nil
        let answer = try await source.body(
            of: metadata, validators: validators?.isEmpty == false ? validators : nil, arriving: arriving)
        return FetchedBody(
            text: answer.text ?? stored?.text ?? "", fetchedAt: now, metadata: metadata, validators: answer.validators)
    }

    private func metadata(id: String, from source: any ListSource) async throws -> PostMetadata {
        if let stored = try await store.metadata(id: id, of: address) { return stored }
        guard freshness != .offline else { throw ReaderError.postNotStored(id: id, url) }
        do {
            let metadata = try await source.metadata(id: id)
            try await keep { try await store.store(metadata, of: address, at: now()) }
            return metadata
        } catch let error as HTTPError {
            throw unreachable(error)
        }
    }
}
