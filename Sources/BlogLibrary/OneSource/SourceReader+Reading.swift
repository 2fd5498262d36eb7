import Essentials
import HTTP
import Model
import Store

extension SourceReader {
    /// Reads a post with its body.
    ///
    /// If its metadata is stored, this takes one request, or none if its body is stored too.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` for an unknown id, ``LibraryError/unreachable(_:)`` or
    /// ``LibraryError/postNotStored(id:_:)`` if it can't be fetched now, or an ``HTTPError``, ``SourceError`` or
    /// ``StoreError``.
    ///
    /// - Parameter receive: gets the body's text in chunks where it takes long: of a post that the server sends, while
    ///   the rest is still arriving, unless another copy is stored to fall back on; of a stored one that is too long to
    ///   be held. After that, an error may still be thrown.
    /// - Parameter isCompleteOnly: whether `receive` gets only a body that has come whole, from the store.
    func read(
        id: String, receive: TextReceiver? = nil, isCompleteOnly: Bool = false
    ) async throws -> ReadPost {
        if let itemSource { return try await readItem(id: id, from: itemSource) }
        if source.capabilities.bodiesComeAlong, freshness == .refresh { _ = try await refresh() }
        let metadata = try await metadata(id: id)
        let stored = try await store.body(id: id, of: sourceID)
        let reading = Reading(metadata: metadata, format: source.capabilities.bodyFormat, receive: receive)
        if let stored, stored.isCurrent, freshness != .refresh {
            return try await post(reading, stored, .store(fetchedAt: stored.fetchedAt))
        }
        if source.capabilities.bodiesComeAlong {
            guard let stored else { throw SourceError.noBody(id: id, url) }
            return try await post(reading, stored, .store(fetchedAt: stored.fetchedAt))
        }
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
            try await storeUnlessBusy { try await store.store(current, of: sourceID, at: now()) }
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
        let isKept = try await storeUnlessBusy { try await store.store(body, ofPost: metadata.id, of: sourceID) }
        let origin: ReadPost.Origin = isKept ? .server : .serverUnkept
        switch body.content {
        case .text(let text): return reading.post(text, origin)
        case .staged where early != nil: return reading.post("", origin, wasGiven: true)
        case .staged(let staged):
            let isInMemory = await store.notice != nil
            if isKept, !isInMemory, let kept = try await store.body(id: metadata.id, of: sourceID) {
                return try await post(reading, kept, origin)
            }
            // A body that could not be stored is read from its temporary file.
            var place = 0
            return try await reading.post(origin) { try staged.part(at: &place) }
        case .unchanged:
            guard let stored else { return reading.post("", origin) }
            return try await post(reading, stored, origin)
        }
    }

    /// A post with a body that is stored, given in chunks if it is long.
    private func post(_ reading: Reading, _ stored: StoredBody, _ origin: ReadPost.Origin) async throws -> ReadPost {
        guard let parts = stored.parts else { return reading.post(stored.text, origin) }
        guard let number = try await store.openParts(parts) else {
            // Another process has just stored another body.
            return reading.post(try await store.body(id: reading.metadata.id, of: sourceID)?.text ?? "", origin)
        }
        do {
            return try await reading.post(origin) { try await store.nextPart(number) }
        } catch {
            await store.closeParts(number)
            throw error
        }
    }

    /// Stores something that is shown in any case; false if the store is busy.
    @discardableResult
    func storeUnlessBusy(_ store: () async throws -> Void) async throws -> Bool {
        do {
            try await store()
            return true
        } catch let error as StoreError where error.reason == .busy {
            return false
        }
    }

    /// Fetches a body with a conditional request.
    ///
    /// - Parameter show: gets the text as it comes.
    func body(
        of metadata: PostMetadata, _ stored: StoredBody?, _ show: TextReceiver? = nil
    ) async throws -> FetchedBody {
        let now = now()
        let known = freshness == .refresh ? nil : stored
        let isUsable = known.map { now < $0.fetchedAt.addingTimeInterval(CacheValidators.maxAge) } ?? false
        let validators = isUsable ? known?.validators : nil
        let response = try await source.body(
            of: metadata, validators: validators?.isEmpty == false ? validators : nil, isShown: show != nil)
        let content =
            if let text = response.text { try await collect(text, of: metadata, show) } else { BodyContent.unchanged }
        return FetchedBody(
            content: content, format: source.capabilities.bodyFormat, fetchedAt: now, metadata: metadata,
            validators: response.validators)
    }

    /// Receives a body while it arrives: a chunk is shown while the next one is extracted.
    private func collect(
        _ text: TextStream, of metadata: PostMetadata, _ show: TextReceiver?
    ) async throws -> BodyContent {
        let pieces = text.makeAsyncIterator()
        var body = BodyBuffer()
        guard let show else {
            // Most bodies are complete by now, and a task would cost more than the rest of the work.
            while let piece = try await pieces.next() { try body.append(piece) }
            return try body.finish()
        }
        var piece = try await pieces.next()
        while let current = piece {
            async let next = pieces.next()
            async let shown: Void = show(metadata, current)
            try body.append(current)
            try await shown
            piece = try await next
        }
        return try body.finish()
    }

    private func metadata(id: String) async throws -> PostMetadata {
        if let stored = try await store.metadata(id: id, of: sourceID) { return stored }
        guard freshness != .offline else { throw LibraryError.postNotStored(id: id, url) }
        do {
            let metadata = try await source.metadata(id: id)
            try await storeUnlessBusy { try await store.store(metadata, of: sourceID, at: now()) }
            return metadata
        } catch let error as HTTPError {
            throw unreachable(error)
        }
    }
}

/// A post that is being read, and who receives its text.
private struct Reading {
    let metadata: PostMetadata
    let format: BodyFormat?
    let receive: TextReceiver?

    /// The post with its whole text.
    func post(_ text: String, _ origin: ReadPost.Origin, wasGiven: Bool = false) -> ReadPost {
        ReadPost(metadata, body: text, format, origin, wasGiven: wasGiven)
    }

    /// The post whose text comes in parts, which go to the receiver if there is one.
    func post(_ origin: ReadPost.Origin, nextPart: () async throws -> String?) async throws -> ReadPost {
        var text = ""
        while let part = try await nextPart() {
            if let receive { try await receive(metadata, part) } else { text += part }
        }
        return post(text, origin, wasGiven: receive != nil)
    }
}
