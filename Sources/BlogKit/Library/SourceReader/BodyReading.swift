import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Reads posts whose metadata is listed, and fetches their bodies.
struct BodyReading: Sendable {
    let connection: SourceConnection
    let source: any Source

    private var store: PostStore { connection.store }

    func read(id: String) async throws -> ReadResult {
        let includesBodies = source.capabilities.includesBodies
        var failure: (any Error)?
        if includesBodies, connection.freshness == .refresh {
            failure = try await ListRefresh(connection: connection, source: source).refresh().failure
        }
        let metadata = try await metadata(id: id)
        let stored = try await store.read { try Bodies($0).find(id, of: connection.sourceID) }
        if let stored, includesBodies || stored.isCurrent && connection.freshness != .refresh {
            let fetchedAt = stored.fetchedAt
            return post(
                metadata, stored,
                failure.map { .outdated(fetchedAt: fetchedAt, because: $0) } ?? .store(fetchedAt: fetchedAt))
        }
        guard !includesBodies else { throw SourceError.noBody(id: id, connection.url) }
        if connection.freshness == .offline {
            guard let stored else { throw LibraryError.postNotStored(id: id, connection.url) }
            return post(metadata, stored, .outdated(fetchedAt: stored.fetchedAt, because: nil))
        }
        do {
            return try await fetch(metadata, stored)
        } catch SourceError.noBody(let id, let url) {
            // The body may have moved since the metadata was stored.
            let current = try? await source.metadata(id: id)
            guard let current, current != metadata else { throw SourceError.noBody(id: id, url) }
            try await store.writeUnlessLocked {
                try Posts($0).save(current, of: connection.sourceID, at: connection.now())
            }
            return try await fetch(current, stored)
        } catch let error as any FetchError {
            guard let stored else { throw connection.unreachable(error) }
            return post(metadata, stored, .outdated(fetchedAt: stored.fetchedAt, because: error))
        }
    }

    /// Fetches the current body and stores it, unless the store is busy.
    private func fetch(_ metadata: PostMetadata, _ stored: StoredBody?) async throws -> ReadResult {
        let body = try await body(of: metadata, stored)
        let isStored = try await store.writeUnlessLocked {
            try Bodies($0).save([(metadata.id, body)], of: connection.sourceID)
        }
        let origin: ReadResult.Origin = isStored ? .server : .serverNotStored
        guard case .text(let text) = body.content else {
            return post(metadata, stored, origin)
        }
        return ReadResult(metadata, text, body.format, origin)
    }

    /// The post with a stored body.
    private func post(_ metadata: PostMetadata, _ stored: StoredBody?, _ origin: ReadResult.Origin) -> ReadResult {
        ReadResult(metadata, stored?.text ?? "", stored?.format ?? source.capabilities.bodyFormat, origin)
    }

    /// Fetches a body with a conditional request.
    func body(of metadata: PostMetadata, _ stored: StoredBody?) async throws -> FetchedBody {
        let now = connection.now()
        let isOld = stored.map { now >= $0.fetchedAt.addingTimeInterval(Politeness.validatorLifetime) } ?? true
        let validators = connection.freshness == .refresh || isOld ? nil : stored?.validators
        let response = try await source.body(
            of: metadata, validators: validators?.isEmpty == false ? validators : nil)
        return FetchedBody(
            content: response.content, format: source.capabilities.bodyFormat, fetchedAt: now,
            metadata: metadata,
            validators: response.validators)
    }

    private func metadata(id: String) async throws -> PostMetadata {
        if let stored = try await store.read({ try Posts($0).metadata(id, of: connection.sourceID) }) { return stored }
        guard connection.freshness != .offline else { throw LibraryError.postNotStored(id: id, connection.url) }
        do {
            let metadata = try await source.metadata(id: id)
            try await store.writeUnlessLocked {
                try Posts($0).save(metadata, of: connection.sourceID, at: connection.now())
            }
            return metadata
        } catch let error as HTTPError {
            throw connection.unreachable(error)
        }
    }
}
