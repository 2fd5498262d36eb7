/// When the server is asked.
public enum Freshness: Sendable {
    /// A list each time, a body once, as far as the server's own word on caching allows.
    case normal
    /// Always, whatever is stored.
    case refresh
    /// Never.
    case offline
}
