import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// The address of a source or a service, the store for what it sends, and when it is asked.
struct SourceConnection: Sendable {
    let sourceID: SourceID
    let store: PostStore
    var freshness = Freshness.normal
    var clock = WallClock.system
    /// The refresh interval of sources without one of their own, in seconds; nil for the usual one.
    var interval: TimeInterval?

    /// This without requests.
    var offline: SourceConnection {
        var connection = self
        connection.freshness = .offline
        return connection
    }

    var url: URL { URL(address: sourceID.address) ?? URL(filePath: "/") }

    func now() -> Date { clock.now() }

    /// When it is due again after a refresh: ``Politeness/dueDate(after:maxAge:timeToLive:interval:)``.
    ///
    /// - Parameter every: its own interval; nil for none.
    func dueDate(
        after refresh: Date, maxAge: TimeInterval = 0, timeToLive: TimeInterval = 0, every: RefreshInterval?
    ) -> Date {
        Politeness.dueDate(
            after: refresh, maxAge: maxAge, timeToLive: timeToLive, interval: every?.delay ?? interval)
    }

    private var schedule: Schedule { Schedule(store: store, clock: clock) }

    /// The stored posts that match a query.
    func list(
        _ query: Query, after refresh: RefreshReport, missing: MissingItems = MissingItems()
    ) async throws -> PostList {
        guard let stored = try await store.read({ try Sources($0).find(sourceID) }) else {
            throw LibraryError.nothingStored(url)
        }
        let list = try await store.openList(query, in: SourceScope([stored]))
        return PostList(refreshes: [SourceRefresh(sourceID, refresh)], list: list, store: store, missing: missing)
    }

    /// An error as the library throws it when nothing stored can be shown instead.
    func unreachable(_ error: any Error) -> any Error {
        guard let error = error as? HTTPError, error.isUnreachable else { return error }
        return LibraryError.unreachable(error)
    }

    /// Requests a list and records the result; with a stored copy, a failure is part of the report.
    func recording(
        hasCopy: Bool, storedAt: Date?, _ request: () async throws -> RefreshReport
    ) async throws -> RefreshReport {
        do {
            let report = try await request()
            await schedule.noteResponse(of: sourceID)
            return report
        } catch let error as any FetchError {
            let report = try await schedule.note(error, of: sourceID, storedAt: storedAt)
            guard hasCopy else { throw unreachable(error) }
            return report
        } catch let error as StoreError where error.reason == .busy {
            guard hasCopy else { throw error }
            return RefreshReport(.failed(error, storedAt: storedAt))
        }
    }
}
