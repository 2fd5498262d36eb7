// The library: its public layers, and URLSession as the transport of its requests.
//
// URLSession is in a target of its own so that programs with another transport, like `blog` on Linux, start without
// loading FoundationNetworking and the forty libraries that it needs.
@_exported import BlogLibrary
import Foundation
@_exported import BlogHTTP
@_exported import BlogMarkup
@_exported import BlogModel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension BlogAPI {
    /// Creates a client that uses URLSession; nil if the address isn't http or https, has no host, or has a user name, a
    /// query or a fragment.
    ///
    /// - Parameters:
    ///   - address: for example `http://localhost:8106`; a slash at the end is ignored.
    ///   - session: a session whose configuration is used, such as its proxies, header fields and protocol classes, but not its
    ///     delegate; nil for one without cookies and cache.
    ///   - timeout: how long connecting may take, and how long the server may be silent, in seconds.
    ///   - observer: receives the activity of requests.
    public init?(
        address: String, session: URLSession? = nil, timeout: TimeInterval = 30,
        observer: @escaping HTTPObserver = { _ in }
    ) {
        self.init(address: address, timeout: timeout, transport: URLSessionTransport(session), observer: observer)
    }
}

extension Library {
    /// Opens a library that uses URLSession.
    ///
    /// Throws a ``StoreError``.
    ///
    /// - Parameters:
    ///   - storePath: the file of the store; created if needed.
    ///   - access: what is done with the store.
    ///   - defaultSource: the source to read if none is followed; nil for the blog API at http://localhost:8106.
    ///   - freshness: when requests are sent.
    ///   - timeout: how long a server may be silent, in seconds.
    ///   - netrcPath: a netrc file; only its `machine` entries are used.
    ///   - logins: gives the logins of services, besides those in the file at `netrcPath`; nil for none.
    ///   - photoKey: the API key for photo servers; sent to no others and never stored.
    ///   - session: a session whose configuration is used, but not its delegate; nil for one without cookies and cache.
    ///   - now: the clock.
    ///   - observer: receives the activity of requests.
    public init(
        storePath: String, access: StoreAccess = .reading, defaultSource: SourceID? = nil,
        freshness: Freshness = .normal,
        timeout: TimeInterval = 30, netrcPath: String? = nil, logins: ServiceLogins? = nil, photoKey: String? = nil,
        session: URLSession? = nil,
        now: @escaping @Sendable () -> Date = { Date() }, observer: @escaping HTTPObserver = { _ in }
    ) throws {
        try self.init(
            storePath: storePath, access: access, defaultSource: defaultSource, freshness: freshness,
            timeout: timeout, netrcPath: netrcPath, logins: logins, photoKey: photoKey,
            transport: URLSessionTransport(session), now: now, observer: observer)
    }
}
