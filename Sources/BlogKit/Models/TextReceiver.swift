/// Takes the beginning of a post's body piece by piece while the rest is still under way; what it throws ends the
/// waiting.
public typealias TextReceiver = @Sendable (PostMetadata, String) async throws -> Void
