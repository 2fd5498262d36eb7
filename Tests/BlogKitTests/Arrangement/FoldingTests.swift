import Model
import Testing

@Suite("Folding") struct FoldingTests {
    @Test(
        "takes away case, accents and width",
        arguments: [
            ("ÅNGSTRÖM", "angstrom"), ("Éclairs", "eclairs"), ("ＡＢＣ", "abc"), ("Straße", "strasse"),
            ("plain", "plain"), ("PLAIN", "plain"), ("静かな", "静かな"), ("", ""),
        ])
    func fold(text: String, folded: String) {
        #expect(Folding.fold(text) == folded)
    }

    @Test(
        "finds whole words of a name only",
        arguments: [
            ("Kerri Lane", "kerri", true), ("Kerri Lane", "Kerr", false), ("Kerri Lane", "LANE", true),
            ("Kerri Lane", "kerri lane", true), ("Doug Gregor, Dave Lester", "dave lester", true),
            ("Zoë Ångström", "zoe angstrom", true), ("Bram O’Dell", "o'dell", true), ("田中 美咲", "田中", true),
        ])
    func words(name: String, pattern: String, isFound: Bool) {
        #expect(Folding.words(name).contains(Folding.words(pattern)) == isFound)
    }
}
