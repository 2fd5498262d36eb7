import BlogEssentials
import BlogMarkup

/// Relative links in HTML and Markdown, which are resolved.
package enum RelativeLinks {
    /// HTML with its relative links resolved, except fragments such as `#note-1`.
    package static func resolved(_ html: [UInt8], base: LinkBase) -> [UInt8] {
        html.withUnsafeBufferPointer { bytes in
            var scanner = TagScanner(bytes)
            var result: [UInt8] = []
            var end = 0
            while let token = scanner.next() {
                guard case .open = token else { continue }
                for attribute in scanner.attributes {
                    guard let link = rewritten(scanner[attribute.name], scanner[attribute.value], base: base) else {
                        continue
                    }
                    if end == 0 { result.reserveCapacity(bytes.count * 5 / 4) }
                    result.append(contentsOf: scanner[end..<attribute.value.lowerBound])
                    result += link
                    end = attribute.value.upperBound
                }
            }
            guard end > 0 else { return html }
            result.append(contentsOf: scanner[end..<bytes.count])
            return result
        }
    }

    /// Markdown with its relative links resolved, except fragments and those that ``MarkdownLink`` leaves out.
    static func resolved(markdown: [UInt8], base: LinkBase) -> [UInt8] {
        var result: [UInt8] = []
        var end = 0
        func replace(_ range: Range<Int>, with text: [UInt8]) {
            result += markdown[end..<range.lowerBound]
            result += text
            end = range.upperBound
        }
        for link in MarkdownLink.all(in: markdown) {
            switch link {
            case .tag(let range): replace(range, with: resolved(Array(markdown[range]), base: base))
            case .target(let range, let address):
                guard let first = address.utf8.first, first != UInt8(ascii: "#"),
                    let absolute = absolute(address, base: base)
                else { continue }
                replace(range, with: Array(MarkdownTarget.text(absolute).utf8))
            }
        }
        return result + markdown[end...]
    }

    /// The resolved value of an attribute, escaped for use without quotes; nil if it needs no change.
    static func rewritten(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, base: LinkBase
    ) -> [UInt8]? {
        guard let first = value.first else { return nil }
        if isSet(name) { return resolved(set: value, base: base) }
        return first != UInt8(ascii: "#") && isLink(name) ? resolved(link: value, base: base) : nil
    }

    private static func resolved(link value: UnsafeBufferPointer<UInt8>, base: LinkBase) -> [UInt8]? {
        let link = CharacterReferences.replaced(in: value)
        return absolute(link, base: base).map { absolute in
            Array(absolute.utf8).withUnsafeBufferPointer { quoted($0, escapesAmpersand: true) }
        }
    }

    /// The absolute form of a link; nil if it is absolute already.
    private static func absolute(_ link: String, base: LinkBase) -> String? {
        LinkBase.isAbsolute(link) ? nil : base.resolve(link)
    }

    /// The addresses of a picture in several sizes, `a.png 1x, b.png 2x`, resolved; nil if none needs it.
    ///
    /// The rest is copied as it is, so that a value without quotes needs none afterwards either.
    private static func resolved(set: UnsafeBufferPointer<UInt8>, base: LinkBase) -> [UInt8]? {
        let comma = UInt8(ascii: ",")
        var result: [UInt8] = []
        var (copied, index) = (0, 0)
        while true {
            index = set[index...].firstIndex { !$0.isASCIIWhitespace && $0 != comma } ?? set.count
            guard index < set.count else { break }
            let start = index
            index = set[start...].firstIndex(where: \.isASCIIWhitespace) ?? set.count
            var end = index
            if set[end - 1] == comma {
                while set[end - 1] == comma { end -= 1 }
            } else {
                index = set[index...].firstIndex(of: comma) ?? set.count
            }
            guard let link = resolved(link: UnsafeBufferPointer(rebasing: set[start..<end]), base: base) else {
                continue
            }
            result.append(contentsOf: set[copied..<start])
            result += link
            copied = end
        }
        guard copied > 0 else { return nil }
        result.append(contentsOf: set[copied...])
        return result
    }

    /// A text with escaped tags and character references.
    static func escaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        text.flatMap { byte in
            switch byte {
            case UInt8(ascii: "<"): Array("&lt;".utf8)
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            default: [byte]
            }
        }
    }

    /// An attribute's value, escaped for use in quotes.
    static func quoted(_ value: UnsafeBufferPointer<UInt8>, escapesAmpersand: Bool = false) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(value.count)
        for byte in value {
            switch byte {
            case UInt8(ascii: "\""): result += Array("&quot;".utf8)
            case UInt8(ascii: "'"): result += Array("&#39;".utf8)
            // A resolved value may not be in quotes.
            case UInt8(ascii: " ") where escapesAmpersand: result += Array("%20".utf8)
            case UInt8(ascii: ">") where escapesAmpersand: result += Array("&gt;".utf8)
            case UInt8(ascii: "&") where escapesAmpersand: result += Array("&amp;".utf8)
            default: result.append(byte)
            }
        }
        return result
    }

    static func isVoid(_ name: [UInt8]) -> Bool { HTMLNames.voids.contains(name.text.lowercased()) }

    /// Whether the value of an attribute is a URL; scripts that load pictures lazily have their own attributes.
    private static func isLink(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        switch name.count {
        case 3: isName(name, "src")
        case 4: isName(name, "href") || isName(name, "cite")
        case 6: isName(name, "poster")
        case 8: isName(name, "data-src")
        case 13: isName(name, "data-lazy-src") || isName(name, "data-original")
        case 14: isName(name, "data-orig-file")
        default: false
        }
    }

    /// Whether the value of an attribute is a list of URLs with sizes.
    private static func isSet(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        switch name.count {
        case 6: isName(name, "srcset")
        case 11: isName(name, "data-srcset")
        case 16: isName(name, "data-lazy-srcset")
        default: false
        }
    }

    private static func isName(_ name: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        name.count == text.utf8CodeUnitCount && name.indices.allSatisfy { name[$0] | 0x20 == text.utf8Start[$0] }
    }
}
