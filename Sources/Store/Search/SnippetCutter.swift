import Markup
import Model

/// Cuts the piece of a text with the most search terms.
///
/// The plain way is SQLite's own `snippet()`, which takes twenty times as long as finding the post did and compares
/// each hit with each, so it gets short posts only: "the first of them, every hit printed" in Benchmarks/RESULTS.md.
/// `SnippetCutterTests` tests both. This looks for the letters as they were typed, in either case, or else, as with
/// accents or in another script, for the same words once folded.
struct SnippetCutter {
    /// A word, or several side by side.
    struct Phrase {
        /// The letters and digits of each word, folded.
        let words: [[UInt8]]
        /// Whether the last word may go on.
        let isPrefix: Bool
        /// Whether it was typed in ASCII, and so can be looked for by its letters.
        let isPlain: Bool
    }

    private typealias Text = UnsafeBufferPointer<UInt8>

    private struct Hit {
        /// The number of the phrase.
        let phrase: Int
        /// Its bytes in the text.
        let place: Range<Int>
    }

    private let phrases: [Phrase]
    /// How many there are.
    var phraseCount: Int { phrases.count }
    /// Whether all phrases can be looked for by their letters.
    let isPlain: Bool

    /// A cutter; nil without phrases.
    init?(_ phrases: [Phrase]) {
        guard !phrases.isEmpty else { return nil }
        self.phrases = phrases
        isPlain = phrases.allSatisfy(\.isPlain)
    }

    /// The piece of a UTF-8 text around the letters that were typed, each hit marked; nil if there is none.
    func cut(_ text: UnsafeBufferPointer<UInt8>) -> Snippet? {
        guard isPlain else { return nil }
        return cut(text) { places(of: $0, in: text) }
    }

    /// The piece of a text of which only the beginning is given; nil if the rest might give another.
    func cut(beginning text: UnsafeBufferPointer<UInt8>) -> Snippet? {
        guard isPlain else { return nil }
        return cut(text, isWhole: false) { places(of: $0, in: text) }
    }

    /// The piece of a text around words that are the same once folded; nil if its beginning has none.
    func cutFolded(_ text: UnsafeBufferPointer<UInt8>) -> Snippet? {
        let words = Self.words(of: text)
        return cut(text) { Self.places(of: $0, among: words) }
    }

    /// The beginning of a text; nil for none.
    static func beginning(of text: UnsafeBufferPointer<UInt8>) -> Snippet? {
        text.isEmpty ? nil : snippet(of: text, piece(of: text, around: 0..<0), [])
    }

    private func cut(_ text: Text, isWhole: Bool = true, _ places: (Phrase) -> [Range<Int>]) -> Snippet? {
        let found = phrases.indices.flatMap { number in
            places(phrases[number]).map { Hit(phrase: number, place: $0) }
        }.sorted { $0.place.lowerBound < $1.place.lowerBound }
        guard let (best, count) = Self.richest(of: found) else { return nil }
        let isSure = count == phrases.count && best.place.upperBound + Self.maxBytes <= text.count
        guard isWhole || isSure else { return nil }
        return Self.snippet(of: text, Self.piece(of: text, around: best.place), found.map(\.place))
    }

    // MARK: Folded words

    /// A word of a text, and where it is.
    private struct Word {
        let folded: [UInt8]
        let place: Range<Int>
    }

    /// The words at the beginning of a text, as the index has them: each character of writing without spaces is one.
    private static func words(of text: Text) -> [Word] {
        var words: [Word] = []
        var word = ""
        var (start, offset) = (0, 0)
        func end() {
            if !word.isEmpty {
                let plain = String(String.UnicodeScalarView(word.unicodeScalars.map(Script.plain)))
                words.append(Word(folded: Array(Folding.fold(plain).utf8), place: start..<start + word.utf8.count))
            }
            word = ""
        }
        for scalar in String(decoding: text.prefix(maxFolded), as: UTF8.self).unicodeScalars {
            let isWordless = Segmentation.isWordless(scalar.value)
            let isMark = !word.isEmpty && scalar.properties.generalCategory == .nonspacingMark
            let isInWord = isMark || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            let isRaised = Script.isApart(scalar) && word.unicodeScalars.last.map(Script.isApart) != true
            if isWordless || !isInWord || isRaised { end() }
            if isInWord {
                if word.isEmpty { start = offset }
                word.unicodeScalars.append(scalar)
            }
            if isWordless { end() }
            offset += UTF8.width(scalar)
        }
        end()
        return words
    }

    fileprivate static func foldedWords(of text: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
        words(of: text).map(\.folded)
    }

    private static func places(of phrase: Phrase, among words: [Word]) -> [Range<Int>] {
        var places: [Range<Int>] = []
        for index in words.indices.dropLast(max(phrase.words.count - 1, 0)) where places.count < maxHits {
            let isHit = phrase.words.indices.allSatisfy { number in
                let (word, sought) = (words[index + number].folded, phrase.words[number])
                return phrase.isPrefix && number == phrase.words.count - 1 ? word.starts(with: sought) : word == sought
            }
            let place = words[index].place.lowerBound..<words[index + phrase.words.count - 1].place.upperBound
            if isHit, place.lowerBound >= places.last?.upperBound ?? 0 { places.append(place) }
        }
        return places
    }

    // MARK: Letters

    /// The first hit that has most of the phrases near to it, and how many; nil without hits.
    private static func richest(of hits: [Hit]) -> (hit: Hit, phrases: Int)? {
        var (richest, most) = (hits.first, 0)
        for (index, hit) in hits.enumerated() {
            let others = hits[index...].prefix { $0.place.upperBound <= hit.place.lowerBound + near }
            let count = Set(others.map(\.phrase)).count
            if count > most { (richest, most) = (hit, count) }
        }
        return richest.map { ($0, most) }
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
        return clipped(start..<end, to: hit, in: text)
    }

    /// A piece of at most ``maxBytes``, whole characters, with the beginning of the hit in it.
    private static func clipped(_ piece: Range<Int>, to hit: Range<Int>, in text: Text) -> Range<Int> {
        guard piece.count > maxBytes else { return piece }
        func isInside(_ index: Int) -> Bool { index < text.count && text[index] & 0xC0 == 0x80 }
        var start = max(piece.lowerBound, hit.lowerBound - maxBytes / 4)
        while start < hit.lowerBound, isInside(start) { start += 1 }
        var end = min(piece.upperBound, max(start + maxBytes, min(hit.upperBound, hit.lowerBound + maxBytes)))
        while end > start, isInside(end) { end -= 1 }
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
    /// So many bytes of a text are folded; hits in the rest have no snippet.
    private static let maxFolded = 1 << 18
}

extension SnippetCutter.Phrase {
    /// The words of a text; nil for one without words.
    init?(_ text: String, isPrefix: Bool) {
        var typed = Script.searchText(text)
        words = typed.withUTF8 { SnippetCutter.foldedWords(of: $0) }
        isPlain = typed.utf8.allSatisfy { $0 < 0x80 }
        self.isPrefix = isPrefix
        if words.isEmpty { return nil }
    }
}
