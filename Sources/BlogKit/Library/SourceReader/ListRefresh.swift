import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Refreshes the list of a source.
struct ListRefresh: Sendable {
    let connection: SourceConnection
    let source: any Source

    private var store: PostStore { connection.store }

    /// Fetches the source's list and stores it.
    ///
    /// With a stored list, a failure is part of the report.
    ///
    /// - Parameter respectsMaxAge: whether to skip the request while the list is fresh.
    func refresh(respectsMaxAge: Bool = true) async throws -> RefreshReport {
        let stored = try await store.read { try Sources($0).find(connection.sourceID) }
        if connection.freshness == .offline {
            guard let stored else { throw LibraryError.nothingStored(connection.url) }
            guard stored.hasList else {
                throw try await store.read { try Sources($0).hasPosts(stored) }
                    ? LibraryError.listNotStored(connection.url) : .nothingStored(connection.url)
            }
            return RefreshReport(.offline(storedAt: stored.refreshedAt))
        }
        if respectsMaxAge, connection.freshness == .normal, let stored, let refreshedAt = stored.refreshedAt,
            let until = stored.currentUntil, connection.now().isBetween(refreshedAt, and: until)
        {
            return RefreshReport(.stillCurrent(storedAt: refreshedAt))
        }
        return try await connection.recording(
            hasCopy: stored?.hasList == true, storedAt: stored?.refreshedAt
        ) { try await request(stored) }
    }

    private func request(_ stored: StoredSource?) async throws -> RefreshReport {
        let memory = stored?.memory(at: connection.now())
        let since = stored.map { stored in
            Checkpoint(validators: memory?.validators ?? CacheValidators(), digest: memory?.digest) {
                [store, connection] in
                await store.entries(of: stored, at: connection.now())
            }
        }
        func mark(_ checkpoint: Checkpoint, validatedAt: Date? = nil) -> RefreshMark {
            let now = connection.now()
            return RefreshMark(
                checkpoint, refreshedAt: now, validatedAt: validatedAt,
                dueAt: connection.dueDate(
                    after: now, maxAge: checkpoint.maxAge, timeToLive: checkpoint.timeToLive, every: stored?.every))
        }
        switch try await source.refresh(nil, since: since) {
        case .unchanged(let checkpoint, let wasSent):
            let mark = mark(checkpoint, validatedAt: wasSent ? nil : stored?.validatedAt)
            if let stored { try await store.writeIfFree { try Sources($0).confirm(stored, mark: mark) } }
            try await adoptMove(checkpoint)
            return RefreshReport(.unchanged)
        case .entries(let entries, let coverage, let checkpoint):
            // The domain may have a new owner.
            let moved = stored?.newHost(checkpoint).map { SourceError.movedElsewhere(connection.url, to: $0) }
            let list = try await store.storeList(
                of: connection.sourceID, coverage, mark: mark(checkpoint),
                CheckedEntries(entries, of: connection.url), ifUnknown: moved)
            if list.changes.unchanged + list.changes.updated > 0 {
                try await adoptMove(checkpoint)
            } else if stored?.posts ?? 0 > 0, checkpoint.movedTo != nil {
                // None of its entries are stored yet: next time they would be, although it may not be the same source.
                try await store.writeIfFree { try Sources($0).doubtMove(of: connection.sourceID) }
            }
            var report = RefreshReport(.stored(list.changes), list.flaws)
            report.older = checkpoint.older
            return report
        case .ranking:
            return RefreshReport(.unchanged)
        }
    }

    /// Moves the source to its new address if its server has named it for long enough and the same source is there,
    /// unless the move would select a login.
    private func adoptMove(_ checkpoint: Checkpoint) async throws {
        guard let moved = checkpoint.movedTo.flatMap({ URL(address: $0) }), source.mayMove(to: moved) else {
            return
        }
        _ = try await store.write { try Sources($0).adoptMove(of: connection.sourceID, at: connection.now()) }
    }
}

extension StoredSource {
    /// The address that the server of a list names for good, if that is on another host, and no list came from there
    /// before; nil for any other list.
    func newHost(_ checkpoint: Checkpoint) -> URL? {
        guard posts > 0, let new = checkpoint.movedTo.flatMap({ URL(address: $0) }) else { return nil }
        func site(_ url: URL) -> String? { url.host?.lowercased().withoutWWW }
        let known = [id.address, movedTo].compactMap { $0 }.compactMap { URL(address: $0).flatMap(site) }
        return site(new).map(known.contains) == true ? nil : new
    }

    /// The validators and the digest, unless they are too old.
    func memory(at now: Date) -> (validators: CacheValidators, digest: String?)? {
        guard let validatedAt, now.isBetween(validatedAt, and: validatedAt + Politeness.validatorLifetime) else {
            return nil
        }
        return (validators, digest)
    }
}
