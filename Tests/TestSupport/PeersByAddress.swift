import Foundation
import Synchronization
@testable import BlogHTTP

/// A transport over a simulated network, in which each address is at a peer, or behind a proxy.
package final class PeersByAddress: Transport {
    /// By URL; a peer that isn't an address is a proxy.
    private let network: [String: (peer: String, head: HTTPHead)]
    private let connections = Mutex<[String]>([])
    private let bodies: [String: Data]

    package init(_ network: [String: (peer: String, head: HTTPHead)], bodies: [String: Data] = [:]) {
        self.network = network
        self.bodies = bodies
    }

    /// The peers to which a connection was made.
    package var connected: [String] { connections.withLock { $0 } }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let address = request.url.absoluteString
        guard let (peer, head) = network[address] else {
            throw HTTPError.unreachable(request.url, reason: .unknownHost)
        }
        let found = NetworkAddress(peer)
        if let found, !request.allowedHosts.mayConnect(to: found) { throw HTTPError.privateAddress(request.url) }
        connections.withLock { $0.append(peer) }
        return HTTPResponse(
            url: request.url, head: head,
            body: ResponseBody(bodies[address] ?? Data()), peer: found.map { .server($0) } ?? .proxy)
    }
}
