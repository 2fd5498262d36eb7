import Foundation

/// Takes an answer's bytes as they come.
package typealias BytesReceiver = @Sendable (Data) async throws -> Void

/// What somebody who waits for an answer has got of it.
actor ReceivedBytes {
    private(set) var isEmpty = true
    private let receive: BytesReceiver

    init(_ receive: @escaping BytesReceiver) {
        self.receive = receive
    }

    func add(_ data: Data) async throws {
        isEmpty = false
        try await receive(data)
    }
}
