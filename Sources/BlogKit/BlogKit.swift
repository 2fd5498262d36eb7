// The library: all of its layers that have something public, and URLSession to carry its requests.
//
// That is a layer of its own so that a program with its own transport, as `blog` has on Linux, starts without loading
// FoundationNetworking and the forty libraries it loads.
@_exported import BlogLibrary
import Foundation
@_exported import HTTP
@_exported import Markup
@_exported import Model
@_exported import Rendering
@_exported import Store

extension Library {
    /// A library over URLSession.
    ///
    /// Throws a ``StoreError``.
    ///
    /// - Parameters:
    ///   - storePath: the file of the store; created if needed.
    ///   - isReadOnly: whether an existing store is opened read-only.
    ///   - defaultSource: the source that is read if none is followed; nil for the blog API at http://localhost:8106.
    ///   - freshness: when requests are sent.
    ///   - timeout: how long a server may be silent, in seconds.
    ///   - netrcPath: a file with logins by host, of which the `machine` lines are used; nil for none.
    ///   - photoKey: the key to send to servers of photos, and nowhere else; nil for none. It is never stored.
    ///   - now: the clock.
    ///   - observer: receives the activity of requests.
    public init(
        storePath: String, isReadOnly: Bool = false, defaultSource: SourceID? = nil, freshness: Freshness = .normal,
        timeout: TimeInterval = 30, netrcPath: String? = nil, photoKey: String? = nil,
        now: @escaping @Sendable () -> Date = { Date() }, observer: @escaping HTTPObserver = { _ in }
    ) throws {
        try self.init(
            storePath: storePath, isReadOnly: isReadOnly, defaultSource: defaultSource, freshness: freshness,
            timeout: timeout, netrcPath: netrcPath, photoKey: photoKey, transport: URLSessionTransport(), now: now,
            observer: observer)
    }
}
