/// How a refresh ended that gave no list.
public enum RefreshProblem: String, Sendable {
    /// The server could not be asked.
    case unreachable
    /// The server responded, but not with a list.
    case failed
    /// The server says that the source is gone for good.
    case gone
}
