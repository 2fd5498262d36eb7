import Essentials
import Synchronization

/// Carries a request to a server: URLSession, libcurl below the command on Linux, or a stub in a test.
///
/// ```swift
/// struct Canned: Transport {
///     func send(_ request: HTTPRequest) async throws -> HTTPResponse {
///         HTTPResponse(url: request.url, head: HTTPHead(status: 200), body: ResponseBody(Data("[]".utf8)))
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends a request without following redirects, and returns when the head of the response has arrived.
    ///
    /// The body arrives while it is read. Throws an ``HTTPError`` or `CancellationError`, as reading the body does.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// A bounded buffer between a transport, which writes a response, and a reader.
///
/// It applies backpressure: the transport pauses while it is full (``isFull``) and resumes when the reader has caught
/// up.
package final class Transfer: Sendable {
    private struct State {
        var head: HTTPHead?
        var peer: NetworkAddress?
        var bytes: [UInt8] = []
        /// How the transfer ended; nil while it is active.
        var end: Result<Void, any Error>?
        /// Whether the transport is paused.
        var isPaused = false
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let resume: @Sendable () -> Void
    private let cancel: @Sendable () -> Void
    private let watch: ServerWatch?

    /// An empty transfer.
    ///
    /// - Parameters:
    ///   - resume: resumes a transport that was paused by a full buffer.
    ///   - cancel: cancels the rest of the response.
    ///   - request: the request that it responds to.
    package init(
        resume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void, of request: HTTPRequest? = nil
    ) {
        watch = request?.watch
        self.resume = resume
        self.cancel = cancel
    }

    // MARK: For the transport

    /// Takes the head of the response, and its network address if known.
    package func receive(_ head: HTTPHead, from peer: NetworkAddress? = nil) {
        state.withLock { ($0.head, $0.peer) = (head, peer) }
        watch?.noteHead()
    }

    /// Takes the next bytes of the body.
    package func receive(_ bytes: some Sequence<UInt8>) {
        state.withLock { $0.bytes.append(contentsOf: bytes) }
    }

    /// Wakes the reader for the bytes that have arrived.
    ///
    /// It isn't woken for each of them, nor for a head without any: most responses are complete at once, and waking it
    /// takes longer than reading them.
    package func deliver() {
        let reader = state.withLock { $0.bytes.isEmpty ? nil : $0.reader.take() }
        reader?.resume()
    }

    /// Ends the body; bytes that arrived before an error are read before it is thrown.
    package func end(_ result: Result<Void, any Error>) {
        watch?.noteEnd()
        let reader = state.withLock { state in
            if state.end == nil { state.end = result }
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Whether the buffer is full; the transport then pauses until `resume`.
    package var isFull: Bool {
        state.withLock { state in
            state.isPaused = state.end == nil && state.bytes.count >= Self.maxBytes
            return state.isPaused
        }
    }

    // MARK: For the reader

    /// The head, once it has arrived, and the address that it came from.
    fileprivate func head() async throws -> (HTTPHead, from: NetworkAddress?) {
        while true {
            let found = try state.withLock { state in
                if state.head == nil { try state.end?.get() }
                return (head: state.head, peer: state.peer, hasEnded: state.end != nil)
            }
            if let head = found.head { return (head, found.peer) }
            if found.hasEnded { throw CancellationError() }
            try await waitForChange { $0.head == nil }
        }
    }

    /// All bytes that have arrived since the last call; nil at the end of the body.
    fileprivate func chunk() async throws -> [UInt8]? {
        while true {
            let (chunk, wasPaused, end) = state.withLock { state in
                let chunk = state.bytes
                state.bytes = []
                defer { state.isPaused = false }
                return (chunk, state.isPaused, state.end)
            }
            if wasPaused { resume() }
            guard chunk.isEmpty else { return chunk }
            if let end {
                try end.get()
                return nil
            }
            try await waitForChange { $0.bytes.isEmpty }
        }
    }

    /// Cancels a transfer that has no reader any more.
    fileprivate func abandon(_ error: any Error = CancellationError()) {
        let isUnderWay = state.withLock { $0.end == nil }
        end(.failure(error))
        if isUnderWay { cancel() }
    }

    private func waitForChange(while isMissing: (borrowing State) -> Bool) async throws {
        try Task.checkCancellation()
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let isThere = state.withLock { state in
                    if isMissing(state), state.end == nil {
                        state.reader = reader
                        return false
                    }
                    return true
                }
                if isThere { reader.resume() }
            }
        } onCancel: {
            abandon()
        }
        try Task.checkCancellation()
    }

    /// The buffer size in bytes above which the transport pauses.
    private static let maxBytes = 1 << 19
}

/// The only reader of a transfer, which ends when the reader goes away.
package final class TransferReader: Sendable {
    private let transfer: Transfer
    /// Keeps the session alive until the transfer has been read.
    private let transport: (any Transport)?

    package init(_ transfer: Transfer, over transport: (any Transport)?) {
        self.transfer = transfer
        self.transport = transport
    }

    deinit {
        transfer.abandon()
    }

    /// The response, once its head has arrived.
    package func response(to request: HTTPRequest) async throws -> HTTPResponse {
        let (head, peer) = try await transfer.head()
        return HTTPResponse(
            url: request.url, finalURL: request.url, head: head, body: ResponseBody { try await self.transfer.chunk() },
            peer: peer)
    }
}
