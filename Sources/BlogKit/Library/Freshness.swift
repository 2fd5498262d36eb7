/// When requests are sent.
public enum Freshness: Sendable {
    /// A list each time unless it is fresh, a body once.
    case normal
    /// Always, whatever is stored.
    case refresh
    /// Never.
    case offline
}
