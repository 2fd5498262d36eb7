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

    var clock: WallClock { client.clock }

    func now() -> Date { clock.now() }

    /// These without requests.
    var offline: Connections {
        Connections(store: store, client: client, freshness: .offline, logins: logins)
    }

    /// These without the user's API keys and with logins only where they are wanted, for servers that aren't identified yet.
    var anonymous: Connections { with(client.withoutKeys.offeringLogin) }

    /// These for an address that the user types now.
    func typing(_ url: URL?, for use: OriginUse) -> Connections { with(client.typing(url, for: use)) }

    private func with(_ client: HTTPClient) -> Connections {
        Connections(store: store, client: client, freshness: freshness, logins: logins)
    }

    /// A source, ready for requests; nil if its kind is unknown.
    func source(_ source: SourceID) -> (any Source)? { SourceRegistry.make(source, client) }

    /// The reader of one source.
    ///
    /// Throws ``LibraryError/unknownKind(_:)``.
    ///
    /// - Parameter activity: follows its requests.
    func reader(of source: SourceID, recording activity: ServerActivity? = nil) throws -> SourceReader {
        guard let source = SourceRegistry.make(source, client.recording(activity)) else {
            throw LibraryError.unknownKind(source)
        }
        return reader(of: source, client.recording(activity))
    }

    /// - Parameter client: sends requests that aren't the source's own; nil for the usual one.
    func reader(of source: any Source, _ client: HTTPClient? = nil) -> SourceReader {
        SourceReader(
            SourceConnection(
                source: source, store: store, freshness: freshness, clock: clock, client: client ?? self.client,
                logins: logins))
    }
}

/// Writes to the store what is shown in any case; returns false if the store is busy.
@discardableResult
func writeIfFree(_ write: () async throws -> Void) async throws -> Bool {
    do {
        try await write()
        return true
    } catch let error as StoreError where error.reason == .busy {
        return false
    }
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
