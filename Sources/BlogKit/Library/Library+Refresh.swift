import Foundation

/// What a refresh of one of several sources did.
public struct SourceRefresh: Sendable {
    /// The source.
    public let source: SourceID
    /// How its refresh went.
    public let report: RefreshReport

    package init(_ source: SourceID, _ report: RefreshReport) {
        self.source = source
        self.report = report
    }

    /// Whether what is stored of the source is what it lists, as far as is known.
    var hasSucceeded: Bool { if case .failed = report.outcome { false } else { true } }
}

extension Library {
    /// Refreshes several sources at once; the order of what comes back is theirs.
    ///
    /// - Parameters:
    ///   - onlyDue: whether those are left out that were refreshed a short while ago.
    ///   - deadline: how long each may take; nil for as long as its server is not silent for too long.
    ///   - observe: is called with how many are done, and of how many.
    public func refresh(
        _ ids: [SourceID], onlyDue: Bool = true, deadline: Duration? = .seconds(5),
        observe: @escaping @Sendable (Int, Int) async -> Void = { _, _ in }
    ) async -> [SourceRefresh] {
        var reports: [Int: RefreshReport] = [:]
        var queue = HostQueue()
        let stored = Dictionary(((try? await store.sources(ids)) ?? []).map { ($0.id, $0) }) { first, _ in first }
        for (index, id) in ids.enumerated() {
            if onlyDue, let source = stored[id], let due = source.dueAt, let at = source.refreshedAt ?? source.failedAt,
                (at..<max(due, at)).contains(now())
            {
                reports[index] = RefreshReport(.stillCurrent(storedAt: at))
            } else {
                queue.add(index, host: URL(string: id.address)?.hostAndPort ?? "")
            }
        }
        let total = ids.count - reports.count
        await queue.run {
            await refresh(ids[$0], within: deadline)
        } give: { index, report, left in
            reports[index] = report
            await observe(total - left, total)
        }
        return ids.indices.compactMap { index in reports[index].map { SourceRefresh(ids[index], $0) } }
    }

    /// Refreshes one source; a failure is part of the result.
    private func refresh(_ id: SourceID, within deadline: Duration?) async -> RefreshReport {
        do {
            let reader = try reader(of: id)
            guard let deadline else { return try await reader.refreshed() }
            return try await Self.within(deadline) { try await reader.refreshed() }
        } catch is DeadlineExceeded {
            let error = HTTPError.timedOut(
                URL(string: id.address) ?? URL(filePath: "/"), seconds: deadline?.seconds ?? 0)
            try? await store.note(.unreachable, of: id, at: now()) { _ in StoredSource.refreshInterval }
            return RefreshReport(.failed(error, storedAt: (try? await store.source(id))?.refreshedAt))
        } catch {
            let cause: any Error = if case LibraryError.unreachable(let http) = error { http } else { error }
            return RefreshReport(.failed(cause, storedAt: nil))
        }
    }

    /// Runs work with a deadline, after which it is cancelled.
    private static func within<Result: Sendable>(
        _ deadline: Duration, _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: deadline)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else { throw DeadlineExceeded() }
            return result
        }
    }
}

/// The work exceeded its deadline.
private struct DeadlineExceeded: Error {}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
