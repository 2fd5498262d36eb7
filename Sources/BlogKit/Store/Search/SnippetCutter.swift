/// Cuts the piece of a body that holds most of the search terms.
///
/// SQLite's own `snippet()` reads the whole text word by word, which takes twenty times as long as finding the post
/// did, and in a long text it compares each hit with each. This looks for the letters as they were typed, in either
/// case. If they don't occur like that, as with accents or in another script, the result is nil, and SQLite has to cut
/// the snippet.
struct SnippetCutter {
    /// A word, or several side by side.
    struct Phrase {
        /// The letters and digits of each word: ASCII, in lower case.
        let words: [[UInt8]]
        /// Whether the last word may go on.
        let isPrefix: Bool
    }

    private typealias Text = UnsafeBufferPointer<UInt8>

    private struct Hit {
        /// The number of the phrase.
        let phrase: Int
        /// Its bytes in the text.
        let place: Range<Int>
    }

    private let phrases: [Phrase]

    /// A cutter; nil without phrases.
    init?(_ phrases: [Phrase]) {
        guard !phrases.isEmpty else { return nil }
        self.phrases = phrases
    }

    /// The piece of a UTF-8 text, each hit marked, or nil if there is none or it would be too long.
    func cut(_ text: UnsafeBufferPointer<UInt8>) -> Snippet? {
        let found = phrases.indices.flatMap { number in
            places(of: phrases[number], in: text).map { Hit(phrase: number, place: $0) }
        }.sorted { $0.place.lowerBound < $1.place.lowerBound }
        guard let best = Self.richest(of: found) else { return nil }
        let piece = Self.piece(of: text, around: best.place)
        guard piece.count <= Self.maxBytes else { return nil }
        return Self.snippet(of: text, piece, found.map(\.place))
    }

    /// The first hit that has most of what was searched for near to it.
    private static func richest(of hits: [Hit]) -> Hit? {
        var (richest, most) = (hits.first, 0)
        for (index, hit) in hits.enumerated() {
            let others = hits[index...].prefix { $0.place.upperBound <= hit.place.lowerBound + near }
            let count = Set(others.map(\.phrase)).count
            if count > most { (richest, most) = (hit, count) }
        }
        return richest
    }

    /// Where a phrase is, as often as matters.
    private func places(of phrase: Phrase, in text: Text) -> [Range<Int>] {
        guard let first = phrase.words.first?.first else { return [] }
        let upper = (0x61...0x7A).contains(first) ? first & ~0x20 : first
        var places: [Range<Int>] = []
        var index = 0
        var end = text.count
        while index < end, places.count < Self.maxHits {
            let isStart =
                (text[index] == first || text[index] == upper) && (index == 0 || Self.isBetween(text[index - 1]))
            guard isStart, let last = self.end(of: phrase, in: text, from: index) else {
                index += 1
                continue
            }
            places.append(index..<last)
            index = last
            // Nothing else is to be near to it.
            if phrases.count == 1 { end = min(end, places[0].upperBound + Self.maxBytes) }
        }
        return places
    }

    /// The end of a phrase that begins at an index; nil if the text there is different.
    private func end(of phrase: Phrase, in text: Text, from start: Int) -> Int? {
        var index = start
        for (number, word) in phrase.words.enumerated() {
            if number > 0 { index = Self.skip(Self.isBetween, in: text, from: index) }
            for letter in word {
                guard index < text.count, Folding.lowercased(text[index]) == letter else { return nil }
                index += 1
            }
            let isLast = number == phrase.words.count - 1
            if isLast && phrase.isPrefix { index = Self.skip(Self.isPlain, in: text, from: index) }
            guard index == text.count || Self.isBetween(text[index]) else { return nil }
        }
        return index
    }

    /// Some words before a hit and more after it.
    private static func piece(of text: Text, around hit: Range<Int>) -> Range<Int> {
        var start = hit.lowerBound
        for _ in 0..<Self.wordsBefore where start > 0 {
            while start > 0, Self.isBetween(text[start - 1]) { start -= 1 }
            while start > 0, !Self.isBetween(text[start - 1]) { start -= 1 }
        }
        if start == 0 { start = Self.skip({ $0 <= 0x20 }, in: text, from: 0) }
        var end = hit.upperBound
        for _ in 0..<Self.wordsBehind where end < text.count {
            end = Self.skip({ !Self.isBetween($0) }, in: text, from: Self.skip(Self.isBetween, in: text, from: end))
        }
        return start..<end
    }

    private static func snippet(of text: Text, _ piece: Range<Int>, _ hits: [Range<Int>]) -> Snippet {
        func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        var pieces: [Snippet.Piece] = []
        var place = piece.lowerBound
        var before = text[..<place].contains { $0 > 0x20 } ? "…" : ""
        for hit in hits where hit.lowerBound >= place && hit.upperBound <= piece.upperBound {
            before += string(place..<hit.lowerBound)
            if !before.isEmpty { pieces.append(Snippet.Piece(text: before, isHit: false)) }
            pieces.append(Snippet.Piece(text: string(hit), isHit: true))
            (before, place) = ("", hit.upperBound)
        }
        // At the end of the text it includes the final punctuation.
        let rest = string(place..<piece.upperBound) + (piece.upperBound < text.count ? "…" : "")
        if !rest.isEmpty { pieces.append(Snippet.Piece(text: rest, isHit: false)) }
        return Snippet(pieces: pieces)
    }

    private static func skip(_ isSkipped: (UInt8) -> Bool, in text: Text, from start: Int) -> Int {
        var index = start
        while index < text.count, isSkipped(text[index]) { index += 1 }
        return index
    }

    /// Whether a byte is a letter or a digit of ASCII.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
    }

    /// Whether a byte separates words; bytes outside ASCII count as parts of a word.
    private static func isBetween(_ byte: UInt8) -> Bool { byte < 0x80 && !isPlain(byte) }

    private static let wordsBefore = 6
    private static let wordsBehind = 17
    /// How far from each other words are that are seen together, in bytes.
    private static let near = 120
    /// The longest piece, in bytes: a script without spaces has no words here.
    private static let maxBytes = 600
    private static let maxHits = 32
}

extension SnippetCutter.Phrase {
    /// The words of a text that is nothing but ASCII; nil for another, and for one without words.
    init?(_ text: String, isPrefix: Bool) {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map { Array($0.utf8) }
        self.isPrefix = isPrefix
        if words.isEmpty { return nil }
    }
}
