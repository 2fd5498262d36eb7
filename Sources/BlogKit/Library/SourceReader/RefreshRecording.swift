import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Records how requests for lists went.
struct RefreshRecording: Sendable {
    let connection: SourceConnection

    private var store: PostStore { connection.store }

    /// Requests a list and records the result; with a stored copy, a failure is part of the report.
    func record(
        hasCopy: Bool, storedAt: Date?, _ request: () async throws -> RefreshReport
    ) async throws -> RefreshReport {
        do {
            let report = try await request()
            await store.forgetSilence(of: connection.url.hostAndPort)
            return report
        } catch let error as any FetchError {
            try await note(error)
            guard hasCopy else { throw connection.unreachable(error) }
            return RefreshReport(.failed(error, storedAt: storedAt))
        } catch let error as StoreError where error.reason == .busy {
            guard hasCopy else { throw error }
            return RefreshReport(.failed(error, storedAt: storedAt))
        }
    }

    /// Records why the refresh failed, and for how long the source isn't requested.
    private func note(_ error: any FetchError) async throws {
        let problem = RefreshProblem(error)
        if problem != .unreachable { await store.forgetSilence(of: connection.url.hostAndPort) }
        let now = connection.now()
        try await store.note(problem, of: connection.sourceID, at: now) {
            Politeness.suspension(after: error, failures: $0, at: now)
        }
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
