/// A source by the way in which it gives its posts.
package enum AnySource: Sendable {
    /// All metadata in one answer.
    case list(any ListSource)
    /// Post by post, and comments.
    case items(any ItemSource)

    /// What every source has.
    package var base: any BlogSource {
        switch self {
        case .list(let source): source
        case .items(let source): source
        }
    }
}
