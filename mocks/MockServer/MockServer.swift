import Foundation
import Synchronization

/// A small HTTP/1.1 server on the loopback interface: keep-alive, a thread a connection, faults on demand.
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
        var faults: [String: ActiveFault] = [:]
        var delay: (@Sendable (String) -> Int)?
        var connections: Set<Int32> = []
        var connectionCount = 0
        var isStopped = false
    }

    private struct ActiveFault {
        let fault: Fault
        /// How many requests it still spoils; nil for all.
        var times: Int?
    }

    /// Starts a server.
    ///
    /// Throws a ``MockServerError`` if the port is not available.
    ///
    /// - Parameters:
    ///   - host: the last number of its address, 127.0.0.1 or another.
    ///   - port: 0 for a free one.
    ///   - latency: milliseconds of delay before each response.
    ///   - log: takes a line a request.
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

    /// The address of the server, without a slash at the end.
    public var address: String { "http://127.0.0.\(host):\(port)" }

    /// The requests so far as "METHOD /path".
    public var requestLines: [String] { requests.map { "\($0.method) \($0.path)" } }

    /// The requests so far.
    public var requests: [MockRequest] { state.withLock { $0.requests } }

    /// How many connections were accepted so far, those that have ended too.
    public var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// Forgets the requests so far.
    public func clearRequests() {
        state.withLock { $0.requests = [] }
    }

    /// Switches a fault on for a path, `/post/*` for all paths below one, `/photos?page=2` for those of one parameter;
    /// nil switches it off.
    public func setFault(_ fault: Fault?, for path: String, times: Int? = nil) {
        state.withLock { $0.faults[path] = fault.map { ActiveFault(fault: $0, times: times) } }
    }

    /// Switches a fault on for each of some paths; nil switches theirs off.
    public func setFault(_ fault: Fault?, for paths: [String]) {
        for path in paths { setFault(fault, for: path) }
    }

    /// Delays responses by milliseconds per path, in addition to the latency; nil ends that.
    public func setDelays(_ delay: (@Sendable (_ path: String) -> Int)?) {
        state.withLock { $0.delay = delay }
    }

    /// Stops listening and ends all connections.
    public func stop() {
        // Descriptors are closed by the threads that use them, and shut down only while they are known to be open: the
        // number of a closed one may be another socket's by now.
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
            Thread.detachNewThread {
                Connection(socket: socket, server: self).serve()
            }
        }
    }

    /// Until now the port was nobody else's, so that whoever asks a stopped server finds nothing there.
    deinit { listener.close() }

    /// Records a request and returns its response, with the fault that is set for it.
    func response(to request: MockRequest) -> (MockResponse, Fault?) {
        let (fault, delay) = state.withLock { state in
            state.requests.append(request)
            return (takeFault(for: request, &state), state.delay)
        }
        var response = MockResponse.error(404, "not found")
        if !["GET", "HEAD"].contains(request.method) {
            response = .error(405, "only GET and HEAD")
        } else if let found = sites.lazy.compactMap({ $0.response(to: request) }).first {
            response = found.conditional(for: request)
        }
        response.delay += latency + (delay?(request.path) ?? 0)
        return (fault?.applied(to: response, path: request.path) ?? response, fault)
    }

    /// Whether a request still waits for the end of ``Fault/hold``.
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

/// What a mock server serves.
public protocol MockSite: Sendable {
    /// The response to a GET or HEAD, or nil if the path is not part of this site.
    func response(to request: MockRequest) -> MockResponse?
}

/// Why a mock server could not start.
public struct MockServerError: Error, Sendable {
    /// One sentence.
    public let message: String

    /// An error with that sentence.
    public init(message: String) {
        self.message = message
    }
}
