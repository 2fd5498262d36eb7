import Foundation

/// `NaN` and `Infinity`, which Python and others write where JSON has no number for it (RFC 8259, section 6), and which
/// Foundation takes for an error in the whole text.
enum NotANumber {
    /// The JSON with `null` in the place of each; nil if there is none.
    static func replaced(in json: Data) -> Data? {
        let bytes = [UInt8](json)
        var result: [UInt8] = []
        var (index, copied, isText) = (0, 0, false)
        while index < bytes.count {
            let byte = bytes[index]
            if isText {
                // What follows a backslash ends no string.
                index += byte == UInt8(ascii: "\\") ? 2 : 1
                isText = byte != UInt8(ascii: "\"")
            } else if let word = words.first(where: { bytes[index...].starts(with: $0) }) {
                result += bytes[copied..<index] + Array("null".utf8)
                index += word.count
                copied = index
            } else {
                isText = byte == UInt8(ascii: "\"")
                index += 1
            }
        }
        return copied == 0 ? nil : Data(result + bytes[copied...])
    }

    private static let words = ["NaN", "-NaN", "Infinity", "-Infinity"].map { Array($0.utf8) }
}
