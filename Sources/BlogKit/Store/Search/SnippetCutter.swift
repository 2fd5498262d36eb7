import BlogEssentials
import BlogMarkup
import BlogModel

/// Extracts the excerpt of a text with the most search terms.
///
/// SQLite's `snippet()` would show the folded text of the index. Folding a text to find the terms in it takes much
/// longer than finding the post, so ASCII terms are first looked for as they were typed, ignoring case: "the first of
/// them, every hit printed" in Benchmarks/RESULTS.md.
struct SnippetCutter {
    typealias Phrase = SearchedWords.Phrase
    private typealias Text = UnsafeBufferPointer<UInt8>

    private struct Hit {
        let phrase: Int
        /// The bytes in the text.
        let range: Range<Int>
    }

    private let phrases: [Phrase]
    var phraseCount: Int { phrases.count }
    /// Whether all phrases can be found without folding the text.
    let isASCII: Bool

    init?(_ phrases: [Phrase]) {
        guard !phrases.isEmpty else { return nil }
        self.phrases = phrases
        isASCII = phrases.allSatisfy(\.isASCII)
    }

    /// The excerpt of a UTF-8 text around ASCII terms, with matches marked; nil if there are none.
    func cut(_ text: UnsafeBufferPointer<UInt8>) -> Snippet? { cut(text, isWhole: true) }

    /// The excerpt of a text, given only its beginning; nil if the rest of the text might yield a better one.
    func cut(beginning text: UnsafeBufferPointer<UInt8>) -> Snippet? { cut(text, isWhole: false) }

    private func cut(_ text: Text, isWhole: Bool) -> Snippet? {
        guard isASCII else { return nil }
        return cut(text, isWhole: isWhole) { AnyIterator(Matches(of: $0, in: text)) }
    }

    /// The offsets in a source with markup behind the first word of each phrase; none for one that isn't there, or that
    /// markup interrupts.
    func firstWords(in source: UnsafeBufferPointer<UInt8>) -> [Int] {
        phrases.compactMap { phrase in
            var matches = Matches(of: phrase.firstWord, in: source)
            return matches.next()?.upperBound
        }
    }

    /// The excerpt of a text around terms that match after folding; nil if its beginning has none.
    func cutFolded(_ text: UnsafeBufferPointer<UInt8>) -> Snippet? {
        let words = SearchedWords(of: Text(rebasing: text.prefix(Self.maxFolded)))
        return cut(text, isWhole: true) { AnyIterator(words.ranges(of: $0).makeIterator()) }
    }

    /// The beginning of a text; nil if it is empty.
    static func beginning(of text: UnsafeBufferPointer<UInt8>) -> Snippet? {
        text.isEmpty ? nil : snippet(of: text, excerpt(of: text, around: 0..<0), [])
    }

    private func cut(
        _ text: Text, isWhole: Bool, _ matches: (Phrase) -> AnyIterator<Range<Int>>
    ) -> Snippet? {
        guard let (best, passage, count) = best(phrases.map(matches)) else { return nil }
        let excerpt = Self.excerpt(of: text, around: best, until: passage)
        let end = max(excerpt.upperBound, best.lowerBound + Self.maxDistance)
        guard isWhole || count == phrases.count && end < text.count else { return nil }
        return Self.snippet(of: text, excerpt, marks(in: excerpt, of: text))
    }

    /// The first match with the most different phrases near it, the end of these, and their number; nil without matches.
    private func best(_ matches: [AnyIterator<Range<Int>>]) -> (match: Range<Int>, end: Int, phrases: Int)? {
        var best: (match: Range<Int>, end: Int, phrases: Int)?
        var upcoming = matches.map { $0.next() }
        var nearby: [Hit] = []
        while best?.phrases != phrases.count {
            let next = upcoming.indices.min { upcoming[$0]?.lowerBound ?? .max < upcoming[$1]?.lowerBound ?? .max }
            guard let next, let range = upcoming[next] else { break }
            upcoming[next] = matches[next].next()
            // Of a phrase that is there several times, the last counts.
            nearby.removeAll { $0.phrase == next || range.upperBound > $0.range.lowerBound + Self.maxDistance }
            nearby.append(Hit(phrase: next, range: range))
            if nearby.count > best?.phrases ?? 0 { best = (nearby[0].range, range.upperBound, nearby.count) }
        }
        return best
    }

