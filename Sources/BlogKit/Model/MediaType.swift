import BlogEssentials

/// A media type (RFC 9110, section 8.3, https://www.rfc-editor.org/rfc/rfc9110#section-8.3).
package struct MediaType: Hashable, Sendable {
    /// The type without its parameters, in lower case: `application/atom+xml`.
    package let name: String
    /// The `charset` parameter in lower case; nil if it is missing.
    package let charset: String?

    /// Parses a `Content-Type` header or an HTML `type` attribute; nil if it is invalid.
    package init?(_ text: String) {
        // The values of repeated fields are joined with commas: use the first.
        let first = text.prefix { $0 != "," }.lowercased()
        let parts = first.split(separator: ";").map { $0.trimmed }
        guard let name = parts.first, name.contains("/") else { return nil }
        self.name = name
        charset = parts.dropFirst().lazy.compactMap(Self.charset).first
    }

    private static func charset(_ parameter: String) -> String? {
        let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmed }
        guard parts.count == 2, parts[0] == "charset" else { return nil }
        let value = parts[1].trimmed { "\"\' ".unicodeScalars.contains($0) }
        let isName = value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isName && !value.isEmpty ? value : nil
    }
}
