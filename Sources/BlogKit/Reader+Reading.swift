import Foundation

extension Reader {
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
            let body = try await body(of: metadata, stored)
            try await store.store(body, ofPost: id, of: address)
            return answer(body.text, .server)
        } catch let error where error is HTTPError || error is SourceError {
            guard let stored else { throw unreachable(error) }
            return answer(stored.text, .outdated(fetchedAt: stored.fetchedAt, because: error))
        }
    }

    /// A body as the source has it now; one that it has not changed is not sent again.
    func body(of metadata: PostMetadata, _ stored: StoredBody?) async throws -> FetchedBody {
        let now = now()
        let known = freshness == .refresh ? nil : stored
        let isUsable = known.map { now < $0.fetchedAt.addingTimeInterval(CacheValidators.longestUse) } ?? false
        let validators = isUsable ? known?.validators : nil
        let answer = try await source.body(of: metadata, validators: validators?.isEmpty == false ? validators : nil)
        return FetchedBody(
            text: answer.text ?? stored?.text ?? "", fetchedAt: now, validators: answer.validators)
    }

    private func metadata(id: String) async throws -> PostMetadata {
        if let stored = try await store.metadata(id: id, of: address) { return stored }
        guard freshness != .offline else { throw ReaderError.postNotStored(id: id, url) }
        do {
            let metadata = try await source.metadata(id: id)
            try await store.store(metadata, of: address, at: now())
            return metadata
        } catch let error as HTTPError {
            throw unreachable(error)
        }
    }
}
