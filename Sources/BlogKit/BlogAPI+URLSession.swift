import BlogLibrary
import Foundation
import HTTP

extension BlogAPI {
    /// A client of the API at an address, over URLSession; nil if the address isn't http or https with a host, or has a
    /// user name, a query or a fragment.
    ///
    /// - Parameters:
    ///   - address: for example `http://localhost:8106`; a slash at the end doesn't matter.
    ///   - timeout: how long connecting may take, and how long the server may be silent, in seconds.
    ///   - observer: receives the activity of requests.
    public init?(address: String, timeout: TimeInterval = 30, observer: @escaping HTTPObserver = { _ in }) {
        self.init(address: address, timeout: timeout, transport: URLSessionTransport(), observer: observer)
    }
}
