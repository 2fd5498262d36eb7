/// JSON as it is written: compact, keys in the order given.
///
/// Foundation's encoder gives keys in no order and lets C1 and bidi controls through; here every character that could
/// move a terminal is escaped.
package enum JSONText {
    /// A string in quotes, or `null`.
    package static func string(_ text: String?) -> String {
        guard var text else { return "null" }
        return text.withUTF8 { bytes in
            let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
            return "\"" + (isPlain ? String(decoding: bytes, as: UTF8.self) : escaped(bytes)) + "\""
        }
    }

    /// An object; a member whose value is nil is left out.
    package static func object(_ members: [(key: String, value: String?)]) -> String {
        let present = members.compactMap { member in member.value.map { "\(string(member.key)):\($0)" } }
        return "{" + present.joined(separator: ",") + "}"
    }

    private static func escaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var result = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\"", "\\":
                result.append("\\")
                result.append(scalar)
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\t": result.append(contentsOf: "\\t".unicodeScalars)
            case "\r": result.append(contentsOf: "\\r".unicodeScalars)
            case _
            where Sanitizer.isControl(scalar) || Sanitizer.isBidiControl(scalar) || scalar == "\u{2028}"
                || scalar == "\u{2029}":
                let hex = String(scalar.value, radix: 16)
                let zeros = String(repeating: "0", count: 4 - hex.count)
                result.append(contentsOf: "\\u\(zeros)\(hex)".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
