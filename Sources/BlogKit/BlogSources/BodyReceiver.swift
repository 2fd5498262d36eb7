/// Takes a body's text as it comes, cut anywhere but within a character.
package struct BodyReceiver: Sendable {
    /// Takes some text; what it throws ends the request.
    package let take: @Sendable (String) async throws -> Void
    /// Forgets what was taken, so that the body can be asked for again; false where it is too late for that.
    package let restart: @Sendable () async -> Bool

    package init(
        take: @escaping @Sendable (String) async throws -> Void, restart: @escaping @Sendable () async -> Bool
    ) {
        self.take = take
        self.restart = restart
    }
}
