import Markup
import Model

extension BodyText {
    /// The document of a post: its body, then its enclosures as links.
    package static func document(of metadata: PostMetadata, body: String, format: BodyFormat?) -> Document {
        Document(blocks: document(body, format: format).blocks + enclosures(of: metadata))
    }

    package static func document(of comment: Comment) -> Document {
        document(comment.body, format: comment.bodyFormat ?? .html)
    }

    /// The enclosures of a post as a list of links; empty without any.
    private static func enclosures(of metadata: PostMetadata) -> [Block] {
        guard let enclosures = metadata.article?.enclosures, !enclosures.isEmpty else { return [] }
        let items = enclosures.map { enclosure -> [Block] in
            let name = enclosure.title ?? enclosure.url.split(separator: "/").last.map(String.init) ?? enclosure.url
            let type = enclosure.type.map { " (\(Sanitizer.line($0)))" } ?? ""
            return [.paragraph([.link([.text(Sanitizer.line(name))], target: enclosure.url, title: nil), .text(type)])]
        }
        return [.list(numbers: nil, isTight: true, items: items)]
    }
}

extension Post {
    /// The text of the body without markup.
    ///
    /// It may contain any character that the server sent, including terminal control characters.
    public var plainText: String { BodyText.document(body, format: bodyFormat).blocks.plainText }
}

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
