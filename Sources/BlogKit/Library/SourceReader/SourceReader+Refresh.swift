import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

extension SourceReader {
    /// Fetches the source's list and stores it.
    ///
    /// With a stored list, a failure is part of the report.
    ///
    /// - Parameter respectsMaxAge: whether to skip the request while the list is fresh.
    func refresh(respectsMaxAge: Bool = true) async throws -> RefreshReport {
        let stored = try await store.source(sourceID)
        if freshness == .offline {
            guard let stored else { throw LibraryError.nothingStored(url) }
            guard stored.hasList else {
                throw try await store.hasPosts(of: stored) ? LibraryError.listNotStored(url) : .nothingStored(url)
            }
            return RefreshReport(.offline(storedAt: stored.refreshedAt))
        }
        if respectsMaxAge, freshness == .normal, let stored, let refreshedAt = stored.refreshedAt,
            let until = stored.currentUntil, now().isBetween(refreshedAt, and: until)
        {
            return RefreshReport(.stillCurrent(storedAt: refreshedAt))
        }
        return try await requested(hasCopy: stored?.hasList == true, storedAt: stored?.refreshedAt) {
            do {
                return try await request(stored)
            } catch is StoreMoved {
                // The disk is full, and the store has moved to memory.
                return try await request(stored)
            }
        }
    }

    /// Requests a list and records the result; with a stored copy, a failure is part of the report.
    func requested(
        hasCopy: Bool, storedAt: Date?, _ request: () async throws -> RefreshReport
    ) async throws -> RefreshReport {
        do {
            let report = try await request()
            await store.forgetSilence(of: url.hostAndPort)
            return report
        } catch let error as any FetchError {
            try await note(error)
            guard hasCopy else { throw unreachable(error) }
            return RefreshReport(.failed(error, storedAt: storedAt))
        } catch let error as StoreError where error.reason == .busy {
            guard hasCopy else { throw error }
            return RefreshReport(.failed(error, storedAt: storedAt))
        }
    }

    private func request(_ stored: StoredSource?) async throws -> RefreshReport {
        let memory = freshness == .refresh ? nil : stored?.memory(at: now())
        let since = memory?.validators.map { Checkpoint(validators: $0, digest: memory?.digest) }
        func mark(_ checkpoint: Checkpoint, validatedAt: Date? = nil) -> RefreshMark {
            let now = now()
            return RefreshMark(
                checkpoint, refreshedAt: now, validatedAt: validatedAt,
                dueAt: Politeness.dueDate(
                    after: now, maxAge: checkpoint.maxAge, timeToLive: checkpoint.timeToLive))
        }
        switch try await source.refresh(nil, since: since) {
        case .unchanged(let checkpoint, let wasSent):
            let mark = mark(checkpoint, validatedAt: wasSent ? nil : stored?.validatedAt)
            if let stored { try await store.confirm(stored, mark: mark) }
            try await adoptMove(checkpoint)
            return RefreshReport(.unchanged)
        case .entries(let entries, let coverage, let checkpoint):
            let (checked, isNew) = (CheckedEntries(entries, of: url), stored?.posts ?? 0 == 0)
            let list = try await store.storeList(of: sourceID, coverage, mark: mark(checkpoint)) {
                try await checked.next().map { PreparedBatch($0.entries, rejected: $0.rejected, isNew: isNew) }
            }
            if list.changes.unchanged + list.changes.updated > 0 {
                try await adoptMove(checkpoint)
            } else if stored?.posts ?? 0 > 0, checkpoint.movedTo != nil {
                // None of its entries are stored yet: next time they would be, although it may not be the same source.
                try await store.doubtMove(of: sourceID)
            }
            return RefreshReport(.stored(list.changes), list.flaws)
        case .ranking:
            return RefreshReport(.unchanged)
        }
    }

    /// Moves the source to its new address if its server has named it for long enough and the same source is there,
    /// unless the move would select a login.
    private func adoptMove(_ checkpoint: Checkpoint) async throws {
        guard let moved = checkpoint.movedTo.flatMap({ URL(address: $0) }), source.mayMove(to: moved) else { return }
        _ = try await store.adoptMove(of: sourceID, at: now())
    }

    /// Records why the refresh failed, and for how long the source isn't requested.
    private func note(_ error: any FetchError) async throws {
        let problem = RefreshProblem(error)
        if problem != .unreachable { await store.forgetSilence(of: url.hostAndPort) }
        let now = now()
        try await store.note(problem, of: sourceID, at: now) {
            Politeness.suspension(after: error, failures: $0, at: now)
        }
    }

    func unreachable(_ error: any Error) -> any Error {
        guard let error = error as? HTTPError, error.isUnreachable else { return error }
        return LibraryError.unreachable(error)
    }
}

extension StoredSource {
    /// The validators and the digest, unless they are too old.
    func memory(at now: Date) -> (validators: CacheValidators?, digest: String?) {
        guard let validatedAt, now < validatedAt.addingTimeInterval(Politeness.validatorLifetime) else {
            return (nil, nil)
        }
        return (validators, digest)
    }
}

extension RefreshProblem {
    /// The kind of problem that an error is.
    package init(_ error: any Error) {
        switch error {
        case let error as HTTPError where error.isUnreachable: self = .unreachable
        case HTTPError.status(_, code: 410, _): self = .gone
        default: self = .failed
        }
    }
}
