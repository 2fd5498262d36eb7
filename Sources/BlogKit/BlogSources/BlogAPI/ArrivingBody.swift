import Foundation

/// The beginning of a post's body while the rest of its JSON is still under way.
///
/// It looks for the string under `body` in the outermost object and gives it line by line. What it can't make sense of
/// it gives nothing of: the decoder that reads the answer when it is whole decides what is right.
struct ArrivingBody {
    private enum Place {
        /// Between values.
        case outside
        /// In a string; whether it is the body's text, or could be the name `body`.
        case inside(isBody: Bool)
        case done
    }

    private var place = Place.outside
    private var depth = 0
    /// The string that was read last, as long as it may be a name.
    private var name: [UInt8] = []
    private var isBodyNext = false
    private var escape = JSONEscape()
    /// Text that is no whole line yet.
    private var pending: [UInt8] = []

    /// Takes bytes of the answer and gives the lines of the body that are complete by now; nil for none.
    mutating func add(_ data: Data) -> String? {
        for byte in data {
            switch place {
            case .outside: addOutside(byte)
            case .inside(let isBody): addInside(byte, isBody)
            case .done: break
            }
        }
        return takeLines()
    }

    private mutating func addOutside(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""):
            place = .inside(isBody: isBodyNext)
            name = []
        case UInt8(ascii: ":"): isBodyNext = depth == 1 && name == Array("body".utf8)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            isBodyNext = false
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        case UInt8(ascii: ","):
            isBodyNext = false
            name = []
        default: break
        }
    }

    private mutating func addInside(_ byte: UInt8, _ isBody: Bool) {
        if escape.isOpen || byte == UInt8(ascii: "\\") {
            let text = escape.add(byte)
            if isBody { pending += text } else { name.append(0) }
        } else if byte == UInt8(ascii: "\"") {
            if isBody { pending += escape.finish() }
            place = isBody ? .done : .outside
        } else if isBody {
            pending += escape.finish()
            pending.append(byte)
        } else if name.count < Self.longestName {
            name.append(byte)
        }
    }

    private mutating func takeLines() -> String? {
        var end = pending.lastIndex(of: UInt8(ascii: "\n"))
        // Text without line breaks is given up to a space, unless a terminal's sequence might be cut in two there.
        if end == nil, pending.count > Self.longestLine, !pending.contains(where: { $0 == 0x1B || $0 == 0xC2 }) {
            end = pending.lastIndex(of: UInt8(ascii: " "))
        }
        guard let end else { return nil }
        let text = String(decoding: pending[...end], as: UTF8.self)
        pending.removeSubrange(...end)
        return text
    }

    /// Longer names than `body` are not looked for.
    private static let longestName = 5
    private static let longestLine = 1 << 16
}

/// An escape in a JSON string, and the second half of a character of two.
private struct JSONEscape {
    private var bytes: [UInt8] = []
    /// The first half of a character that is written in two.
    private var high: UInt32?

    var isOpen: Bool { !bytes.isEmpty }

    /// Takes the next byte of an escape, and gives what it stands for when that is known.
    mutating func add(_ byte: UInt8) -> [UInt8] {
        bytes.append(byte)
        guard bytes.count > 1 else { return [] }
        guard bytes[1] == UInt8(ascii: "u") else {
            defer { bytes = [] }
            return finish() + [Self.short[bytes[1]] ?? bytes[1]]
        }
        guard bytes.count == 6 else { return [] }
        defer { bytes = [] }
        return text(UInt32(String(decoding: bytes[2...], as: UTF8.self), radix: 16) ?? 0xFFFD)
    }

    /// What a first half without a second stands for.
    mutating func finish() -> [UInt8] {
        defer { high = nil }
        return high == nil ? [] : Array("\u{FFFD}".utf8)
    }

    private mutating func text(_ code: UInt32) -> [UInt8] {
        if let first = high, (0xDC00...0xDFFF).contains(code) {
            high = nil
            return Array(String(UnicodeScalar(0x10000 + (first - 0xD800) << 10 + (code - 0xDC00)) ?? "\u{FFFD}").utf8)
        }
        let before = finish()
        if (0xD800...0xDBFF).contains(code) {
            high = code
            return before
        }
        return before + Array(String(UnicodeScalar(code) ?? "\u{FFFD}").utf8)
    }

    private static let short: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "f"): 0x0C,
    ]
}
