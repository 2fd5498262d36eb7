import Testing
@testable import BlogEssentials
@testable import BlogLibrary

@Suite("The nearest name") struct NearestNameTests {
    @Test(
        "is the one with the fewest typos",
        arguments: [
            ("lst", "list"), ("raed", "read"), ("LIST", "list"), ("hlep", "help"), ("listt", "list"), ("x", nil),
            ("", nil), ("completely", nil),
        ] as [(String, String?)])
    func nearest(text: String, name: String?) {
        #expect(NearestName.of(text, among: ["list", "read", "help"]) == name)
    }

    @Test(
        "may match a single word of a name",
        arguments: [
            ("Kerr", "Kerri Lane"), ("Angstrm", "Zoë Ångström"), ("keri lane", "Kerri Lane"), ("Qqqqq", nil),
            ("Tarb", "Karl Tarbe"), ("Rehan Rishy", "Rehan Rishi"),
        ]
            as [(String, String?)])
    func words(text: String, name: String?) {
        #expect(
            NearestName.ofWords(text, among: Self.authors)
                == name)
    }

    @Test(
        "may match a beginning of at least four letters",
        arguments: [("gadr", "gardening"), ("gad", nil), ("gardne", "gardening"), ("swfi", "swift"), ("gull", nil)])
    func beginning(text: String, name: String?) {
        #expect(NearestName.ofBeginning(text, among: ["swift-evolution", "swift", "gardening"]) == name)
    }

    static let authors = ["Karl Tarbe, Rehan Rishi", "Kerri Lane", "Zoë Ångström", "Bram O’Dell"]

    @Test("counts swapped letters as one typo")
    func distance() {
        #expect(NearestName.distance(Array("raed"), Array("read")) == 1)
        #expect(NearestName.distance(Array("kitten"), Array("sitting")) == 3)
        #expect(NearestName.distance(Array(""), Array("abc")) == 3)
    }
}
