import BlogEssentials
import BlogMarkup

/// Compact JSON with members in the given order and all control characters escaped; all JSON that leaves the program.
///
/// Foundation's encoder doesn't keep the order of keys, and doesn't escape C1 and bidirectional controls.
package struct JSONText: JSONValue, ExpressibleByDictionaryLiteral {
    package let json: String

    /// JSON that was written before.
    init(json: String) {
        self.json = json
    }

    /// An object without the members whose value is nil.
    init(_ members: [(String, (any JSONValue)?)]) {
        let present = members.compactMap { name, value in value.map { "\(name.json):\($0.json)" } }
        json = "{" + present.joined(separator: ",") + "}"
    }

    package init(dictionaryLiteral members: (String, (any JSONValue)?)...) {
        self.init(members)
    }

    /// An object without its end, for further members.
    var open: Substring { json.dropLast() }

    /// A part of a string, escaped but without quotes.
    static func part(_ text: String) -> String {
        var text = text
        return text.withUTF8(escaped)
    }

    /// On bytes, because a body may have many megabytes.
    private static func escaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if bytes.endOfPlainText(from: 0) == bytes.count { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 16)
        var index = 0
        while true {
            let start = index
            index = bytes.endOfPlainText(from: start)
            result += bytes[start..<index]
            guard index < bytes.count else { break }
            let byte = bytes[index]
            let (code, length) = Sanitizer.harmfulScalar(bytes, index)
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
            case 0x0A: result += Array("\\n".utf8)
            case 0x09: result += Array("\\t".utf8)
            case 0x0D: result += Array("\\r".utf8)
            case _ where code != nil:
                let hex = String(code ?? 0, radix: 16)
                result += Array(("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).utf8)
            default: result += bytes[index..<index + length]
            }
            index += length
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// A value that can be written as JSON.
package protocol JSONValue {
    var json: String { get }
}

extension String: JSONValue {
    package var json: String { "\"" + JSONText.part(self) + "\"" }
}

extension Bool: JSONValue {
    package var json: String { String(self) }
}

extension Int: JSONValue {
    package var json: String { String(self) }
}

extension Int64: JSONValue {
    package var json: String { String(self) }
}

extension Double: JSONValue {
    /// JSON has no infinity and NaN.
    package var json: String { isFinite ? "\(self)" : "null" }
}

extension Array: JSONValue where Element: JSONValue {
    package var json: String { "[" + map(\.json).joined(separator: ",") + "]" }
}
