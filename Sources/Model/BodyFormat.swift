/// The format of a body.
public enum BodyFormat: String, Codable, Sendable {
    /// Plain text.
    case plain
    /// Markdown as https://spec.commonmark.org has it.
    case markdown
    /// HTML, or a part of it.
    case html
}
