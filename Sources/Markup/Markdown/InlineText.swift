/// Escapes and entities in text.
package enum InlineText {
    /// The text with entities replaced, and backslash escapes too by default.
    package static func unescaped(_ bytes: [UInt8], hasEscapes: Bool = true) -> String {
        guard bytes.contains(where: { $0 == UInt8(ascii: "&") || hasEscapes && $0 == UInt8(ascii: "\\") }) else {
            return bytes.text
        }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let isEscape = hasEscapes && bytes[index] == UInt8(ascii: "\\")
            if isEscape, index + 1 < bytes.count, bytes[index + 1].isASCIIPunctuation {
                result.append(bytes[index + 1])
                index += 2
            } else if bytes[index] == UInt8(ascii: "&"), let (text, length) = Entities.entity(bytes[index...]) {
                result += Array(text.utf8)
                index += length
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result.text
    }
}
