/// When requests are sent.
public enum Freshness: Sendable {
    /// A list each time unless it is fresh, a body once.
    case normal
    /// Always, even if the stored copy is fresh.
    case refresh
    /// Never.
    case offline
}
