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
        var json = "{"
        for (name, value) in members {
            guard let value else { continue }
            if json.utf8.count > 1 { json += "," }
            name.write(to: &json)
            json += ":"
            value.write(to: &json)
        }
        self.json = json + "}"
    }

    package init(dictionaryLiteral members: (String, (any JSONValue)?)...) {
        self.init(members)
    }

    package func write(to json: inout String) { json += self.json }

    /// An object without its end, for further members.
    var open: Substring { json.dropLast() }

    /// A part of a string, escaped but without quotes.
    static func part(_ text: String) -> String {
        var text = text
        let isPlain = text.withUTF8 { $0.endOfPlainText(from: 0) == $0.count }
        return isPlain ? text : text.withUTF8(escaped)
    }

    /// On bytes, because a body may have many megabytes.
    private static func escaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
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
    /// Appends the value, as a string per value would be copied once for each object around it.
    func write(to json: inout String)
}

extension JSONValue {
    package var json: String {
        var json = ""
        write(to: &json)
        return json
    }
}

extension String: JSONValue {
    package func write(to json: inout String) {
        json += "\""
        json += JSONText.part(self)
        json += "\""
    }
}

extension Bool: JSONValue {
    package func write(to json: inout String) { json += self ? "true" : "false" }
}

extension Int: JSONValue {
    package func write(to json: inout String) { json += String(self) }
}

extension Int64: JSONValue {
    package func write(to json: inout String) { json += String(self) }
}

extension Double: JSONValue {
    /// JSON has no infinity and NaN.
    package func write(to json: inout String) { json += isFinite ? "\(self)" : "null" }
}

extension Array: JSONValue where Element: JSONValue {
    package func write(to json: inout String) {
        json += "["
        for (index, element) in enumerated() {
            if index > 0 { json += "," }
            element.write(to: &json)
        }
        json += "]"
    }
}