    /// The matches in an excerpt, in order.
    private func marks(in excerpt: Range<Int>, of text: Text) -> [Range<Int>] {
        if isASCII, text[excerpt].allSatisfy({ $0 < 0x80 }) {
            return phrases.flatMap { phrase in
                Matches(of: phrase, in: text, from: excerpt.lowerBound).prefix { $0.upperBound <= excerpt.upperBound }
            }.sorted { $0.lowerBound < $1.lowerBound }
        }
        // A word that is cut off is another one.
        let limit = min(excerpt.upperBound + Self.maxBytes, text.count)
        let end = text[excerpt.upperBound..<limit].firstIndex(where: Self.isSeparator) ?? limit
        let words = SearchedWords(of: Text(rebasing: text[excerpt.lowerBound..<end]))
        return phrases.flatMap(words.ranges).sorted { $0.lowerBound < $1.lowerBound }
            .map { $0.lowerBound + excerpt.lowerBound..<$0.upperBound + excerpt.lowerBound }
    }

    // MARK: ASCII terms

    /// The matches of an ASCII phrase in a text, in order.
    private struct Matches: Sequence, IteratorProtocol {
        private let phrase: Phrase
        private let text: Text
        private let letter: UInt8
        private let capital: UInt8
        /// Where its first letter is next, and where as a capital.
        private var (small, large) = (-1, -1)

        init(of phrase: Phrase, in text: Text, from start: Int = 0) {
            (self.phrase, self.text) = (phrase, text)
            letter = phrase.words.first?.first ?? 0
            capital = (0x61...0x7A).contains(letter) ? letter & ~0x20 : letter
            skip(to: start)
        }

        mutating func next() -> Range<Int>? {
            while case let start = Swift.min(small, large), start < text.count {
                let end = SnippetCutter.beginsWord(text, at: start) ? self.end(from: start) : nil
                skip(to: end ?? start + 1)
                if let end { return start..<end }
            }
            return nil
        }

        private mutating func skip(to start: Int) {
            if small < start { small = text.offset(of: letter, from: start) ?? text.count }
            if large < start { large = text.offset(of: capital, from: start) ?? text.count }
        }

        /// The end of the phrase if it begins at an index; nil if it doesn't.
        private func end(from start: Int) -> Int? {
            var index = start
            for (number, word) in phrase.words.enumerated() {
                let isPrefix = phrase.isPrefix && number == phrase.words.count - 1
                let signs = number == 0 ? nil : text.endOfSigns(at: index)
                if signs != nil || Phrase.areSigns(word) {
                    guard let signs, isPrefix || signs == index + word.count,
                        text[index..<signs].starts(with: word)
                    else { return nil }
                    index = signs
                    continue
                }
                if number > 0 { index = SnippetCutter.skip(SnippetCutter.isSeparator, in: text, from: index) }
                for letter in word {
                    guard index < text.count, text[index].lowercased == letter else { return nil }
                    index += 1
                }
                if isPrefix { index = SnippetCutter.skip(\.isASCIIAlphanumeric, in: text, from: index) }
                guard SnippetCutter.endsWord(text, at: index) else { return nil }
            }
            return index
        }
    }

    private static func excerpt(of text: Text, around hit: Range<Int>, until passage: Int = 0) -> Range<Int> {
        var start = hit.lowerBound
        for _ in 0..<Self.wordsBefore where start > 0 {
            while start > 0, Self.isSeparator(text[start - 1]) { start -= 1 }
            while start > 0, !Self.isSeparator(text[start - 1]) { start -= 1 }
        }
        if start == 0 { start = Self.skip({ $0 <= 0x20 }, in: text, from: 0) }
        var end = hit.upperBound
        for _ in 0..<Self.wordsAfter where end < text.count {
            end = Self.skip({ !Self.isSeparator($0) }, in: text, from: Self.skip(Self.isSeparator, in: text, from: end))
        }
        var excerpt = nearestSpaces(start..<max(end, passage), in: text)
        // A mark on the separator is part of it.
        start = max(excerpt.lowerBound - 1, 0)
        if text[start...].prefix(5).text.first?.utf8.count != 1 { excerpt = start..<excerpt.upperBound }
        return clipped(excerpt, to: hit, in: text)
    }

