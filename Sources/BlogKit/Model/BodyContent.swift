/// The body of a post in a response.
package enum BodyContent: Hashable, Sendable {
    case text(String)
    /// Not modified: the stored body is current.
    case unchanged
}
