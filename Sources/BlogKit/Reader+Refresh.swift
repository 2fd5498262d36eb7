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
            return try await request(known, source)
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

    private func request(_ known: BlogRecord?, _ source: any ListSource) async throws -> RefreshReport {
        do {
            return try await requestOnce(known, source)
        } catch is StoreMoved {
            // The disk is full, and the store is in memory now.
            return try await requestOnce(known, source)
        }
    }

    private func requestOnce(_ known: BlogRecord?, _ source: any ListSource) async throws -> RefreshReport {
        let memory = freshness == .refresh ? nil : known?.memory(at: now())
        let response = try await source.list(validators: memory?.validators)
        let isUnchanged = response.records == nil || response.digest != nil && response.digest == memory?.digest
        let mark = RefreshMark(
            validators: response.validators, digest: response.records == nil ? memory?.digest : response.digest,
            refreshedAt: now(), maxAge: response.maxAge,
            validatedAt: response.records == nil ? known?.validatedAt : nil)
        guard let records = response.records, !isUnchanged else {
            if let known { try await store.confirm(known, mark: mark) }
            return RefreshReport(.unchanged)
        }
        let checked = CheckedRecords(records, of: url, isNew: known?.posts ?? 0 == 0)
        let list = try await store.storeList(of: address, mark: mark) { try await checked.next() }
        let changes = list.changes
        return RefreshReport(
            .stored(
                new: changes.new, updated: changes.updated, unchanged: changes.unchanged, delisted: changes.delisted),
            rejected: list.rejected, rejectedCount: list.rejectedCount, duplicateIDs: list.duplicateIDs)
    }

    func unreachable(_ error: any Error) -> any Error {
        guard let error = error as? HTTPError, error.isUnreachable else { return error }
        return ReaderError.unreachable(error)
    }
}

/// The records of a list prepared for the store; a list of which no record can be read is refused.
private actor CheckedRecords {
    private let records: any RecordBatches
    private let url: URL
    private let isNew: Bool
    private var hasRecord = false
    private var rejected: [RejectedRecord] = []

    private static let maxRejected = 10_000

    init(_ records: any RecordBatches, of url: URL, isNew: Bool) {
        self.records = records
        self.url = url
        self.isNew = isNew
    }

    func next() async throws -> PreparedBatch? {
        guard let batch = try await records.next() else {
            guard hasRecord || rejected.isEmpty else { throw SourceError.nothingUsable(url, rejected) }
            return nil
        }
        hasRecord = hasRecord || !batch.records.isEmpty
        if !hasRecord {
            rejected += batch.rejected
            // Whatever this is, it is no list of posts, and to look at all of it takes long.
            if rejected.count > Self.maxRejected { throw SourceError.nothingUsable(url, rejected) }
        }
        return PreparedBatch(batch.records, rejected: batch.rejected, isNew: isNew)
    }
}
