import BlogEssentials

/// CommonMark (https://spec.commonmark.org/0.31.2) with GitHub's tables, task lists and strikethrough
/// (https://github.github.com/gfm).
package enum Markdown {
    /// Parses Markdown in linear time, without the tags of static-site generators.
    package static func document(_ text: String) -> Document {
        var parser = BlockParser()
        var rest = Liquid.removed(from: CombiningMarks.limited(Array(text.utf8)))[...]
        while !rest.isEmpty {
            let end = rest.firstIndex { $0 == .lineFeed || $0 == .carriageReturn } ?? rest.endIndex
            parser.add(line: Array(rest[rest.startIndex..<end]))
            let isPair = end + 1 < rest.endIndex && rest[end] == .carriageReturn && rest[end + 1] == .lineFeed
            rest = rest[min(end + (isPair ? 2 : 1), rest.endIndex)...]
            if parser.isFull {
                parser.add(rest: rest)
                break
            }
        }
        return parser.finish()
    }
}

extension Markdown {
    /// The lines that define targets of links, `[name]: address`, from an offset on.
    static func definitions(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> [UInt8] {
        var definitions: [UInt8] = []
        var position = start
        while let bracket = text.offset(of: UInt8(ascii: "["), from: position) {
            position = bracket + 1
            let indent = text[..<bracket].suffix(4).reversed().prefix { $0 == .space }.count
            guard indent < 4, bracket == indent || text[bracket - indent - 1] == .lineFeed else { continue }
            // Searched only from the beginning of a line: from each bracket, it would take quadratic time.
            position = text.offset(of: .lineFeed, from: bracket) ?? text.count
            let line = text[bracket..<position]
            if line.position(of: Array("]:".utf8)) != nil { definitions += line + [.lineFeed] }
        }
        return definitions
    }

    /// Whether a text has syntax that is rare outside Markdown, and so isn't plain text.
    package static func isLikely(_ body: String) -> Bool {
        let bytes = Array(body.utf8)
        return bytes.split(separator: .lineFeed).contains(where: beginsBlock)
            || inlineMarks.contains { bytes.position(of: $0) != nil }
            || "*_`".utf8.contains { hasPair(of: $0, in: bytes) }
    }

    private static func beginsBlock(_ line: ArraySlice<UInt8>) -> Bool {
        let start = line.drop { $0 == .space }
        guard let first = start.first else { return false }
        if first == UInt8(ascii: "#") { return start.drop { $0 == UInt8(ascii: "#") }.first == .space }
        let digits = start.prefix(while: \.isDigit)
        if !digits.isEmpty, digits.count < 4, start[digits.endIndex...].starts(with: Array(". ".utf8)) { return true }
        return blockMarks.contains { start.starts(with: $0) }
    }

    /// Whether a line has words between two marks, with no space inside the marks.
    private static func hasPair(of mark: UInt8, in body: [UInt8]) -> Bool {
        var isOpen = false
        var before = UInt8.space
        for byte in body {
            defer { before = byte }
            if byte == .lineFeed { isOpen = false }
            guard byte == mark else { continue }
            if isOpen && !before.isASCIIWhitespace { return true }
            isOpen = before.isASCIIWhitespace || before == UInt8(ascii: "(") || isOpen
        }
        return false
    }

    private static let inlineMarks = ["](", "]: ", "<http"].map { Array($0.utf8) }
    private static let blockMarks = ["- ", "* ", "+ ", "1) ", "```", "~~~", "> ", "| ", "|-", "---", "***"].map {
        Array($0.utf8)
    }
}
