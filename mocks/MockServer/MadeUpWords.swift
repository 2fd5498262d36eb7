import Foundation

/// Made-up words with natural frequencies: a few are common, most are rare (Zipf's law).
enum MadeUpWords {
    /// The word at a place of a text; the same place gives the same word, on every machine.
    static func word(place: Int) -> String {
        let random = Double(scrambled(UInt64(bitPattern: Int64(place))) >> 11) / Double(1 << 53)
        return words[min(Int(pow(Double(words.count), random)), words.count) - 1]
    }

    /// A number below a bound for a place; the same on every machine.
    static func number(place: Int, below bound: Int) -> Int {
        Int(scrambled(UInt64(bitPattern: Int64(place))) % UInt64(bound))
    }

    /// A hash (SplitMix64), so that neighbours have nothing in common.
    private static func scrambled(_ number: UInt64) -> UInt64 {
        var mixed = number &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static let words: [String] = {
        let starts = [
            "a", "be", "co", "du", "e", "fi", "go", "ha", "i", "ju", "ka", "lo", "me", "nu", "o", "pra", "qui",
        ]
        let middles = [
            "ra", "lin", "to", "ves", "mor", "di", "sel", "ban", "ku", "ther", "po", "zin", "gal", "ner", "wo",
        ]
        let ends = [
            "n", "ter", "s", "la", "do", "ing", "mu", "th", "rel", "ka", "so", "ty", "ven", "x", "po", "lle", "d",
        ]
        // Frequent words are short.
        let short = starts.flatMap { start in ends.map { start + $0 } }
        let long = starts.flatMap { start in middles.flatMap { middle in ends.map { start + middle + $0 } } }
        return short + long + long.flatMap { word in middles.prefix(4).map { word + $0 } }
    }()
}
