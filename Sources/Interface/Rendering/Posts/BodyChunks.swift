import BlogMarkup
import BlogModel

/// Cuts a long body into chunks, which are laid out one after the other, because a laid-out text takes many times the
/// memory of its source.
///
/// A body of up to ``minBytes`` is a single chunk. A reference-style link can't be resolved if its definition is in a
/// later chunk.
struct BodyChunks {
    enum Unit {
        case lines
        /// Blocks that no other block may contain, unless these are too long.
        case blocks
    }

    let format: BodyFormat
    /// The text after the last chunk.
    private var rest: Substring
    private(set) var isAtEnd = false

    /// Guesses the format of a body without a declared one.
    init(_ record: Record) {
        rest = (record.body ?? "")[...]
        let beginning = rest.prefix(bytes: Self.minBytes)
        let isBeginning = beginning.endIndex < rest.endIndex && HTML.isBeginning(of: String(beginning))
        format = record.bodyFormat ?? (isBeginning ? .html : BodyText.format(of: String(beginning)))
    }

    /// The next chunk; nil after the last one, which may be empty.
    mutating func next(_ unit: Unit) -> String? {
        guard !isAtEnd else { return nil }
        // Searched again only at twice the length: after every line, that would take quadratic time.
        var size = Self.minBytes
        while case let window = rest.prefix(bytes: size), window.endIndex < rest.endIndex {
            if let end = end(of: unit, in: window, size) {
                defer { rest = rest[end...] }
                return String(rest[..<end])
            }
            size *= 2
        }
        isAtEnd = true
        return String(rest)
    }

    /// The end of the next chunk; nil if more text is needed.
    private func end(of unit: Unit, in text: Substring, _ size: Int) -> String.Index? {
        let end =
            switch (unit, format) {
            case (.lines, _): text.utf8.lastIndex(of: .lineFeed).map { text.utf8.index(after: $0) }
            // HTML is cut only if it is very long, because any element may be open.
            case (.blocks, .html): nil as String.Index?
            case (.blocks, _): Self.lastBoundary(in: text)
            }
        return end ?? (size < Self.maxBytes(of: format) ? nil : Self.lastBreak(in: text))
    }

    /// The start of the last line that follows a blank one and can only begin a top-level block.
    private static func lastBoundary(in text: Substring) -> String.Index? {
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
    private static func lastBreak(in text: Substring) -> String.Index {
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

extension Substring {
    /// The first whole scalars, up to a number of bytes.
    fileprivate func prefix(bytes: Int) -> Substring {
        guard var end = utf8.index(startIndex, offsetBy: bytes, limitedBy: endIndex) else { return self }
        while end < endIndex, UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return self[..<end]
    }
}
