import BlogEssentials
import BlogMarkup
import BlogTestSupport
import Testing
@testable import BlogRendering

@Suite("Emphasis of random text in Markdown") struct RandomEmphasisTests {
    @Test("reads back with the same text, and with each style that can be read there", arguments: UInt64(0)..<8)
    func same(seed: UInt64) {
        var random = SplitMix(state: seed)
        for _ in 0..<Mutation.count(150) {
            let spans = RandomSpans.next(&random)
            let source = StyledLetter.all(in: spans)
            let markdown = MarkdownPrinter().text(Document(blocks: [.paragraph(spans)]))
            let read = StyledLetter.read(markdown)
            #expect(StyledLetter.lines(read) == StyledLetter.lines(source), "\(markdown.debugDescription)")
            let (before, after) = (source.filter { !$0.isSpace }, read.filter { !$0.isSpace })
            let hasGained = zip(before, after).contains { !$0.styles.isSuperset(of: $1.styles) }
            #expect(!hasGained, "\(markdown.debugDescription)")
            for loss in Loss.all(in: source, after) {
                let better = loss.avoided(in: markdown, after)
                #expect(better == nil, "\(markdown.debugDescription) could be \(better?.debugDescription ?? "")")
            }
        }
    }

    @Test("keeps most of it, but not all") func share() {
        var random = SplitMix(state: 8)
        var (all, kept) = (0, 0)
        for _ in 0..<300 {
            let spans = RandomSpans.next(&random)
            all += StyledLetter.styleCount(StyledLetter.all(in: spans))
            kept += StyledLetter.styleCount(
                StyledLetter.read(MarkdownPrinter().text(Document(blocks: [.paragraph(spans)]))))
        }
        #expect(2 * kept > all && kept < all, "\(kept) of \(all)")
    }
}

/// Spans nested at random.
private enum RandomSpans {
    static func next(_ random: inout SplitMix, depth: Int = 0, isInLink: Bool = false) -> [Span] {
        (0..<Int.random(in: 1...4, using: &random)).flatMap { _ -> [Span] in
            func inner(isInLink: Bool) -> [Span] { next(&random, depth: depth + 1, isInLink: isInLink) }
            switch Int.random(in: 0..<(depth < 3 ? 14 : 6), using: &random) {
            case 0: return [.hardBreak]
            case 1: return [.softBreak]
            // Blank code isn't white space in Markdown.
            case 2: return [.code("c" + text(&random))]
            case 6...7: return [.emphasis(inner(isInLink: isInLink))]
            case 8...9: return [.strong(inner(isInLink: isInLink))]
            case 10...11: return [.strike(inner(isInLink: isInLink))]
            case 12 where !isInLink: return [.link(inner(isInLink: true), target: "http://a.b/*_", title: nil)]
            default: return [.text(text(&random))]
            }
        }
    }

    private static func text(_ random: inout SplitMix) -> String {
        String((0..<Int.random(in: 1...3, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
    }

    private static let letters = Array("aabbcc你好吗。“”().*_~!`1#- \u{A0}")
}

/// A character with what it has around it.
private struct StyledLetter: Hashable {
    let character: Character
    var styles: Set<String>

    var isSpace: Bool { character.isWhitespace }

    static func read(_ markdown: String) -> [Self] {
        Markdown.document(markdown).blocks.flatMap { block -> [Self] in
            guard case .paragraph(let spans) = block else { return [] }
            return all(in: spans)
        }
    }

    static func all(in spans: [Span], _ styles: Set<String> = []) -> [Self] {
        spans.flatMap { span -> [Self] in
            switch span {
            case .emphasis(let inner): all(in: inner, styles.union(["*"]))
            case .strong(let inner): all(in: inner, styles.union(["**"]))
            case .strike(let inner): all(in: inner, styles.union(["~~"]))
            case .link(let inner, _, _): all(in: inner, styles)
            default: [span].plainText.map { Self(character: $0, styles: styles) }
            }
        }
    }

    /// The text without styles, blank lines, and white space around the others.
    static func lines(_ letters: [Self]) -> [String] {
        String(letters.map(\.character)).split(separator: "\n").map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    static func styleCount(_ letters: [Self]) -> Int {
        letters.filter { !$0.isSpace }.map(\.styles.count).reduce(0, +)
    }
}

/// Characters that have lost a style, by their numbers among those that aren't white space.
private struct Loss {
    let style: String
    let letters: Range<Int>

    static func all(in source: [StyledLetter], _ read: [StyledLetter]) -> [Self] {
        ["*", "**", "~~"].flatMap { style -> [Self] in
            var losses: [Self] = []
            var (index, isOpen) = (0, false)
            for letter in source {
                defer { index += letter.isSpace ? 0 : 1 }
                guard letter.styles.contains(style), letter.isSpace || !read[index].styles.contains(style) else {
                    isOpen = false
                    continue
                }
                guard !letter.isSpace else { continue }
                let start = isOpen ? losses.removeLast().letters.lowerBound : index
                losses.append(Self(style: style, letters: start..<index + 1))
                isOpen = true
            }
            return losses
        }
    }

    /// The Markdown with two more marks, if only these letters had the style more then; nil if there are no such places.
    func avoided(in markdown: String, _ read: [StyledLetter]) -> String? {
        var wanted = read
        for index in letters { wanted[index].styles.insert(style) }
        let characters = Array(markdown)
        let places = Self.places(in: characters)
        let (starts, ends) = (places[letters.lowerBound] ?? [], places[letters.upperBound] ?? [])
        // White space stays outside.
        for start in starts where !characters[start..<(starts.last ?? start)].contains(where: \.isWhitespace) {
            for end in ends where !characters[(ends.first ?? end)..<end].contains(where: \.isWhitespace) {
                guard start <= end else { continue }
                let text = String(characters[..<start]) + style + characters[start..<end] + style + characters[end...]
                if StyledLetter.read(text).filter({ !$0.isSpace }) == wanted { return text }
            }
        }
        return nil
    }

    /// The places in Markdown between letters, by the number of letters before them.
    private static func places(in markdown: [Character]) -> [Int: [Int]] {
        Dictionary(grouping: 0...markdown.count) { place in
            let text = String(markdown[..<place]) + "x" + markdown[place...]
            return StyledLetter.read(text).filter { !$0.isSpace }.firstIndex { $0.character == "x" } ?? -1
        }
    }
}
