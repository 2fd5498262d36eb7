/// How a refresh ended that gave no list.
public enum RefreshProblem: String, Sendable {
    /// The server could not be asked.
    case unreachable
    /// The server answered, but not with a list.
    case failed
}
