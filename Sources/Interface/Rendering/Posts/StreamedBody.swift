import BlogMarkup
import BlogModel

/// Cuts a body into chunks of whole blocks, so that it is laid out while the rest of it is still arriving.
///
/// A reference-style link can't be resolved if its definition is in a later chunk, so only unusually long bodies are
/// cut.
struct StreamedBody {
    /// The text after the last chunk.
    private(set) var rest = ""
    /// How long the rest must be before it is searched for a boundary.
    private var threshold = minBytes
    /// The bytes of all chunks so far.
    private(set) var byteCount = 0
    private var guessedFormat: BodyFormat?

    /// The format of the chunks; nil before the first.
    var format: BodyFormat? { byteCount > 0 ? guessedFormat : nil }

    /// Appends text and returns the next chunk, or nil if it isn't complete.
    mutating func append(_ text: String) -> String? {
        rest += text
        guard rest.utf8.count >= threshold else { return nil }
        if guessedFormat == nil { guessedFormat = HTML.isBeginning(of: rest) ? .html : BodyText.format(of: rest) }
        // HTML is cut only if it is too long for memory, because any element may be open.
        let boundary = guessedFormat == .html ? nil : Self.lastBoundary(in: rest)
        guard let end = boundary ?? (rest.utf8.count < Self.maxBytes ? nil : Self.lastBreak(in: rest)) else {
            // Searching again after every append would take quadratic time.
            threshold = rest.utf8.count * 2
            return nil
        }
        threshold = Self.minBytes
        let chunk = String(rest[..<end])
        rest.removeSubrange(..<end)
        byteCount += chunk.utf8.count
        return chunk
    }

    /// The start of the last line that follows a blank one and can only begin a top-level block.
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

    /// A position between two words, outside tags.
    private static func lastBreak(in text: String) -> String.Index {
        let tag = text.utf8.lastIndex(of: UInt8(ascii: "<"))
        if let tag, text.utf8.distance(from: tag, to: text.endIndex) < text.utf8.count / 2 { return tag }
        return (text.utf8.lastIndex(of: UInt8(ascii: "\n")) ?? text.utf8.lastIndex(of: UInt8(ascii: " ")))
            .map { text.utf8.index(after: $0) } ?? text.endIndex
    }

    /// Most posts are shorter.
    private static let minBytes = 1 << 17
    /// Longer text without a boundary is cut anywhere.
    static let maxBytes = 1 << 23
}
