import Foundation

extension Reader {
    /// Asks the source for its list and stores it, even where the stored list stays current for a while.
    ///
    /// Throws what ``list(_:)`` throws.
    public func check() async throws -> RefreshReport {
        switch source {
        case .list(let source): try await refresh(from: source, heedsAge: false)
        case .items(let source): try await refreshRanking(of: type(of: source).sections[0], from: source).report
        }
    }

    /// Asks the source what it lists now and stores it.
    ///
    /// A failure is part of the report where a list is stored.
    ///
    /// - Parameter heedsAge: whether a list that the server said stays current is not asked for.
    func refresh(from source: any ListSource, heedsAge: Bool = true) async throws -> RefreshReport {
        let known = try await store.blog(address)
        if freshness == .offline {
            guard let known, known.hasList else { throw ReaderError.nothingStored(url) }
            return RefreshReport(.notAsked(storedAt: known.refreshedAt))
        }
        if heedsAge, freshness == .normal, let known, let refreshedAt = known.refreshedAt,
            let until = known.currentUntil,
            (refreshedAt..<max(until, refreshedAt)).contains(now())
        {
            return RefreshReport(.stillCurrent(storedAt: refreshedAt))
        }
        do {
            return try await ask(known, source)
        } catch let error where error is HTTPError || error is SourceError {
            guard let known, known.hasList else { throw unreachable(error) }
            let isUnreachable = (error as? HTTPError)?.isUnreachable == true
            try await store.note(isUnreachable ? .unreachable : .failed, of: address, at: now())
            return RefreshReport(.failed(error, storedAt: known.refreshedAt))
        } catch let error as StoreError where error.reason == .busy {
            guard let known, known.hasList else { throw error }
            return RefreshReport(.failed(error, storedAt: known.refreshedAt))
        }
    }

    private func ask(_ known: BlogRecord?, _ source: any ListSource) async throws -> RefreshReport {
        let memory = freshness == .refresh ? nil : known?.memory(at: now())
        let answer = try await source.list(validators: memory?.validators)
        func mark(_ digest: String?, validatedAt: Date? = nil) -> RefreshMark {
            RefreshMark(
                validators: answer.validators, digest: digest, refreshedAt: now(), maxAge: answer.maxAge,
                validatedAt: validatedAt)
        }
        guard let content = answer.content else {
            if let known {
                try await store.confirm(known, mark: mark(memory?.digest, validatedAt: known.validatedAt))
            }
            return RefreshReport(.unchanged)
        }
        if let known, let digest = memory?.digest, digest == content.digest {
            try await store.confirm(known, mark: mark(digest))
            return RefreshReport(.unchanged)
        }
        let list = try await content.decode()
        guard !list.records.isEmpty || list.rejected.isEmpty else {
            throw SourceError.nothingUsable(url, list.rejected)
        }
        // A list with flaws is decoded again next time, so that its warnings don't fall silent.
        let remembered = list.isFlawed ? mark(nil).withoutValidators : mark(content.digest)
        let changes = try await store.store(
            list.records, unread: list.rejected.map(\.id), of: address, mark: remembered)
        return RefreshReport(
            .stored(
                new: changes.new, updated: changes.updated, unchanged: changes.unchanged, delisted: changes.delisted),
            rejected: list.rejected, duplicateIDs: list.duplicateIDs)
    }

    func unreachable(_ error: any Error) -> any Error {
        guard let error = error as? HTTPError, error.isUnreachable else { return error }
        return ReaderError.unreachable(error)
    }
}
