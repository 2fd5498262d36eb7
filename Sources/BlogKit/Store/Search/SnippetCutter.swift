import BlogEssentials
import BlogMarkup
import BlogModel

/// Extracts the excerpt of a text with the most search terms.
///
/// SQLite's `snippet()` would show the folded text of the index. Folding a text to find the terms in it takes much
/// longer than finding the post, so ASCII terms are first looked for as they were typed, ignoring case: "the first of
/// them, every hit printed" in Benchmarks/RESULTS.md.
struct SnippetCutter {
    /// One or more consecutive words.
    struct Phrase {
        /// The letters and digits of each word, folded.
        let words: [[UInt8]]
        let isPrefix: Bool
        /// Whether it is ASCII and can be found without folding the text.
        let isASCII: Bool
    }

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
    func cut(_ text: UnsafeBufferPointer<UInt8>) -> Snippet? {
        guard isASCII else { return nil }
        return cut(text) { ranges(of: $0, in: text) }
    }

    /// The excerpt of a text, given only its beginning; nil if the rest of the text might yield a better one.
    func cut(beginning text: UnsafeBufferPointer<UInt8>) -> Snippet? {
        guard isASCII else { return nil }
        return cut(text, isWhole: false) { ranges(of: $0, in: text) }
    }

    /// The offsets in a source with markup behind the first word of each phrase; none for one that isn't there, or that
    /// markup interrupts.
    func firstWords(in source: UnsafeBufferPointer<UInt8>) -> [Int] {
        phrases.compactMap { phrase in
            let isPrefix = phrase.isPrefix && phrase.words.count == 1
            let word = Phrase(words: Array(phrase.words.prefix(1)), isPrefix: isPrefix, isASCII: phrase.isASCII)
            return first(word, in: source, from: 0)?.upperBound
        }
    }

    /// The excerpt of a text around terms that match after folding; nil if its beginning has none.
    func cutFolded(_ text: UnsafeBufferPointer<UInt8>) -> Snippet? {
        let words = Self.words(of: text)
        return cut(text) { Self.ranges(of: $0, in: words) }
    }

    /// The beginning of a text; nil if it is empty.
    static func beginning(of text: UnsafeBufferPointer<UInt8>) -> Snippet? {
        text.isEmpty ? nil : snippet(of: text, excerpt(of: text, around: 0..<0), [])
    }

    private func cut(_ text: Text, isWhole: Bool = true, _ ranges: (Phrase) -> [Range<Int>]) -> Snippet? {
        let hits = phrases.indices.flatMap { index in
            ranges(phrases[index]).map { Hit(phrase: index, range: $0) }
        }.sorted { $0.range.lowerBound < $1.range.lowerBound }
        guard let (best, count) = Self.best(of: hits) else { return nil }
        let excerpt = Self.excerpt(of: text, around: best.range)
        let end = max(excerpt.upperBound, best.range.lowerBound + Self.maxDistance)
        guard isWhole || count == phrases.count && end < text.count else { return nil }
        return Self.snippet(of: text, excerpt, marks(in: excerpt, of: text) ?? hits.map(\.range))
    }

    /// The matches in an excerpt after folding, in order; nil if it is ASCII.
    private func marks(in excerpt: Range<Int>, of text: Text) -> [Range<Int>]? {
        if text[excerpt].allSatisfy({ $0 < 0x80 }) { return nil }
        // A word that is cut off is another one.
        let limit = min(excerpt.upperBound + Self.maxBytes, text.count)
        let end = text[excerpt.upperBound..<limit].firstIndex(where: Self.isSeparator) ?? limit
        let words = Self.words(of: Text(rebasing: text[excerpt.lowerBound..<end]))
        return phrases.flatMap { Self.ranges(of: $0, in: words) }.sorted { $0.lowerBound < $1.lowerBound }
            .map { $0.lowerBound + excerpt.lowerBound..<$0.upperBound + excerpt.lowerBound }
    }

    // MARK: Folded words

    fileprivate struct Word {
        private(set) var folded: [UInt8] = []
        /// The bytes of its characters in the text.
        private(set) var range = 0..<0

        mutating func add(_ part: some Sequence<UInt8>, at place: Range<Int>) {
            range = folded.isEmpty ? place : range.lowerBound..<place.upperBound
            folded += part
        }
    }

    /// The words at the beginning of a text as the index has them: in scripts without spaces, each character is a word.
    fileprivate static func words(of text: UnsafeBufferPointer<UInt8>) -> [Word] {
        var (words, word) = ([Word](), Word())
        var folding = SearchFolding()
        func endWord() {
            if !word.folded.isEmpty { words.append(word) }
            word = Word()
        }
        let beginning = Text(rebasing: text.prefix(maxFolded))
        for part in SearchFolding.parts(of: beginning) {
            if part.count == 1 {
                let byte = beginning[part.lowerBound]
                if isAlphanumeric(byte) { word.add(CollectionOfOne(byte.lowercased), at: part) } else { endWord() }
                continue
            }
            var start = part.lowerBound
            for character in String(decoding: beginning[part], as: UTF8.self) {
                let range = start..<start + character.utf8.count
                start = range.upperBound
                for scalar in String(decoding: folding.fold(character.utf8), as: UTF8.self).unicodeScalars {
                    let isUnspaced = Folding.isUnspaced(scalar)
                    if isUnspaced || !Folding.isInWord(scalar) { endWord() }
                    if Folding.isInWord(scalar) { word.add(String(scalar).utf8, at: range) }
                    if isUnspaced { endWord() }
                }
            }
        }
        endWord()
        return words
    }

