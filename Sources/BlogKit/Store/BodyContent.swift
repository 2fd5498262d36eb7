/// A body as it came, wherever it is by now.
package enum BodyContent: Sendable {
    /// All of it.
    case text(String)
    /// UTF-8 on the disk, as it is too long for memory.
    case file(SpoolFile)
    /// What is stored, of which the server said that it is still the body.
    case unchanged
}
