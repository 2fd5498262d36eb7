import Model

/// A name made of a text, for files and for places on a page: letters a to z, digits and single dashes.
package enum Slug {
    /// "Éclairs, Gradients" is `eclairs-gradients`; "" if nothing of the text is left.
    package static func of(_ text: String) -> String {
        var slug = ""
        // More of a long text would be cut off again.
        for scalar in Folding.fold(String(text.prefix(2 * maxLength))).unicodeScalars {
            guard slug.utf8.count < maxLength else { break }
            switch scalar {
            case "a"..."z", "0"..."9": slug.unicodeScalars.append(scalar)
            // It separates no words: "don't" is one.
            case "'", "’": break
            default: if !slug.isEmpty, !slug.hasSuffix("-") { slug.append("-") }
            }
        }
        return slug.hasSuffix("-") ? String(slug.dropLast()) : slug
    }

    private static let maxLength = 60
}