    private static func ranges(of phrase: Phrase, in words: [Word]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in words.indices.dropLast(max(phrase.words.count - 1, 0)) where ranges.count < maxHits {
            let isHit = phrase.words.indices.allSatisfy { number in
                let (word, term) = (words[index + number].folded, phrase.words[number])
                return phrase.isPrefix && number == phrase.words.count - 1 ? word.starts(with: term) : word == term
            }
            let range = words[index].range.lowerBound..<words[index + phrase.words.count - 1].range.upperBound
            if isHit, range.lowerBound >= ranges.last?.upperBound ?? 0 { ranges.append(range) }
        }
        return ranges
    }

    // MARK: ASCII terms

    /// The first hit with the most different phrases near it, and their number; nil without hits.
    private static func best(of hits: [Hit]) -> (hit: Hit, phrases: Int)? {
        var (best, most) = (hits.first, 0)
        for (index, hit) in hits.enumerated() {
            let nearby = hits[index...].prefix { $0.range.upperBound <= hit.range.lowerBound + maxDistance }
            let count = Set(nearby.map(\.phrase)).count
            if count > most { (best, most) = (hit, count) }
        }
        return best.map { ($0, most) }
    }

    /// The first matches of a phrase, at most ``maxHits``.
    private func ranges(of phrase: Phrase, in text: Text) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var end = text.count
        while ranges.count < Self.maxHits, let next = first(phrase, in: text, from: ranges.last?.upperBound ?? 0),
            next.lowerBound < end
        {
            ranges.append(next)
            // The excerpt of a single phrase starts at its first match.
            if phrases.count == 1 { end = min(end, ranges[0].upperBound + Self.maxBytes) }
        }
        return ranges
    }

    /// The first match of a phrase from an index on; nil if there is none.
    private func first(_ phrase: Phrase, in text: Text, from start: Int) -> Range<Int>? {
        guard let letter = phrase.words.first?.first else { return nil }
        let capital = (0x61...0x7A).contains(letter) ? letter & ~0x20 : letter
        func next(_ letter: UInt8, _ start: Int) -> Int { text.offset(of: letter, from: start) ?? text.count }
        var (small, large) = (next(letter, start), next(capital, start))
        while case let index = min(small, large), index < text.count {
            if Self.beginsWord(text, at: index), let end = end(of: phrase, in: text, from: index) {
                return index..<end
            }
            if small == index { small = next(letter, index + 1) }
            if large == index { large = next(capital, index + 1) }
        }
        return nil
    }

    /// The end of a phrase that begins at an index; nil if it doesn't match.
    private func end(of phrase: Phrase, in text: Text, from start: Int) -> Int? {
        var index = start
        for (number, word) in phrase.words.enumerated() {
            if number > 0 { index = Self.skip(Self.isSeparator, in: text, from: index) }
            for letter in word {
                guard index < text.count, text[index].lowercased == letter else { return nil }
                index += 1
            }
            let isLast = number == phrase.words.count - 1
            if isLast && phrase.isPrefix { index = Self.skip(Self.isAlphanumeric, in: text, from: index) }
            guard Self.endsWord(text, at: index) else { return nil }
        }
        return index
    }

    private static func excerpt(of text: Text, around hit: Range<Int>) -> Range<Int> {
        var start = hit.lowerBound
        for _ in 0..<Self.wordsBefore where start > 0 {
            while start > 0, Self.isSeparator(text[start - 1]) { start -= 1 }
            while start > 0, !Self.isSeparator(text[start - 1]) { start -= 1 }
        }
        if start == 0 { start = Self.skip({ $0 <= 0x20 }, in: text, from: 0) }
        // A mark on the separator is part of it.
        if start > 0, String(decoding: text[(start - 1)...].prefix(5), as: UTF8.self).first?.utf8.count != 1 {
            start -= 1
        }
        var end = hit.upperBound
        for _ in 0..<Self.wordsAfter where end < text.count {
            end = Self.skip({ !Self.isSeparator($0) }, in: text, from: Self.skip(Self.isSeparator, in: text, from: end))
        }
        return clipped(start..<end, to: hit, in: text)
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
        return (start ?? hit.lowerBound)..<end
    }

    private static func snippet(of text: Text, _ excerpt: Range<Int>, _ hits: [Range<Int>]) -> Snippet {
        func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
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

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
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
    private static func isSeparator(_ byte: UInt8) -> Bool { byte < 0x80 && !isAlphanumeric(byte) }

    private static let wordsBefore = 6
    private static let wordsAfter = 17
    /// The maximum distance of phrases that count as near each other, in bytes.
    private static let maxDistance = 120
    /// The maximum size of an excerpt, in bytes, for scripts without spaces.
    private static let maxBytes = 600
    private static let maxHits = 32
    /// How many bytes of a text to fold; matches in the rest get no snippet.
    private static let maxFolded = 1 << 18
}

extension SnippetCutter.Phrase {
    /// Nil for a text without words.
    init?(_ text: String, isPrefix: Bool) {
        var typed = text
        words = typed.withUTF8 { SnippetCutter.words(of: $0) }.map(\.folded)
        isASCII = typed.utf8.allSatisfy { $0 < 0x80 }
        self.isPrefix = isPrefix
        if words.isEmpty { return nil }
    }
}
