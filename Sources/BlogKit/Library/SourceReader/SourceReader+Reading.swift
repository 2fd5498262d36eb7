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
    ///
    /// - Parameters:
    ///   - receive: receives a long body in chunks: from the server as it arrives, unless there is a stored copy to
    ///     fall back on, or from the store if it doesn't fit in memory. An error may still be thrown afterwards.
    ///   - isCompleteOnly: whether `receive` is called only for complete bodies from the store.
    func read(
        id: String, receive: TextReceiver? = nil, isCompleteOnly: Bool = false
    ) async throws -> ReadPost {
        if let itemSource { return try await readItem(id: id, from: itemSource) }
        let includesBodies = source.capabilities.includesBodies
        if includesBodies, freshness == .refresh { _ = try await refresh() }
        let metadata = try await metadata(id: id)
        let stored = try await store.body(id: id, of: sourceID)
        let reading = Reading(metadata: metadata, format: source.capabilities.bodyFormat, receive: receive)
        if let stored, includesBodies || stored.isCurrent && freshness != .refresh {
            return try await post(reading, stored, .store(fetchedAt: stored.fetchedAt))
        }
        guard !includesBodies else { throw SourceError.noBody(id: id, url) }
        if freshness == .offline {
            guard let stored else { throw LibraryError.postNotStored(id: id, url) }
            return try await post(reading, stored, .outdated(fetchedAt: stored.fetchedAt, because: nil))
        }
        do {
            return try await fetch(reading, stored, isCompleteOnly)
        } catch SourceError.noBody(let id, let url) {
            // The body may have moved since the metadata was stored.
            let current = try? await source.metadata(id: id)
            guard let current, current != metadata else { throw SourceError.noBody(id: id, url) }
            try await unlessBusy { try await store.store(current, of: sourceID, at: now()) }
            return try await fetch(
                Reading(metadata: current, format: reading.format, receive: receive), stored, isCompleteOnly)
        } catch let error as any FetchError {
            guard let stored else { throw unreachable(error) }
            return try await post(reading, stored, .outdated(fetchedAt: stored.fetchedAt, because: error))
        }
    }

    /// Fetches the current body and stores it, unless the store is busy.
    private func fetch(_ reading: Reading, _ stored: StoredBody?, _ isCompleteOnly: Bool) async throws -> ReadPost {
        let metadata = reading.metadata
        let early = stored == nil && !isCompleteOnly ? reading.receive : nil
        let body = try await body(of: metadata, stored, early)
        let isKept = try await unlessBusy { try await store.store(body, ofPost: metadata.id, of: sourceID) }
        let origin: ReadPost.Origin = isKept ? .server : .serverNotStored
        switch body.content {
        case .text(let text): return reading.post(text, origin)
        case .staged where early != nil: return reading.post("", origin, wasStreamed: true)
        case .staged(let staged):
            let isInMemory = await store.notice != nil
            if isKept, !isInMemory, let kept = try await store.body(id: metadata.id, of: sourceID) {
                return try await post(reading, kept, origin)
            }
            // A body that couldn't be stored is read from its temporary file.
            var offset = 0
            return try await reading.post(origin) { try staged.part(at: &offset) }
        case .unchanged:
            guard let stored else { return reading.post("", origin) }
            return try await post(reading, stored, origin)
        }
    }

    /// The post with a stored body, which is streamed if it is long.
    private func post(_ reading: Reading, _ stored: StoredBody, _ origin: ReadPost.Origin) async throws -> ReadPost {
        guard let parts = stored.parts else { return reading.post(stored.text, origin) }
        guard let number = try await store.openParts(parts) else {
            // Another process has just replaced the body.
            return reading.post(try await store.body(id: reading.metadata.id, of: sourceID)?.text ?? "", origin)
        }
        do {
            return try await reading.post(origin) { try await store.nextPart(number) }
        } catch {
            await store.closeParts(number)
            throw error
        }
    }

    /// Fetches a body with a conditional request.
    ///
    /// - Parameter show: receives the text as it arrives.
    func body(
        of metadata: PostMetadata, _ stored: StoredBody?, _ show: TextReceiver? = nil
    ) async throws -> FetchedBody {
        let now = now()
        let isOld = stored.map { now >= $0.fetchedAt.addingTimeInterval(Politeness.validatorLifetime) } ?? true
        let validators = freshness == .refresh || isOld ? nil : stored?.validators
        let response = try await source.body(
            of: metadata, validators: validators?.isEmpty == false ? validators : nil, isShown: show != nil)
        let content =
            if let chunks = response.nextChunk {
                try await collect(chunks, of: metadata, show)
            } else { BodyContent.unchanged }
        return FetchedBody(
            content: content, format: source.capabilities.bodyFormat, fetchedAt: now, metadata: metadata,
            validators: response.validators)
    }

    /// Collects a body while it arrives; each chunk is shown while the next one is read.
    private func collect(
        _ nextChunk: @escaping @Sendable () async throws -> String?, of metadata: PostMetadata, _ show: TextReceiver?
    ) async throws -> BodyContent {
        var body = BodyBuffer()
        guard let show else {
            // Most bodies are complete by now, and a task would cost more than the rest of the work.
            while let chunk = try await nextChunk() { try body.append(chunk) }
            return try body.finish()
        }
        var chunk = try await nextChunk()
        while let current = chunk {
            async let next = nextChunk()
            async let shown: Void = show(metadata, current)
            try body.append(current)
            try await shown
            chunk = try await next
        }
        return try body.finish()
    }

    private func metadata(id: String) async throws -> PostMetadata {
        if let stored = try await store.metadata(id: id, of: sourceID) { return stored }
        guard freshness != .offline else { throw LibraryError.postNotStored(id: id, url) }
        do {
            let metadata = try await source.metadata(id: id)
            try await unlessBusy { try await store.store(metadata, of: sourceID, at: now()) }
            return metadata
        } catch let error as HTTPError {
            throw unreachable(error)
        }
    }
}

/// A post that is being read, and the receiver of its text.
private struct Reading {
    let metadata: PostMetadata
    let format: BodyFormat?
    let receive: TextReceiver?

    func post(_ text: String, _ origin: ReadPost.Origin, wasStreamed: Bool = false) -> ReadPost {
        ReadPost(metadata, body: text, format, origin, wasStreamed: wasStreamed)
    }

    /// The post with a text in parts, which go to the receiver if there is one.
    func post(_ origin: ReadPost.Origin, nextPart: () async throws -> String?) async throws -> ReadPost {
        var text = ""
        while let part = try await nextPart() {
            if let receive { try await receive(metadata, part) } else { text += part }
        }
        return post(text, origin, wasStreamed: receive != nil)
    }
}
