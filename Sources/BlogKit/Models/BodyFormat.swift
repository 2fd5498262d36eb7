/// What a body is written in.
public enum BodyFormat: String, Codable, Sendable {
    /// Text that means nothing but itself.
    case plain
    /// Markdown as https://spec.commonmark.org has it.
    case markdown
    /// HTML, or a part of it.
    case html
}
