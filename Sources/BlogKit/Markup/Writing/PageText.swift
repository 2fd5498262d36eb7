import BlogEssentials
import BlogModel

/// HTML of a page.
///
/// Only literals are markup. Interpolated text is escaped, so that nothing from a server becomes an element or an
/// attribute. Attributes have double quotes; addresses in them must have been checked.
package struct PageText: Hashable, Sendable, ExpressibleByStringInterpolation {
    package private(set) var html: String

    package init(stringLiteral html: String) {
        self.html = html
    }

    package init(stringInterpolation: StringInterpolation) {
        html = stringInterpolation.html
    }

    package var isEmpty: Bool { html.isEmpty }

    package static func += (text: inout PageText, other: PageText) { text.html += other.html }

    package static func + (text: PageText, other: PageText) -> PageText {
        var text = text
        text += other
        return text
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            html.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { html += literal }

        /// Text on one line.
        package mutating func appendInterpolation(_ text: String) { html += HTMLEscape.text(Sanitizer.line(text)) }

        /// Text with its line breaks.
        package mutating func appendInterpolation(lines text: String) { html += HTMLEscape.text(Sanitizer.block(text)) }

        package mutating func appendInterpolation(_ number: Int) { html += String(number) }

        package mutating func appendInterpolation(_ text: PageText) { html += text.html }
    }
}

extension Sequence where Element == PageText {
    package func joined(separator: PageText = "") -> PageText {
        var all: PageText = ""
        for (index, text) in enumerated() {
            if index > 0 { all += separator }
            all += text
        }
        return all
    }
}

/// Escapes text for HTML, between tags and in attributes.
enum HTMLEscape {
    static func text(_ text: String) -> String {
        text.unicodeScalars.contains { replacement($0) != nil } ? text.mapScalars(replacement) : text
    }

    private static func replacement(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        // Noncharacters are an error in HTML.
        case _ where (0xFDD0...0xFDEF).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE: "\u{FFFD}"
        default: nil
        }
    }
}

/// Chooses how pages show pictures.
package struct PagePictures: Sendable {
    private let source: @Sendable (String) -> String?
    /// Whether pages may request pictures.
    package let areLinked: Bool

    /// - Parameters:
    ///   - areLinked: whether pages may request pictures.
    ///   - source: returns the `src` for a picture's http or https address, perhaps a `data:` URL; nil to show a link
    ///     instead.
    package init(areLinked: Bool, source: @escaping @Sendable (String) -> String?) {
        self.areLinked = areLinked
        self.source = source
    }

    /// Pictures at their original addresses.
    package static let linked = PagePictures(areLinked: true) { $0 }
    package static let none = PagePictures(areLinked: false) { _ in nil }

    /// The `src` of a picture with an http or https address; nil if it can't be shown.
    package func source(_ address: String?) -> String? { address.flatMap(source) }
}
