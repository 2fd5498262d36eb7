import Foundation
import Synchronization

/// A small HTTP/1.1 server on the loopback interface, with keep-alive, a thread per connection, and injected faults.
public final class MockServer: Sendable {
    /// The port that it listens on.
    public let port: UInt16
    private let host: UInt8
    private let listener: Socket
    private let sites: [any MockSite]
    private let latency: Int
    private let log: (@Sendable (String) -> Void)?
    private let state = Mutex(State())

    private struct State {
        var requests: [MockRequest] = []
        /// By path, with the number of requests to which they still apply; nil for all.
        var faults: [String: (fault: Fault, times: Int?)] = [:]
        var delay: (@Sendable (String) -> Int)?
        var connections: Set<Int32> = []
        var connectionCount = 0
        var isStopped = false
    }

    /// Starts a server; throws a ``MockServerError`` if the port isn't available.
    ///
    /// - Parameters:
    ///   - host: the last byte of its address, 127.0.0.1 or another.
    ///   - port: 0 for any free port.
    ///   - latency: the delay before each response, in milliseconds.
    ///   - log: receives a line per request.
    public init(
        sites: [any MockSite], host: UInt8 = 1, port: UInt16 = 0, latency: Int = 0,
        log: (@Sendable (String) -> Void)? = nil
    ) throws {
        (listener, self.port) = try Socket.listening(host: host, port: port)
        self.host = host
        self.sites = sites
        self.latency = latency
        self.log = log
        Thread.detachNewThread { self.acceptConnections() }
    }

    /// The URL of the server, without a trailing slash.
    public var address: String { "http://127.0.0.\(host):\(port)" }

    /// The requests so far, as "METHOD /path".
    public var requestLines: [String] { requests.map { "\($0.method) \($0.path)" } }

    /// The requests so far.
    public var requests: [MockRequest] { state.withLock { $0.requests } }

    /// The number of connections accepted so far.
    public var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// Forgets the requests so far.
    public func clearRequests() {
        state.withLock { $0.requests = [] }
    }

    /// Injects a fault for a path, for all paths below one (`/post/*`) or for a query parameter (`/photos?page=2`); nil
    /// removes it.
    public func setFault(_ fault: Fault?, for path: String, times: Int? = nil) {
        state.withLock { $0.faults[path] = fault.map { ($0, times) } }
    }

    /// Injects a fault for several paths; nil removes it.
    public func setFault(_ fault: Fault?, for paths: [String]) {
        for path in paths { setFault(fault, for: path) }
    }

    /// Sets a delay per path in milliseconds, in addition to the latency; nil removes it.
    public func setDelays(_ delay: (@Sendable (_ path: String) -> Int)?) {
        state.withLock { $0.delay = delay }
    }

    /// Stops listening and ends all connections.
    public func stop() {
        // Descriptors are closed by their threads, and shut down here only while they are open, because the number of a
        // closed one may be reused.
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            listener.shutdown()
            for descriptor in state.connections { Socket(descriptor: descriptor).shutdown() }
        }
    }

    private func acceptConnections() {
        while let socket = listener.accept() {
            let isStopped = state.withLock { state in
                state.connections.insert(socket.descriptor)
                state.connectionCount += 1
                return state.isStopped
            }
            guard !isStopped else {
                socket.close()
                break
            }
            Thread.detachNewThread { Connection(socket: socket, server: self).serve() }
        }
    }

    /// Keeps the port until now, so that no other process can take it while tests expect a stopped server.
    deinit { listener.close() }

    /// Records a request and returns its response, with the fault that is set for it.
    func response(to request: MockRequest) -> (MockResponse, Fault?) {
        let (fault, delay) = state.withLock { state in
            state.requests.append(request)
            return (takeFault(for: request, &state), state.delay)
        }
        var response = MockResponse.error(404, "not found")
        let asked = fault == .half ? request.halved : request
        let isGet = request.method == "GET"
        if !isGet { response = .error(405, "only GET") }
        // A change must be made once, so this isn't lazy.
        for site in sites where isGet || site.takesForms {
            guard let found = site.response(to: asked) else { continue }
            response = found
            break
        }
        response.delay += latency + (delay?(request.path) ?? 0)
        response = fault?.applied(to: response, path: request.path) ?? response
        return (response.conditional(for: request), fault)
    }

    /// Whether a request must still wait because of ``Fault/hold``.
    func isHeld(_ request: MockRequest) -> Bool {
        state.withLock { !$0.isStopped && takeFault(for: request, &$0) == .hold }
    }

    func note(_ request: MockRequest, status: Int) {
        log?("\(request.method) \(request.path) \(status)")
    }

    func ended(_ socket: Socket) {
        _ = state.withLock { $0.connections.remove(socket.descriptor) }
    }

    private func takeFault(for request: MockRequest, _ state: inout State) -> Fault? {
        var keys = request.query.map { "\(request.path)?\($0)=\($1)" }.sorted() + [request.path]
        var parent = request.path[...]
        while let slash = parent.lastIndex(of: "/") {
            parent = parent[..<slash]
            keys.append(parent + "/*")
        }
        for key in keys {
            guard let active = state.faults[key], active.times != 0 else { continue }
            state.faults[key]?.times = active.times.map { $0 - 1 }
            return active.fault
        }
        return nil
    }
}

/// A site that a mock server serves.
public protocol MockSite: Sendable {
    /// The response to a request; nil if the path isn't part of this site.
    func response(to request: MockRequest) -> MockResponse?
    /// Whether it responds to POST requests, too.
    var takesForms: Bool { get }
}

extension MockSite {
    /// Whether it responds to POST requests, too: no.
    public var takesForms: Bool { false }
}

/// An error that keeps a mock server from starting.
public struct MockServerError: Error, Sendable {
    /// The message for the user.
    public let message: String

    /// Creates an error.
    public init(message: String) {
        self.message = message
    }
}
