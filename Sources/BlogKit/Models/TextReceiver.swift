/// Takes a text's beginning piece by piece while the rest is still under way; what it throws ends the waiting.
public typealias TextReceiver = @Sendable (String) async throws -> Void
