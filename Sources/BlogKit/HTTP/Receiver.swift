/// Takes an answer as it comes: its bytes, or the text that was made of them, cut anywhere but within a character.
package struct Receiver<Piece: Sendable>: Sendable {
    /// Takes a piece; what it throws ends the request.
    package let take: @Sendable (Piece) async throws -> Void
    /// Forgets what was taken, so that the request can be made again; false where it is too late for that.
    package let restart: @Sendable () async -> Bool

    package init(
        take: @escaping @Sendable (Piece) async throws -> Void,
        restart: @escaping @Sendable () async -> Bool = { false }
    ) {
        self.take = take
        self.restart = restart
    }
}
