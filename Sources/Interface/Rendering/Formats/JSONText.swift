import BlogEssentials
import BlogMarkup

/// Compact JSON with members in the given order and all control characters escaped; all JSON that leaves the program.
///
/// Foundation's encoder doesn't keep the order of keys, and doesn't escape C1 and bidirectional controls.
package struct JSONText: JSONValue, ExpressibleByDictionaryLiteral {
    private var bytes: [UInt8] = []

    /// JSON that was written before.
    init(json: String) {
        bytes = Array(json.utf8)
    }

    /// An object without the members whose value is nil; their names need no escaping.
    init(_ members: some Sequence<(String, (any JSONValue)?)>) {
        bytes.reserveCapacity(Self.usualSize)
        Self.write(to: &bytes) { json in
            for case (let name, let value?) in members { Self.add(name, value, to: &json) }
        }
    }

    /// Appends an object to which a closure adds the members.
    @inline(__always)
    static func write(to json: inout [UInt8], _ addMembers: (inout [UInt8]) -> Void) {
        json.append(UInt8(ascii: "{"))
        addMembers(&json)
        json.append(UInt8(ascii: "}"))
    }

    /// Adds a member to the object that the JSON ends in; its name needs no escaping.
    static func add(_ name: String, _ value: some JSONValue, to json: inout [UInt8]) {
        // No value ends like that.
        if json.last != UInt8(ascii: "{") { json.append(UInt8(ascii: ",")) }
        json.append(UInt8(ascii: "\""))
        json.append(text: name)
        json.append(UInt8(ascii: "\""))
        json.append(UInt8(ascii: ":"))
        value.write(to: &json)
    }

    package init(dictionaryLiteral members: (String, (any JSONValue)?)...) {
        self.init(members)
    }

    package func write(to json: inout [UInt8]) { json += bytes }
    package var json: String { bytes.text }

    /// An object without its end, for further members.
    var open: String { bytes.dropLast().text }

    /// - Parameter isWritten: whether quotes and backslashes are those of JSON, and stay.
    fileprivate static func escape(
        _ bytes: UnsafeBufferPointer<UInt8>, into json: inout [UInt8], isWritten: Bool = false
    ) {
        var index = 0
        while true {
            let start = index
            index = bytes.endOfPlainText(from: start)
            json += UnsafeBufferPointer(rebasing: bytes[start..<index])
            guard index < bytes.count else { break }
            let byte = bytes[index]
            let (code, length) = Sanitizer.harmfulScalar(bytes, index)
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += isWritten ? [byte] : [UInt8(ascii: "\\"), byte]
            case 0x0A: json += "\\n".utf8
            case 0x09: json += "\\t".utf8
            case 0x0D: json += "\\r".utf8
            case _ where code != nil:
                let hex = String(code ?? 0, radix: 16)
                json += ("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).utf8
            default: json += bytes[index..<index + length]
            }
            index += length
        }
    }

    /// In bytes: of the object of a post in a list.
    static let usualSize = 1 << 10
}

/// A value that can be written as JSON.
package protocol JSONValue {
    /// Appends the value in UTF-8, as a string per value would be copied once for each object around it.
    func write(to json: inout [UInt8])
}

extension JSONValue {
    package var json: String {
        var json: [UInt8] = []
        write(to: &json)
        return json.text
    }
}

extension String: JSONValue {
    package func write(to json: inout [UInt8]) {
        var text = self
        json.append(UInt8(ascii: "\""))
        text.withUTF8 { JSONText.escape($0, into: &json) }
        json.append(UInt8(ascii: "\""))
    }
}

extension Bool: JSONValue {
    package func write(to json: inout [UInt8]) { json += (self ? "true" : "false").utf8 }
}

extension Int: JSONValue {
    package func write(to json: inout [UInt8]) { json += String(self).utf8 }
}

extension Int64: JSONValue {
    package func write(to json: inout [UInt8]) { json += String(self).utf8 }
}

extension Double: JSONValue {
    /// JSON has no infinity and NaN.
    package func write(to json: inout [UInt8]) { json += (isFinite ? "\(self)" : "null").utf8 }
}

extension Array: JSONValue where Element: JSONValue {
    package func write(to json: inout [UInt8]) {
        json.append(UInt8(ascii: "["))
        for (index, element) in enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            element.write(to: &json)
        }
        json.append(UInt8(ascii: "]"))
    }
}

extension String {
    /// JSON that was written before, with its harmful characters escaped, which are all in strings.
    var escapingHarmful: String {
        var (written, escaped) = (self, [UInt8]())
        written.withUTF8 { JSONText.escape($0, into: &escaped, isWritten: true) }
        return escaped.text
    }
}
