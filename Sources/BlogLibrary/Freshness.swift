/// When requests are sent.
public enum Freshness: Sendable {
    /// A list each time unless it is fresh, a body once.
    case normal
    /// Always, even if the stored copy is fresh.
    case refresh
    /// Never.
    case offline

    /// The same for pictures, which don't change.
    var pictureRequests: PictureCache.Requests {
        switch self {
        case .normal: .once
        case .refresh: .always
        case .offline: .never
        }
    }
}
