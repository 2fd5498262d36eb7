import BlogEssentials

/// A link in the source of Markdown.
package enum MarkdownLink {
    /// The target of a link or an image, as it is written and as it is meant.
    case target(Range<Int>, address: String)
    /// A tag of HTML.
    case tag(Range<Int>)

    /// The links in a text, in its order, line by line in linear time.
    ///
    /// Indented lines are left out, because they may be code, and so are targets on another line than their brackets.
    package static func all(in text: [UInt8]) -> [MarkdownLink] {
        var code = FencedCode()
        return text.split(separator: .lineFeed).flatMap { line -> [MarkdownLink] in
            if code.takes(line) || FencedCode.isIndented(line) { return [] }
            if let definition = definition(line) { return [definition] }
            var scanner = MarkdownLineScanner(line)
            return scanner.all()
        }
    }

    private static func definition(_ line: ArraySlice<UInt8>) -> MarkdownLink? {
        guard let (label, target, _) = LinkReferences.definition(line.drop { $0 == .space }) else { return nil }
        return .target(LinkScanner.range(in: line[(label.endIndex + 2)...]), address: target.url)
    }
}

/// Tells the lines of fenced code in Markdown from others.
struct FencedCode {
    private var fence: Fence?

    /// Whether the next line is one of code, or begins or ends it.
    mutating func takes(_ line: ArraySlice<UInt8>) -> Bool {
        let start = line.drop { $0 == .space }
        if let open = fence {
            if BlockStart.ends(open, start) { fence = nil }
            return true
        }
        fence = BlockStart.fence(start, indent: 0)
        return fence != nil
    }

    /// Whether a line may be code because of its indent.
    static func isIndented(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == .tab || line.starts(with: Array("    ".utf8))
    }
}

/// Finds the links in a line of Markdown.
private struct MarkdownLineScanner {
    private let line: ArraySlice<UInt8>
    private var index: Int
    private var links: [MarkdownLink] = []
    private var html = RawHTML()
    /// The end of the code that begins with some backticks, by their index.
    private let endsOfCode: [Int: Int]

    init(_ line: ArraySlice<UInt8>) {
        self.line = line
        index = line.startIndex
        endsOfCode = Self.endsOfCode(line)
    }

    mutating func all() -> [MarkdownLink] {
        while index < line.endIndex { step() }
        return links
    }

    private mutating func step() {
        switch line[index] {
        case UInt8(ascii: "\\"): index += 2
        case UInt8(ascii: "`"):
            index = endsOfCode[index] ?? line[index...].firstIndex { $0 != UInt8(ascii: "`") } ?? line.endIndex
        case UInt8(ascii: "<"):
            let end = html.tagLength(line[index...]).map { index + $0 }
            if let end { links.append(.tag(index..<end)) }
            index = end ?? index + 1
        case UInt8(ascii: "]"):
            index += 1
            guard let (target, range, end) = LinkScanner.inline(line[index...]) else { return }
            links.append(.target(range, address: target.url))
            index = end
        default: index += 1
        }
    }

    private static func endsOfCode(_ line: ArraySlice<UInt8>) -> [Int: Int] {
        guard line.contains(UInt8(ascii: "`")) else { return [:] }
        var (ends, nextOfLength): ([Int: Int], [Int: Int]) = ([:], [:])
        var end = line.endIndex
        while let last = line[..<end].lastIndex(of: UInt8(ascii: "`")) {
            let length = line[...last].reversed().prefix { $0 == UInt8(ascii: "`") }.count
            let start = last + 1 - length
            ends[start] = nextOfLength[length].map { $0 + length }
            nextOfLength[length] = start
            end = start
        }
        return ends
    }
}

/// Writes the target of a link in Markdown.
package enum MarkdownTarget {
    /// A target for parentheses or a definition, in angle brackets if it needs them.
    package static func text(_ target: String, inBrackets: Bool = false) -> String {
        let encoded = withoutEntities(target.replacing(scalar: "\\", with: "\\\\")).mapScalars(percentEncoded)
        let needsBrackets =
            inBrackets || encoded.isEmpty || encoded.unicodeScalars.contains { [" ", "(", ")"].contains($0) }
        return needsBrackets ? "<\(encoded)>" : encoded
    }

    private static func percentEncoded(_ scalar: Unicode.Scalar) -> String? {
        guard scalar == "<" || scalar == ">" || isRemoved(scalar) else { return nil }
        return String(scalar).utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            .uppercased()
    }

    /// Whether a character would be removed from what is shown, so that the target would be another one.
    private static func isRemoved(_ scalar: Unicode.Scalar) -> Bool {
        Sanitizer.isControl(scalar) || Sanitizer.isBidiControl(scalar)
            || !scalar.isASCII && InvisibleCharacters.removed(from: String(scalar)).isEmpty
    }

    /// The text, with ampersands escaped if any would begin a character reference.
    package static func withoutEntities(_ text: String) -> String {
        CharacterReferences.replaced(in: text) == text ? text : text.replacing(scalar: "&", with: "\\&")
    }
}
