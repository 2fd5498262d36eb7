import Foundation

/// Where a link of a body may lead.
package enum LinkTarget {
    /// The address that a target names, as printable ASCII; nil for anything but http, https and mailto.
    ///
    /// A target without a scheme is taken from the post's own address where that is known.
    package static func safe(_ target: String, base: URL? = nil) -> String? {
        let text = target.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty, !text.unicodeScalars.contains(where: Sanitizer.isControl) else { return nil }
        guard let url = URL(string: text, relativeTo: base)?.absoluteURL, let scheme = url.scheme?.lowercased(),
            ["http", "https", "mailto"].contains(scheme)
        else { return nil }
        let address = url.absoluteString
        return address.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? address : nil
    }
}
