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
    /// How much of that was looked at for the end of a line.
    private var searched = 0
    /// Whether that may hold what makes a terminal act.
    private var mayHaveSequence = false

    /// Takes bytes of the answer and gives the lines of the body that are complete by now; nil for none.
    mutating func add(_ data: Data) -> String? {
        data.withUnsafeBytes { bytes in
            var rest = bytes.bindMemory(to: UInt8.self)[...]
            while let byte = rest.first {
                if case .inside(isBody: true) = place, !escape.isOpen {
                    // Nearly all of an answer is the body's text: it is taken run by run.
                    let run = rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
                    if !run.isEmpty {
                        escape.finish(into: &pending)
                        pending += run
                        rest = rest[run.endIndex...]
                        continue
                    }
                }
                switch place {
                case .outside: addOutside(byte)
                case .inside(let isBody): addInside(byte, isBody)
                case .done: return
                }
                rest.removeFirst()
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
            // A name with an escape in it is none that is looked for.
            var unwanted: [UInt8] = []
            if isBody { escape.add(byte, into: &pending) } else { escape.add(byte, into: &unwanted) }
            if name.isEmpty && !isBody { name.append(0) }
        } else if byte == UInt8(ascii: "\"") {
            if isBody { escape.finish(into: &pending) } else { escape = JSONEscape() }
            place = isBody ? .done : .outside
        } else if name.count < Self.longestName {
            name.append(byte)
        }
    }

    private mutating func takeLines() -> String? {
        // What was looked at before is not looked at again: a body may be one line of many megabytes.
        let new = pending[searched...]
        searched = pending.count
        mayHaveSequence = mayHaveSequence || new.contains { $0 == 0x1B || $0 == 0xC2 }
        var end = new.lastIndex(of: UInt8(ascii: "\n"))
        // Text without line breaks is given up to a space, unless a terminal's sequence might be cut in two there.
        if end == nil, pending.count > Self.longestLine, !mayHaveSequence { end = new.lastIndex(of: UInt8(ascii: " ")) }
        guard let end else { return nil }
        let text = String(decoding: pending[...end], as: UTF8.self)
        pending.removeSubrange(...end)
        searched = pending.count
        mayHaveSequence = pending.contains { $0 == 0x1B || $0 == 0xC2 }
        return text
    }

    /// Longer names than `body` are not looked for.
    private static let longestName = 5
    private static let longestLine = 1 << 16
}
