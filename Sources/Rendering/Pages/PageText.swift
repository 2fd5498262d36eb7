import Markup

/// HTML of a page.
///
/// Only its literals are markup: what is interpolated is text and gets escaped, so that nothing from a server becomes an
/// element or an attribute. Attributes stand in double quotes; an address among them has to be checked before.
package struct PageText: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The HTML itself.
    package private(set) var html: String

    package init(stringLiteral html: String) {
        self.html = html
    }

    package init(stringInterpolation: StringInterpolation) {
        html = stringInterpolation.html
    }

    var isEmpty: Bool { html.isEmpty }

    static func += (text: inout PageText, other: PageText) { text.html += other.html }

    static func + (text: PageText, other: PageText) -> PageText {
        var text = text
        text += other
        return text
    }

    /// Puts a text together.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            html.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { html += literal }

        /// Text on one line.
        package mutating func appendInterpolation(_ text: String) { html += HTMLEscape.text(Sanitizer.line(text)) }

        /// Text that keeps its lines.
        mutating func appendInterpolation(lines text: String) { html += HTMLEscape.text(Sanitizer.block(text)) }

        package mutating func appendInterpolation(_ number: Int) { html += String(number) }

        package mutating func appendInterpolation(_ text: PageText) { html += text.html }
    }
}

extension Sequence where Element == PageText {
    /// All of it in one, with something in between.
    func joined(separator: PageText = "") -> PageText {
        var all: PageText = ""
        for (index, text) in enumerated() {
            if index > 0 { all += separator }
            all += text
        }
        return all
    }
}

/// Text put into HTML so that it is read as the text that it was, between tags and in attributes.
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
        // Scalars that stand for no character are an error in HTML.
        case _ where (0xFDD0...0xFDEF).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE: "\u{FFFD}"
        default: nil
        }
    }
}
