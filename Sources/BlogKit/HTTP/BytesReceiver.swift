import Foundation

/// Takes an answer's bytes as they come.
package struct BytesReceiver: Sendable {
    /// Takes some bytes; what it throws ends the request.
    package let take: @Sendable (Data) async throws -> Void
    /// Forgets what was taken, so that the request can be made again; false where it is too late for that.
    package let restart: @Sendable () async -> Bool

    package init(
        take: @escaping @Sendable (Data) async throws -> Void, restart: @escaping @Sendable () async -> Bool = { false }
    ) {
        self.take = take
        self.restart = restart
    }
}
