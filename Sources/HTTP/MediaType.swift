import Foundation

/// What a body or a link is (RFC 9110, section 8.3, https://www.rfc-editor.org/rfc/rfc9110#section-8.3).
package struct MediaType: Hashable, Sendable {
    /// The type without its parameters, in lower case: `application/atom+xml`.
    package let name: String
    /// The name of the encoding of the text, in lower case; nil where none is given.
    package let charset: String?

    /// The media type that a text names, as `Content-Type` or an attribute of HTML has it; nil for none.
    package init?(_ text: String) {
        // Fields that came twice are joined with a comma, which no type has.
        let first = text.prefix { $0 != "," }.lowercased()
        let parts = first.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let name = parts.first, name.contains("/") else { return nil }
        self.name = name
        charset = parts.dropFirst().lazy.compactMap(Self.charset).first
    }

    private static func charset(_ parameter: String) -> String? {
        let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2, parts[0] == "charset" else { return nil }
        let value = parts[1].trimmingCharacters(in: ["\"", "'", " "])
        let isName = value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isName && !value.isEmpty ? value : nil
    }
}
