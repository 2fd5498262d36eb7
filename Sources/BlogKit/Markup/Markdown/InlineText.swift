/// Escapes and entities in text.
enum InlineText {
    /// The text with entities replaced.
    static func withEntities(_ bytes: [UInt8]) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return bytes.text }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "&"), let (text, length) = Entities.entity(bytes[index...]) {
                result += Array(text.utf8)
                index += length
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result.text
    }

    /// The text with backslash escapes and entities replaced.
    static func unescaped(_ bytes: [UInt8]) -> String {
        guard bytes.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&") }) else { return bytes.text }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1].isASCIIPunctuation {
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
