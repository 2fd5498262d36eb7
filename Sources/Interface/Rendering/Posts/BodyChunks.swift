import BlogMarkup
import BlogModel

/// Cuts a body that is too long for memory into chunks, which are laid out one after the other.
///
/// A reference-style link can't be resolved if its definition is in a later chunk.
struct BodyChunks {
    enum Unit {
        case lines
        /// Blocks that no other block may contain, unless these are too long.
        case blocks
    }

    let format: BodyFormat
    /// The text after the last chunk.
    private var rest: String
    /// The text after ``rest``; nil for a body in memory, which is a single chunk.
    private let body: (any LongText)?
    private var place = 0
    private(set) var isAtEnd = false

    /// Guesses the format of a body without a declared one.
    init(_ record: Record) throws {
        body = record.longBody
        rest = try body?.part(at: &place) ?? record.body ?? ""
        let isBeginning = body != nil && HTML.isBeginning(of: rest)
        self.format = record.bodyFormat ?? (isBeginning ? .html : BodyText.format(of: rest))
    }

    /// The next chunk; nil after the last one, which may be empty.
    mutating func next(_ unit: Unit) throws -> String? {
        guard !isAtEnd else { return nil }
        // How long the rest must be to be searched: after every part, that would take quadratic time.
        var threshold = Self.minBytes
        while let part = try body?.part(at: &place) {
            rest += part
            guard rest.utf8.count >= threshold else { continue }
            if let end = end(of: unit) {
                defer { rest.removeSubrange(..<end) }
                return String(rest[..<end])
            }
            threshold = rest.utf8.count * 2
        }
        isAtEnd = true
        return rest
    }

    /// The end of the next chunk; nil if more text is needed.
    private func end(of unit: Unit) -> String.Index? {
        let end =
            switch (unit, format) {
            case (.lines, _): rest.utf8.lastIndex(of: .lineFeed).map { rest.utf8.index(after: $0) }
            // HTML is cut only if it is very long, because any element may be open.
            case (.blocks, .html): nil as String.Index?
            case (.blocks, _): Self.lastBoundary(in: rest)
            }
        return end ?? (rest.utf8.count < Self.maxBytes(of: format) ? nil : Self.lastBreak(in: rest))
    }

    /// The start of the last line that follows a blank one and can only begin a top-level block.
    private static func lastBoundary(in text: String) -> String.Index? {
        var boundary: String.Index?
        var (isInFence, isAfterBlank) = (false, false)
        var index = text.startIndex
        while index < text.endIndex {
            let end = text[index...].utf8.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
            // As scalars, because a line of marks is one Character, which takes quadratic time to compare.
            let line = text[index..<end].unicodeScalars
            let start = line.drop { $0 == " " }
            if start.starts(with: "```".unicodeScalars) || start.starts(with: "~~~".unicodeScalars) {
                isInFence.toggle()
            }
            if isAfterBlank, !isInFence, line.first?.properties.isAlphabetic == true { boundary = index }
            isAfterBlank = start.allSatisfy(\.properties.isWhitespace)
            index = end < text.endIndex ? text.utf8.index(after: end) : end
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

    private static let minBytes = 1 << 17
    /// Longer text without a boundary is cut anywhere: sooner where that shows less.
    static func maxBytes(of format: BodyFormat) -> Int {
        switch format {
        case .plain: 1 << 18
        case .markdown: 1 << 20
        case .html: 1 << 23
        }
    }
}
