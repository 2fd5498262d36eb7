import Markup
import Model

/// Writes compact JSON, with keys in the given order.
///
/// Foundation's encoder gives keys in no order and lets C1 and bidi controls through; here every character that could
/// move a terminal is escaped.
package enum JSONText {
    /// A string in quotes, or `null`.
    package static func string(_ text: String?) -> String {
        guard var text else { return "null" }
        return "\"" + text.withUTF8(escaped) + "\""
    }

    /// A part of a string, escaped but without quotes around it.
    package static func part(_ text: String) -> String {
        var text = text
        return text.withUTF8(escaped)
    }

    /// An object; a member whose value is nil is left out.
    package static func object(_ members: [(key: String, value: String?)]) -> String {
        let present = members.compactMap { member in member.value.map { "\(string(member.key)):\($0)" } }
        return "{" + present.joined(separator: ",") + "}"
    }

    /// Works on bytes, because a body can be of many megabytes.
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
