import BlogEssentials
/// A JSON value, possibly incomplete.
///
/// Foundation's decoder rejects a whole text for a missing bracket or a partial character, and feeds may be truncated;
/// where values may be of any type, it also takes time for the path of each.
package indirect enum JSONTree {
    case object([(name: String, value: JSONTree)])
    case array([JSONTree])
    case string(String)
    /// As written.
    case number(String)
    case boolean(Bool)
    /// `null`, or something unreadable.
    case other

    /// Parses the value at the beginning of a text, up to the first error.
    package static func document(_ bytes: UnsafeBufferPointer<UInt8>) -> (value: JSONTree, end: DocumentEnd) {
        var reader = JSONTreeReader(bytes)
        let value = reader.value(depth: 0)
        return (value, reader.end)
    }

    /// The first member of an object with this name.
    package subscript(name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The items of an array; empty for anything else.
    package var items: [JSONTree] { if case .array(let items) = self { items } else { [] } }

    /// A string, or a number as written; nil if it is blank.
    package var text: String? {
        switch self {
        case .string(let text), .number(let text): text.utf8.allSatisfy(\.isASCIIWhitespace) ? nil : text
        case .object, .array, .boolean, .other: nil
        }
    }
}

/// How a document ends: a response may be cut off anywhere.
package enum DocumentEnd: Sendable {
    case found
    case missing
    /// Missing, and the last item isn't whole: it is left out, because it would replace the whole one that is stored.
    case withinItem
    /// There are more items than a feed may have.
    case tooMany
}

private struct JSONTreeReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Beyond the end if a bracket is missing there.
    private var index = 0
    private var lacksItem = false

    private static let maxDepth = 32
    /// Many times more than any feed has, as a value takes many times the memory of two brackets.
    private static let maxValues = 500_000
    private var count = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var end: DocumentEnd { lacksItem ? .withinItem : index > bytes.count ? .missing : .found }

    mutating func value(depth: Int) -> JSONTree {
        guard let first = peek(), depth < Self.maxDepth, count < Self.maxValues else { return stop() }
        count += 1
        switch first {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return .string(string())
        default:
            let start = index
            while index < bytes.count,
                bytes[index].isASCIIAlphanumeric || Self.signs.contains(bytes[index])
            {
                index += 1
            }
            guard index > start else { return stop() }
            let word = bytes[start..<index]
            if word.first.map({ $0.isDigit || $0 == UInt8(ascii: "-") }) == true { return .number(word.text) }
            return word.text == "true" ? .boolean(true) : word.text == "false" ? .boolean(false) : .other
        }
    }

    private static let signs = Array("+-.".utf8)

    private mutating func object(depth: Int) -> JSONTree {
        var members: [(name: String, value: JSONTree)] = []
        index += 1
        while let next = peek(), next != UInt8(ascii: "}") {
            if next == UInt8(ascii: ",") {
                index += 1
                continue
            }
            let name = next == UInt8(ascii: "\"") ? string() : nil
            guard let name, peek() == UInt8(ascii: ":") else {
                _ = stop()
                break
            }
            index += 1
            let lackedItem = lacksItem
            members.append((name, value(depth: depth + 1)))
            if case .array? = members.last?.value, name != "items", name != "item" { lacksItem = lackedItem }
        }
        index += 1
        return .object(members)
    }

    private mutating func array(depth: Int) -> JSONTree {
        var items: [JSONTree] = []
        index += 1
        while let next = peek(), next != UInt8(ascii: "]") {
            if next == UInt8(ascii: ",") {
                index += 1
                continue
            }
            let item = value(depth: depth + 1)
            if index > bytes.count { lacksItem = true } else { items.append(item) }
        }
        index += 1
        return .array(items)
    }

    /// Stops reading at an error.
    private mutating func stop() -> JSONTree {
        index = bytes.count
        return .other
    }

    private mutating func peek() -> UInt8? {
        while index < bytes.count, bytes[index].isASCIIWhitespace { index += 1 }
        return index < bytes.count ? bytes[index] : nil
    }

    private mutating func string() -> String {
        var text: [UInt8] = []
        index += 1
        while index < bytes.count {
            let end = bytes.endOfUnquotedText(from: index)
            text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[index..<end]))
            index = end
            guard index < bytes.count else { break }
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") { appendEscape(to: &text) } else { text.append(byte) }
        }
        return text.text
    }

    private mutating func appendEscape(to text: inout [UInt8]) {
        guard index < bytes.count else { return }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(.lineFeed)
        case UInt8(ascii: "t"): text.append(.tab)
        case UInt8(ascii: "r"): text.append(.carriageReturn)
        case UInt8(ascii: "b"), UInt8(ascii: "f"): text.append(.space)
        case UInt8(ascii: "u"):
            guard var code = codeUnit() else { return }
            if (0xD800...0xDBFF).contains(code), index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "u")
            {
                let start = index
                index += 2
                if let low = codeUnit(), (0xDC00...0xDFFF).contains(low) {
                    code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
                } else {
                    index = start
                }
            }
            text += Array(String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
        default: text.append(byte)
        }
    }

    private mutating func codeUnit() -> UInt32? {
        guard index + 4 <= bytes.count, let code = UInt32(bytes[index..<index + 4].text, radix: 16) else { return nil }
        index += 4
        return code
    }
}
