import BlogTestSupport
import Foundation
import Testing
@testable import BlogEssentials
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering

@Suite("Folding character by character") struct CharacterFoldingTests {
    /// All scalars up to U+3FFFF.
    private static let scalars = (0...0x3FFFF).compactMap { UnicodeScalar($0) }

    @Test("applies to the letters of most scripts, but not to combining sequences")
    func applies() {
        for text in ["Ångström", "Привет", "Ελλάδα", "你好，世界", "こんにちは", "서울", "مرحبا", "שלום", "“x” — 🚀", "ＡＢＣ"] {
            #expect(CharacterFolding.sorting.applies(to: text), "\(text)")
        }
        for text in ["e\u{301}", "\u{37E}", "❤\u{FE0F}", "👍🏽", "か\u{3099}", "\u{1100}\u{1161}", "ｶﾞ", "नमस्ते"] {
            for folding in CharacterFolding.allCases { #expect(!folding.applies(to: text), "\(text)") }
        }
    }

    @Test("matches folding by scalar for every character it applies to", arguments: CharacterFolding.allCases)
    func characters(folding: CharacterFolding) {
        let taken = Self.scalars.filter { folding.applies(to: String($0)) }
        #expect(taken.count > 70_000)
        // Between letters, since marks after a line break don't combine.
        for first in stride(from: 0, to: taken.count, by: 1000) {
            let text = taken[first..<min(first + 1000, taken.count)].map { "x\($0)y" }.joined()
            expectSame(text, folding)
        }
    }

    @Test("matches folding by scalar for random text it applies to", arguments: CharacterFolding.allCases)
    func texts(folding: CharacterFolding) {
        var random = SplitMix(state: 4)
        // It applies to most of these; only a few in a hundred are excluded.
        let common = Self.scalars.prefix(0x530) + Self.scalars.filter { folding.applies(to: String($0)) }
        let marks =
            Self.scalars[0x300..<0x370] + ["\u{FE0F}", "\u{200D}", "\u{1F3FD}", "\u{3099}", "\u{11A8}", "\u{0}"]
        var count = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...6, using: &random)).reduce(into: "") { text, _ in
                let isMark = Int.random(in: 0..<20, using: &random) == 0
                let isLow = Bool.random(using: &random)
                let pool = isMark ? marks[...] : isLow ? common.prefix(0x530) : common[...]
                text.unicodeScalars.append(pool.randomElement(using: &random) ?? " ")
            }
            guard folding.applies(to: text) else { continue }
            count += 1
            expectSame(text, folding)
        }
        #expect(count > 10_000)
    }

    /// Compares bytes, since String considers canonically equivalent texts equal.
    private func expectSame(_ text: String, _ folding: CharacterFolding) {
        let spelled = text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
        let folded = folding.fold(text)
        let expected = folding == .sorting ? Folding.foldedByScalar(text) : SearchFolding.fold(text)
        #expect(folded.map { Array($0.utf8) } == Array(expected.utf8), "\(spelled)")
        #expect(Array(text.utf8) == Array(text.precomposedStringWithCanonicalMapping.utf8), "\(spelled)")
    }
}

