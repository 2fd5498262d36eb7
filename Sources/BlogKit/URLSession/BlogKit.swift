/// The library: all of BlogCore, and URLSession to carry its requests.
///
/// They are two modules so that a program with a transport of its own, as `blog` has on Linux, starts without loading
/// FoundationNetworking and the forty libraries behind it.
@_exported import BlogCore
import Foundation

extension Reader {
    /// A reader of one source, over URLSession.
    ///
    /// Throws ``ReaderError/unknownSource(_:known:)``, ``ReaderError/badAddress(_:)`` or a ``StoreError``.
    ///
    /// - Parameters:
    ///   - source: the source's name; nil for the default, the blog API.
    ///   - address: the http or https address to request; nil for the source's own.
    ///   - storePath: the file that keeps what is seen; made where there is none.
    ///   - timeout: how long a server may be silent, in seconds.
    ///   - observer: is told what requests are doing.
    public init(
        source: String? = nil, address: String? = nil, storePath: String, freshness: Freshness = .normal,
        timeout: TimeInterval = 30, observer: @escaping HTTPObserver = { _ in }
    ) throws {
        try self.init(
            source: source, address: address, storePath: storePath, freshness: freshness, timeout: timeout,
            transport: URLSessionTransport(), observer: observer)
    }
}
