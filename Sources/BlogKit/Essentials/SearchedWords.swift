/// The words of a text as the index of searches has them: in scripts without spaces, each character is a word, and the
/// signs of "C++" are one.
package struct SearchedWords {
    /// One or more consecutive words.
    package struct Phrase: Sendable {
        /// The letters and digits of each word, folded, or the signs behind one.
        package let words: [[UInt8]]
        /// Whether the last word may be the beginning of one.
        package let isPrefix: Bool
        /// Whether it is ASCII and can be found without folding the text.
        package let isASCII: Bool
    }

    private struct Word {
        private(set) var folded: [UInt8] = []
        /// The bytes of its characters in the text.
        private(set) var range = 0..<0

        mutating func add(_ part: some Sequence<UInt8>, at place: Range<Int>) {
            range = folded.isEmpty ? place : range.lowerBound..<place.upperBound
            folded += part
        }
    }

    private var words: [Word] = []

    package init(of text: UnsafeBufferPointer<UInt8>) {
        var (folding, word) = (SearchFolding(), Word())
        for part in SearchFolding.parts(of: text) {
            if part.count == 1 {
                let byte = text[part.lowerBound]
                if byte.isASCIIAlphanumeric {
                    word.add(CollectionOfOne(byte.lowercased), at: part)
                } else {
                    end(&word)
                    addSigns(at: part.lowerBound, of: text)
                }
                continue
            }
            var start = part.lowerBound
            for character in String(decoding: text[part], as: UTF8.self) {
                // Text that isn't UTF-8 has become longer.
                let range = start..<min(start + character.utf8.count, part.upperBound)
                start = range.upperBound
                for scalar in String(decoding: folding.fold(character.utf8), as: UTF8.self).unicodeScalars {
                    let isUnspaced = Folding.isUnspaced(scalar)
                    if isUnspaced || !Folding.isInWord(scalar) { end(&word) }
                    if Folding.isInWord(scalar) { word.add(String(scalar).utf8, at: range) }
                    if isUnspaced { end(&word) }
                }
                addSigns(at: range.lowerBound, of: text)
            }
        }
        end(&word)
    }

    private mutating func end(_ word: inout Word) {
        if !word.folded.isEmpty { words.append(word) }
        word = Word()
    }

    private mutating func addSigns(at index: Int, of text: UnsafeBufferPointer<UInt8>) {
        guard let end = text.endOfSigns(at: index) else { return }
        var signs = Word()
        signs.add(text[index..<end], at: index..<end)
        words.append(signs)
    }

    /// The bytes of the text that match a phrase, in order.
    package func ranges(of phrase: Phrase) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in words.indices.dropLast(max(phrase.words.count - 1, 0)) {
            let isHit = phrase.words.indices.allSatisfy { number in
                let (word, term) = (words[index + number].folded, phrase.words[number])
                return phrase.isPrefix && number == phrase.words.count - 1 ? word.starts(with: term) : word == term
            }
            let range = words[index].range.lowerBound..<words[index + phrase.words.count - 1].range.upperBound
            if isHit, range.lowerBound >= ranges.last?.upperBound ?? 0 { ranges.append(range) }
        }
        return ranges
    }
}

extension SearchedWords.Phrase {
    /// Nil for a text without words.
    package init?(_ text: String, isPrefix: Bool) {
        var typed = text
        let words = typed.withUTF8 { SearchedWords(of: $0) }.words.map(\.folded)
        if words.isEmpty { return nil }
        self.init(words: words, isPrefix: isPrefix, isASCII: typed.utf8.allSatisfy { $0 < 0x80 })
    }

    /// The words, the same for all texts that mean the same.
    package var folded: String { words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ") }

    /// Whether a word is the signs behind another one.
    package static func areSigns(_ word: [UInt8]) -> Bool { word.first.map(UnsafeBufferPointer.isSign) ?? false }

    package var firstWord: Self {
        Self(words: Array(words.prefix(1)), isPrefix: isPrefix && words.count == 1, isASCII: isASCII)
    }

    /// A phrase for each word, with its signs; adjacent characters of scripts without spaces stay together.
    package var parts: [Self] {
        var parts: [[[UInt8]]] = []
        var wasUnspaced = false
        for word in words {
            let isUnspaced = String(decoding: word, as: UTF8.self).unicodeScalars.allSatisfy(Folding.isUnspaced)
            let continues = isUnspaced && wasUnspaced || Self.areSigns(word)
            if continues { parts[parts.count - 1].append(word) } else { parts.append([word]) }
            wasUnspaced = isUnspaced
        }
        return parts.enumerated().map { index, words in
            Self(words: words, isPrefix: isPrefix && index == parts.count - 1, isASCII: isASCII)
        }
    }
}