@Suite("Folding") struct FoldingTests {
    @Test(
        "matches Foundation's for every character, except for some rare ones", arguments: [("", ""), ("x", "y")])
    func foundation(before: String, after: String) {
        // Han characters and Hangul syllables are thousands alike.
        let uniform = [0x3400...0x9FFF, 0xAC00...0xD7A3, 0x20000...0x3FFFF]
        let scalars = (0...0x3FFFF).filter { value in value % 16 == 0 || !uniform.contains { $0.contains(value) } }
        let different = scalars.compactMap { UnicodeScalar(UInt32($0)) }.filter { scalar in
            let text = before + String(scalar) + after
            let folded = text.folding(
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            return Array(Folding.fold(text).utf8) != Array(folded.precomposedStringWithCanonicalMapping.utf8)
        }
        let unexpected = different.filter { scalar in
            // Foundation uses an older version of Unicode: Cyrillic variants, and vowel signs that are marks now.
            let isNewer = scalar.properties.age.map { $0.major >= 14 } ?? true
            return !isNewer && !(0x1C80...0x1C88).contains(scalar.value)
                && scalar.properties.generalCategory != .spacingMark && scalar != "\u{344}"
        }
        #expect(unexpected.isEmpty, "\(unexpected.map { String($0.value, radix: 16) })")
    }

    @Test(
        "removes accents, but keeps the marks of other scripts",
        arguments: [
            ("İSTANBUL", "istanbul"), ("ısı", "ısı"), ("GROẞ", "gross"), ("ﬁn", "fin"), ("ς", "σ"), ("ŉ", "ʼn"),
            ("ｶﾞ", "ガ"), ("か\u{3099}", "が"), ("ｱｲｳ", "アイウ"), ("ﾡ", "\u{1100}"), ("￥", "¥"), ("नमस्ते", "नमस्ते"),
            ("e\u{301}\u{323}", "e"), ("か\u{301}", "か"), ("ẛ", "s"), ("\u{301}", "\u{301}"),
        ])
    func scripts(text: String, folded: String) {
        #expect(Array(Folding.fold(text).utf8) == Array(folded.utf8))
    }

    @Test(
        "removes case, accents and width",
        arguments: [
            ("ÅNGSTRÖM", "angstrom"), ("Éclairs", "eclairs"), ("ＡＢＣ", "abc"), ("Straße", "strasse"),
            ("plain", "plain"), ("PLAIN", "plain"), ("静かな", "静かな"), ("", ""),
        ])
    func fold(text: String, folded: String) {
        #expect(Folding.fold(text) == folded)
    }

    @Test(
        "matches whole words of a name only",
        arguments: [
            ("Kerri Lane", "kerri", true), ("Kerri Lane", "Kerr", false), ("Kerri Lane", "LANE", true),
            ("Kerri Lane", "kerri lane", true), ("Doug Gregor, Dave Lester", "dave lester", true),
            ("Zoë Ångström", "zoe angstrom", true), ("Bram O’Dell", "o'dell", true), ("田中 美咲", "田中", true),
        ])
    func words(name: String, pattern: String, isFound: Bool) {
        #expect(Folding.words(name).contains(Folding.words(pattern)) == isFound)
    }

    @Test(
        "matches parts of words before or after an asterisk, and in scripts without spaces",
        arguments: [
            ("Kerri Lane", "ker*", true), ("Kerri Lane", "*ri", true), ("Kerri Lane", "err", false),
            ("今天京东发布财报", "京东", true), ("今天京东发布财报", "东京", false), ("보호하고", "보호", true),
            ("คนสวยมาก", "สวย", true), ("京东iPhone", "phone", false), ("京东 iPhone", "京东 iphone", true),
        ])
    func pattern(name: String, pattern: String, isFound: Bool) {
        #expect(Folding.words(name).contains(Folding.pattern(pattern)) == isFound)
    }

    @Test(
        "isn't needed to compare texts byte for byte",
        arguments: [("", "", true), ("a", "a", true), ("é", "e\u{301}", false), ("a", "b", false), ("a", "ab", false)])
    func identical(one: String, other: String, isIdentical: Bool) {
        #expect(one.isIdentical(to: other) == isIdentical)
    }

    @Test("finds the words of ASCII in bytes as it does in characters")
    func bytes() {
        var random = SplitMix(state: 3)
        for length in 0..<200 {
            let text = String((0..<length).map { _ in "abZ09 .-_'\t\r\n".randomElement(using: &random) ?? " " })
            #expect(Folding.words(text) == Folding.wordsByScalar(Folding.fold(text)))
        }
    }

    @Test("has the signs of a word as another word")
    func signs() {
        let title = Folding.words("C++, F# und é+, a+b #1")
        for (pattern, isFound) in [
            ("c++", true), ("c", true), ("c+", false), ("f#", true), ("e+", true), ("a b", true), ("a+", false),
        ] {
            #expect(title.contains(Folding.pattern(pattern)) == isFound, "\(pattern)")
        }
    }
}

@Suite("Text to be searched") struct SearchFoldingTests {
    static let forms: [(String, String)] = [
        // Latin
        ("Straße STRASSE Größe GROẞ", "strasse strasse grosse gross"), ("Łódź", "lodz"), ("Đà Nẵng", "da nang"),
        ("Ærøskøbing", "aeroskobing"), ("cœur", "coeur"), ("Þór ðu", "thor du"), ("ħŧŋ", "htn"),
        ("İSTANBUL ıŞIK", "istanbul isik"), ("ﬁne ﬂow ﬃ ﬆ", "fine flow ffi st"), ("Əli", "eli"), ("naïve", "naive"),
        ("Hawaiʻi", "hawai'i"), ("ĳ", "ij"), ("ſ", "s"), ("Ǆ", "dz"),
        // Compatibility forms
        ("Ａ１＃", "a1#"), ("H₂O", "h2o"), ("x²+y³", "x^2+y^3"), ("1½ ¾", "1^1/2 ^3/4"), ("2¹⁰", "2^10"),
        ("1ˢᵗ 5ª", "1st 5a"),
        ("Ⅷ ⅳ", "viii iv"), ("𝐁𝟗 ① ⓐ", "b9 1 a"), ("Swift™ №", "swift™ №"),
        // Greek
        ("Κόσμος ΚΌΣΜΟΣ", "κοσμοσ κοσμοσ"), ("ᾳ ϊ ἀ", "α ι α"),
        // Cyrillic
        ("Ёлка её", "елка ее"), ("за\u{301}мок ѝ", "замок и"), ("Йод Ўрта Її Ѓ Ќ", "йод ўрта її ѓ ќ"), ("Ґ", "ґ"),
        // Arabic and Hebrew
        ("مُحَمَّد", "محمد"), ("القُرْآن", "القران"), ("كتـــاب", "كتاب"), ("کتاب ی ى", "كتاب ي ي"), ("ٱ أ إ", "ا ا ا"),
        ("שָׁלוֹם", "שלום"), ("שׁ", "ש"),
        // Indic scripts, whose vowel signs aren't accents
        ("नमस्ते", "नमस्ते"), ("क़", "क\u{93C}"), ("अ॑", "अ"), ("தமிழ்", "தமிழ்"), ("বাংলা", "বাংলা"),
        // East and South-East Asia
        ("か が ガ ぱ", "か が ガ ぱ"), ("ｶﾞ ﾊﾟ ｱ", "ガ パ ア"), ("한국어", "한국어"), ("ﾡ", "ᄀ"), ("神", "神"),
        ("กี่ น้ำ", "กี่ น้ำ"), ("ᨔᨗ", "ᨔᨗ"), ("ދިވެހި", "ދިވެހި"),
        // Ignored characters
        ("soft\u{AD}ware", "software"), ("zero\u{200B}\u{200C}\u{200D}width", "zerowidth"),
        ("word\u{2060}\u{FEFF}joiner", "wordjoiner"), ("می\u{200C}خواهم", "ميخواهم"), ("❤\u{FE0F}", "❤"),
        ("\u{301}", ""), ("1\u{FE0F}\u{20E3}", "1"), ("", ""), ("a\u{338}", "a"),
    ]

