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
        let (list, mark) = try await answer(of: source, memory, validatedAt: known?.validatedAt)
        guard let list else {
            if let known { try await store.confirm(known, mark: mark) }
            return RefreshReport(.unchanged)
        }
        guard !list.records.isEmpty || list.rejected.isEmpty else {
            throw SourceError.nothingUsable(url, list.rejected)
        }
        // A list with flaws is decoded again next time, so that its warnings don't fall silent.
        let remembered = list.isFlawed ? mark.withoutValidators : mark
        let changes = try await store.store(
            list.records, unread: list.rejected.map(\.id), of: address, mark: remembered)
        return RefreshReport(
            .stored(
                new: changes.new, updated: changes.updated, unchanged: changes.unchanged, delisted: changes.delisted),
            rejected: list.rejected, duplicateIDs: list.duplicateIDs)
    }

    /// What a source lists, nil where that is what is stored, and what to remember of the answer, whose bytes are gone
    /// with this: before the records are stored.
    private func answer(
        of source: any ListSource, _ memory: (validators: CacheValidators?, digest: String?)?, validatedAt: Date?
    ) async throws -> (DecodedList?, RefreshMark) {
        let answer = try await source.list(validators: memory?.validators)
        func mark(_ digest: String?, validatedAt: Date? = nil) -> RefreshMark {
            RefreshMark(
                validators: answer.validators, digest: digest, refreshedAt: now(), maxAge: answer.maxAge,
                validatedAt: validatedAt)
        }
        guard let content = answer.content else { return (nil, mark(memory?.digest, validatedAt: validatedAt)) }
        let remembered = mark(content.digest)
        return (memory?.digest == content.digest ? nil : try await content.decode(), remembered)
    }

    func unreachable(_ error: any Error) -> any Error {
        guard let error = error as? HTTPError, error.isUnreachable else { return error }
        return ReaderError.unreachable(error)
    }
}
