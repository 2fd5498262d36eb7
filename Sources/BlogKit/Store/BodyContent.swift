/// A body as it arrived, wherever it is by now.
package enum BodyContent: Sendable {
    /// All of it.
    case text(String)
    /// All of it, in a file as it is too long for memory.
    case staged(StagedText)
    /// What is stored, of which the server said that it is still the body.
    case unchanged
}
