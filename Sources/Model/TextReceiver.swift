/// Takes the beginning of a post's body in chunks while the rest is still arriving; what it throws ends the waiting.
public typealias TextReceiver = @Sendable (PostMetadata, String) async throws -> Void