    @Test("is folded as readers type it", arguments: forms)
    func folded(text: String, folded: String) {
        // In any normalization form, and once is enough.
        for text in [text, text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping] {
            #expect(Array(Folding.searchable(text).utf8) == Array(folded.precomposedStringWithCanonicalMapping.utf8))
        }
        #expect(Folding.searchable(folded) == folded)
    }

    @Test(
        "keeps letters apart that make other words", arguments: ["ий", "иї", "уў", "かが", "はぱ", "กิกี", "किकी", "ιη", "гґ"])
    func different(letters: String) {
        let folded = letters.map { Folding.searchable(String($0)) }
        #expect(Set(folded).count == letters.count)
    }

    @Test(
        "is folded in linear time",
        arguments: ["\u{1100}", "\u{200D}", "\u{301}", "か\u{3099}", "¹", "ẛ\u{323}", "🇩", "क्"])
    func growth(unit: String) {
        let texts = [4096: String(repeating: unit, count: 4096), 8 * 4096: String(repeating: unit, count: 8 * 4096)]
        let growth = Growth.ofEightfoldInput(enough: 20, from: 4096) {
            _ = Folding.words(texts[$0] ?? "")
            _ = Folding.fold(texts[$0] ?? "")
        }
        #expect(growth < 20)
    }

    @Test("is the same in parts of whole characters")
    func parts() {
        var random = SplitMix(state: 5)
        for _ in 0..<Mutation.count(2000) {
            let text = HostileText.next(&random) + "2¹⁰ é か\u{3099}"
            // The number of marks on one letter is limited.
            guard text.allSatisfy({ $0.unicodeScalars.count < 20 }) else { continue }
            var folding = SearchFolding()
            let parts = text.flatMap { folding.fold($0.utf8) }
            #expect(parts == Array(Folding.searchable(text).utf8), "\(text.debugDescription)")
        }
    }
}
