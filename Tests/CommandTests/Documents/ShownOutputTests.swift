import Testing

@Suite("Output shown in documentation") struct ShownOutputTests {
    static let output = "one\ntwo  \n\nthree\n"

    @Test(
        "is that of the program, line by line, without those left out",
        arguments: [
            ["one", "two", "", "three"], ["…", "three"], ["one", "..."], ["…"], ["one", "…", "three", ""],
            ["one", "…", "two", "…", "three"], ["…", "two", "", "…"], ["one", "two", "", "three", "…"],
        ])
    func same(shown: [String]) {
        #expect(ShownOutput(shown).matches(Self.output))
    }

    @Test(
        "isn't that of the program if a line differs, is missing or is in another place",
        arguments: [
            ["one", "two", "", "Three"], ["one", "two", "", "three", "four"], ["one", "two"], ["two", "…"],
            ["…", "two"],
            ["one", "", "two", "three"], ["one", "…", "three", "…", "two"], ["one", "…", "one"], [], ["one … three"],
            ["…", "four", "…"], ["one", "two", "", "three", "…", "three"],
        ])
    func different(shown: [String]) {
        #expect(!ShownOutput(shown).matches(Self.output))
    }
}