    /// An excerpt up to the white space around it, unless that is far: "10:30" isn't cut into "30".
    private static func nearestSpaces(_ excerpt: Range<Int>, in text: Text) -> Range<Int> {
        let before = text[..<excerpt.lowerBound].suffix(maxWord).lastIndex { $0 <= 0x20 }
        let after = text[excerpt.upperBound...].prefix(maxWord).firstIndex { $0 <= 0x20 }
        let start = before.map { $0 + 1 } ?? (excerpt.lowerBound <= maxWord ? 0 : excerpt.lowerBound)
        let end = after ?? (text.count - excerpt.upperBound <= maxWord ? text.count : excerpt.upperBound)
        return start..<end
    }

    /// At most ``maxBytes`` of an excerpt, in whole characters, that contain the beginning of the hit.
    private static func clipped(_ excerpt: Range<Int>, to hit: Range<Int>, in text: Text) -> Range<Int> {
        guard excerpt.count > maxBytes else { return excerpt }
        let earliest = max(excerpt.lowerBound, hit.lowerBound - maxBytes / 4)
        let latest = max(earliest + maxBytes, min(hit.upperBound, hit.lowerBound + maxBytes))
        var (start, end, next): (Int?, Int, Int) = (nil, hit.lowerBound, excerpt.lowerBound)
        for character in String(decoding: text[excerpt], as: UTF8.self) {
            if start == nil, next >= earliest { start = next }
            next += character.utf8.count
            if next > latest { break }
            end = next
        }
        return (start ?? hit.lowerBound)..<min(end, excerpt.upperBound)
    }

    private static func snippet(of text: Text, _ excerpt: Range<Int>, _ hits: [Range<Int>]) -> Snippet {
        var isAfterSpace = excerpt.lowerBound == 0
        func string(_ range: Range<Int>) -> String {
            let (text, endsInSpace) = WhiteSpace.collapsed(text[range].text, afterSpace: isAfterSpace)
            isAfterSpace = endsInSpace
            return text
        }
        var pieces: [Snippet.Piece] = []
        var position = excerpt.lowerBound
        var before = text[..<position].contains { $0 > 0x20 } ? "…" : ""
        for hit in hits where hit.lowerBound >= position && hit.upperBound <= excerpt.upperBound {
            before += string(position..<hit.lowerBound)
            if !before.isEmpty { pieces.append(Snippet.Piece(text: before, isHit: false)) }
            pieces.append(Snippet.Piece(text: string(hit), isHit: true))
            (before, position) = ("", hit.upperBound)
        }
        let rest = string(position..<excerpt.upperBound) + (excerpt.upperBound < text.count ? "…" : "")
        if !rest.isEmpty { pieces.append(Snippet.Piece(text: rest, isHit: false)) }
        return Snippet(pieces: pieces)
    }

    private static func skip(_ isSkipped: (UInt8) -> Bool, in text: Text, from start: Int) -> Int {
        var index = start
        while index < text.count, isSkipped(text[index]) { index += 1 }
        return index
    }

    private static func beginsWord(_ text: Text, at index: Int) -> Bool {
        index == 0 || isSeparator(text[index - 1]) || isTypographic(text, at: index - 3)
    }

    private static func endsWord(_ text: Text, at index: Int) -> Bool {
        index == text.count || isSeparator(text[index]) || isTypographic(text, at: index)
    }

    /// Whether a dash, a quotation mark, an apostrophe or the like from U+2010 to U+2027 is at an index, next to which
    /// words are in most texts.
    private static func isTypographic(_ text: Text, at index: Int) -> Bool {
        index >= 0 && index + 2 < text.count && text[index] == 0xE2 && text[index + 1] == 0x80
            && (0x90...0xA7).contains(text[index + 2])
    }

    /// Whether a byte separates words; non-ASCII bytes are part of a word.
    private static func isSeparator(_ byte: UInt8) -> Bool { byte < 0x80 && !byte.isASCIIAlphanumeric }

    private static let wordsBefore = 6
    private static let wordsAfter = 17
    /// The maximum distance of phrases that count as near each other, in bytes.
    private static let maxDistance = 120
    /// The maximum size of an excerpt, in bytes, for scripts without spaces.
    private static let maxBytes = 600
    /// The maximum length of a word that isn't cut, in bytes.
    private static let maxWord = 20
    /// How many bytes of a text to fold; matches in the rest get no snippet.
    private static let maxFolded = 1 << 18
}
