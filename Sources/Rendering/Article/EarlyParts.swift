import Markup
import Model

/// Cuts the beginning of a long body where it can be laid out without the rest: between two of its outermost blocks.
///
/// What a reference-style link of one part leads to may be in another and is not known then; so only bodies of a length
/// that hardly any post has are cut.
struct EarlyParts {
    private var pending = ""
    /// What was not given yet.
    var rest: String { pending }
    /// How many bytes must have come before a boundary is looked for.
    private var enough = length
    /// How many bytes were given.
    private(set) var given = 0
    /// The format of the body, as its beginning tells.
    private var known: BodyFormat?

    /// The same, for the rest of it; nil if nothing was given.
    var format: BodyFormat? { given > 0 ? known : nil }

    /// Takes more of a body and returns the next part; nil if there is none yet.
    mutating func add(_ text: String) -> String? {
        pending += text
        guard pending.utf8.count >= enough else { return nil }
        if known == nil { known = HTML.isBeginning(of: pending) ? .html : BodyText.format(of: pending) }
        // HTML can't be cut, as any element may be open; bodies too long for memory are not laid out.
        let boundary = known == .html ? nil : Self.lastBoundary(in: pending)
        guard let end = boundary ?? (pending.utf8.count < Self.maxBytes ? nil : Self.lastBreak(in: pending)) else {
            // Looked for at every piece, it would take time in the square of a length without one.
            enough = pending.utf8.count * 2
            return nil
        }
        enough = Self.length
        let part = String(pending[..<end])
        pending.removeSubrange(..<end)
        given += part.utf8.count
        return part
    }

    /// Where the last line begins that stands after a blank one and can only begin a block of the document itself.
    private static func lastBoundary(in text: String) -> String.Index? {
        var boundary: String.Index?
        var (isInFence, isAfterBlank) = (false, false)
        var index = text.startIndex
        while index < text.endIndex {
            let end = text[index...].utf8.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
            let line = text[index..<end]
            let start = line.drop { $0 == " " }
            if start.hasPrefix("```") || start.hasPrefix("~~~") { isInFence.toggle() }
            if isAfterBlank, !isInFence, line.first?.isLetter == true { boundary = index }
            isAfterBlank = start.allSatisfy(\.isWhitespace)
            index = end < text.endIndex ? text.index(after: end) : end
        }
        return boundary
    }

    /// A place between two words, and outside of tags.
    private static func lastBreak(in text: String) -> String.Index {
        let tag = text.utf8.lastIndex(of: UInt8(ascii: "<"))
        if let tag, text.utf8.distance(from: tag, to: text.endIndex) < text.utf8.count / 2 { return tag }
        return (text.utf8.lastIndex(of: UInt8(ascii: "\n")) ?? text.utf8.lastIndex(of: UInt8(ascii: " ")))
            .map { text.utf8.index(after: $0) } ?? text.endIndex
    }

    /// Posts of people have some ten thousand bytes.
    private static let length = 1 << 17
    /// What has no boundary up to here is cut anywhere.
    static let maxBytes = 1 << 23
}
