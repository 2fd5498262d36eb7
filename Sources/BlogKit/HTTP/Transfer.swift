import BlogEssentials
import Synchronization

/// A bounded buffer between a transport, which writes a response, and its reader.
///
/// It applies backpressure: the transport pauses while the buffer is full (``isFull``) and resumes when the reader has
/// caught up.
package final class Transfer: Sendable {
    private struct State {
        var head: HTTPHead?
        var peer: HTTPResponse.Peer?
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

    /// - Parameters:
    ///   - resume: resumes a transport that was paused by a full buffer.
    ///   - cancel: cancels the rest of the response.
    package init(resume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void) {
        self.resume = resume
        self.cancel = cancel
    }

    // MARK: For the transport

    /// Receives the head of the response, and the other end of the connection if known.
    package func receive(_ head: HTTPHead, from peer: HTTPResponse.Peer? = nil) {
        state.withLock { ($0.head, $0.peer) = (head, peer) }
    }

    /// Receives the next bytes of the body.
    package func receive(_ bytes: some Sequence<UInt8>) {
        state.withLock { $0.bytes.append(contentsOf: bytes) }
    }

    /// Wakes the reader if there are new bytes.
    ///
    /// It isn't woken for every chunk, nor for a head without bytes: most responses are complete at once, and waking the
    /// reader takes longer than reading them.
    package func deliver() {
        let reader = state.withLock { $0.bytes.isEmpty ? nil : $0.reader.take() }
        reader?.resume()
    }

    /// Ends the body; bytes that arrived before an error are delivered before it is thrown.
    package func end(_ result: Result<Void, any Error>) {
        let reader = state.withLock { state in
            if state.end == nil { state.end = result }
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Whether the buffer is full; a transport that asks must then pause until `resume`.
    package var isFull: Bool {
        state.withLock { state in
            state.isPaused = state.end == nil && state.bytes.count >= Self.maxBytes
            return state.isPaused
        }
    }

    // MARK: For the reader

    /// Waits for the head.
    fileprivate func head() async throws -> (HTTPHead, from: HTTPResponse.Peer?) {
        while true {
            let (head, peer, end) = state.withLock { ($0.head, $0.peer, $0.end) }
            if let head { return (head, peer) }
            if let end {
                try end.get()
                throw CancellationError()
            }
            try await waitForChange { $0.head == nil }
        }
    }

    /// Waits for bytes and returns all that have arrived; nil at the end of the body.
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

    /// Cancels a transfer whose reader has stopped.
    fileprivate func abandon() {
        let isUnderWay = state.withLock { $0.end == nil }
        end(.failure(CancellationError()))
        if isUnderWay { cancel() }
    }

    private func waitForChange(while isMissing: (borrowing State) -> Bool) async throws {
        try Task.checkCancellation()
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let mustWait = state.withLock { state in
                    guard isMissing(state), state.end == nil else { return false }
                    state.reader = reader
                    return true
                }
                if !mustWait { reader.resume() }
            }
        } onCancel: {
            abandon()
        }
        try Task.checkCancellation()
    }

    /// The size in bytes at which the transport pauses.
    private static let maxBytes = 1 << 19
}

/// The only reader of a transfer; releasing it cancels the transfer.
package final class TransferReader: Sendable {
    private let transfer: Transfer
    /// Kept alive until the transfer has been read.
    private let transport: (any Transport)?

    package init(_ transfer: Transfer, over transport: (any Transport)?) {
        self.transfer = transfer
        self.transport = transport
    }

    deinit {
        transfer.abandon()
    }

    /// Waits for the head of the response.
    package func response(to request: HTTPRequest) async throws -> HTTPResponse {
        let (head, peer) = try await transfer.head()
        return HTTPResponse(
            url: request.url, head: head, body: ResponseBody { try await self.transfer.chunk() }, peer: peer)
    }
}
