/// Why a mock server could not start.
public struct MockServerError: Error, Sendable {
    /// One sentence.
    public let message: String

    /// An error with that sentence.
    public init(message: String) {
        self.message = message
    }
}
