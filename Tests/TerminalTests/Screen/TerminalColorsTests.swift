import Testing
@testable import BlogTerminal

@Suite("The colours of a terminal") struct TerminalColorsTests {
    /// Responses, with the replacements of blue and yellow.
    static let responses: [(responses: [String], blue: UInt8?, yellow: UInt8?)] = [
        ([], nil, nil), (["11;rgb:0000/0000/0000"], 75, nil), (["11;rgb:ffff/ffff/ffff"], nil, 94),
        (["11;rgb:00/00/00"], 75, nil), (["11;rgb:fdf6/e3e3/f6f6"], nil, 94),
        // A theme's own colours stay if they can be read.
        (["11;rgb:0000/0000/0000", "4;4;rgb:5c5c/8f8f/ffff"], nil, nil),
        (["4;4;rgb:5c5c/8f8f/ffff", "11;rgb:0000/0000/0000"], nil, nil),
        (["11;rgb:ffff/ffff/ffff", "4;4;rgb:5c5c/8f8f/ffff", "4;3;rgb:4040/3030/0000"], 25, nil),
        (["4;4;rgb:0/0/0"], nil, nil),
        // What isn't such a response is ignored.
        (["11;rgb:ffff/ffff"], nil, nil), (["11;rgb:gggg/0000/0000"], nil, nil), (["11;rgb:12345/0/0"], nil, nil),
        (["11;#ffffff"], nil, nil), (["10;rgb:ffff/ffff/ffff"], nil, nil), (["11;rgb:-1/0/0"], nil, nil),
        (["11;"], nil, nil), ([""], nil, nil), (["4;99;rgb:ffff/ffff/ffff"], nil, nil),
    ]

    @Test("are replaced only if they can't be read on the background", arguments: responses)
    func replaced(responses: [String], blue: UInt8?, yellow: UInt8?) {
        var colors = TerminalColors()
        for response in responses { colors.add(response) }
        #expect(colors.replacements[.blue] == blue.map { .indexed($0) })
        #expect(colors.replacements[.yellow] == yellow.map { .indexed($0) })
    }
}
