import BlogEssentials
import BlogMarkup

/// The links in HTML.
enum HTMLLinks {
    /// HTML with its relative links resolved, except fragments such as `#note-1`.
    static func resolved(_ html: [UInt8], base: LinkBase) -> [UInt8] {
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

    /// The resolved value of an attribute, escaped for use without quotes; nil if it needs no change.
    static func rewritten(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, base: LinkBase
    ) -> [UInt8]? {
        guard let first = value.first, first != UInt8(ascii: "#"), isLink(name) else { return nil }
        let link = CharacterReferences.replaced(in: value)
        guard !LinkBase.isAbsolute(link) else { return nil }
        return Array(base.resolve(link).utf8).withUnsafeBufferPointer { quoted($0, escapesAmpersand: true) }
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

    /// Whether the value of an attribute is a URL.
    private static func isLink(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        func isName(_ text: StaticString) -> Bool {
            name.count == text.utf8CodeUnitCount && name.indices.allSatisfy { name[$0] | 0x20 == text.utf8Start[$0] }
        }
        return switch name.count {
        case 3: isName("src")
        case 4: isName("href") || isName("cite")
        case 6: isName("poster")
        case 8: isName("data-src")
        default: false
        }
    }
}
