import Foundation

/// Generated words with natural frequencies (Zipf's law), and other pseudorandom values, the same for a seed on every
/// machine.
enum MadeUpWords {
    static func word(seed: Int) -> String {
        let random = Double(hash(seed) >> 11) / Double(1 << 53)
        return words[min(Int(pow(Double(words.count), random)), words.count) - 1]
    }

    static func number(seed: Int, below bound: Int) -> Int { Int(hash(seed) % UInt64(bound)) }

    /// SplitMix64, so that similar seeds have nothing in common.
    private static func hash(_ seed: Int) -> UInt64 {
        var mixed = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15
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
        // Common words are short.
        let short = starts.flatMap { start in ends.map { start + $0 } }
        let long = starts.flatMap { start in middles.flatMap { middle in ends.map { start + middle + $0 } } }
        return short + long + long.flatMap { word in middles.prefix(4).map { word + $0 } }
    }()
}
