import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// How sources are read: the store of everything fetched so far, the client for the rest, and when to use it.
struct Connections: Sendable {
    var store: PostStore
    var client: HTTPClient
    var freshness: Freshness
    /// Gives the logins of services, besides those in `~/.netrc`; nil for none.
    var logins: ServiceLogins?
    /// The commands whose output is a feed; nil for none.
    var commands: FeedCommands?
    /// The refresh interval of sources without one of their own, in seconds; nil for the usual one.
    var interval: TimeInterval?

    var clock: WallClock { client.clock }

    func now() -> Date { clock.now() }

    /// These without requests.
    var offline: Connections {
        var connections = self
        connections.freshness = .offline
        return connections
    }

    /// These without the user's API keys and with logins only where they are wanted, for servers that aren't identified yet.
    var anonymous: Connections { with(client.withoutKeys.offeringLogin) }

    /// These for an address that the user types now.
    func typing(_ url: URL?, for use: OriginUse) -> Connections { with(client.typing(url, for: use)) }

    private func with(_ client: HTTPClient) -> Connections {
        var connections = self
        connections.client = client
        return connections
    }

    /// A source, ready for requests; nil for a service, or if its kind is unknown.
    func source(_ source: SourceID) -> (any Source)? { make(source, client) }

    private func make(_ source: SourceID, _ client: HTTPClient) -> (any Source)? {
        let source = SourceRegistry.make(source, client)
        guard var local = source as? any LocalFeed else { return source }
        local.commands = commands
        return local
    }

    /// The reader of one source.
    ///
    /// Throws ``LibraryError/unknownKind(_:)``.
    ///
    /// - Parameter activity: follows its requests.
    func reader(of source: SourceID, recording activity: ServerActivity? = nil) throws -> SourceReader {
        guard let source = make(source, client.recording(activity)) else {
            throw LibraryError.unknownKind(source)
        }
        return reader(of: source)
    }

    func reader(of source: any Source) -> SourceReader {
        SourceReader(source, connection(to: source.id))
    }

    /// A source or a service with the store.
    func connection(to source: SourceID) -> SourceConnection {
        SourceConnection(sourceID: source, store: store, freshness: freshness, clock: clock, interval: interval)
    }

    /// The sync of a service, whose address was looked up.
    func sync(of service: SourceID, recording activity: ServerActivity? = nil) -> ServiceSync {
        ServiceSync(
            connection: connection(to: service),
            client: client.recording(activity), logins: logins)
    }

    /// A source or a service, ready to be refreshed.
    ///
    /// Throws ``LibraryError/unknownKind(_:)``.
    func refreshable(_ source: SourceID, recording activity: ServerActivity? = nil) throws -> any Refreshable {
        guard source.isService else { return try reader(of: source, recording: activity) }
        guard SourceRegistry.isKnown(source) else { throw LibraryError.unknownKind(source) }
        return sync(of: source, recording: activity)
    }
}

/// A source, or a service with its feeds: what is refreshed and synced.
protocol Refreshable: Sendable {
    /// Refreshes the list, or what the service has; throws what ``Library/list(_:in:refreshed:)`` throws.
    func refreshed() async throws -> RefreshReport
    /// Refreshes it and fetches what is missing for reading offline.
    func sync(_ options: SyncOptions, observe: @escaping SyncObserver) async throws -> SyncReport
}

/// When requests are sent.
public enum Freshness: Sendable {
    /// A list whenever it isn't fresh, a body or picture only once.
    case normal
    /// Always, even if the stored copy is fresh.
    case refresh
    /// Never.
    case offline
}
