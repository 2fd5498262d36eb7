import Testing

@testable import BlogCore

@Suite("Text that needs no second look") struct PlainTextTests {
    @Test("ends at the first byte that needs one, wherever that is", arguments: 0..<70)
    func place(place: Int) {
        for byte in UInt8.min...UInt8.max {
            for rest in [0, 1, 7, 8, 40] {
                var text = Array(repeating: UInt8(ascii: "a"), count: place + 1 + rest)
                text[place] = byte
                text.withUnsafeBufferPointer { bytes in
                    let isControl = byte < 0x20 || byte == 0x7F
                    let isQuote = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                    let ends = [
                        isControl || isQuote || byte >= 0x80, isControl || isQuote,
                        isControl || [0xC2, 0xE2].contains(byte),
                    ].map { $0 ? place : text.count }
                    let found = [
                        bytes.endOfPlainText(from: 0), bytes.endOfUnquotedText(from: 0),
                        bytes.endOfText(from: 0, without: 0xC2, 0xE2),
                    ]
                    if found != ends { Issue.record("\(byte) at \(place) of \(text.count): \(found), not \(ends)") }
                }
            }
        }
    }

    @Test("ends at the same place as when it is looked at byte by byte")
    func any() {
        var random = SplitMix(state: 9)
        let special: [UInt8] = [0, 0x1F, 0x20, 0x22, 0x5C, 0x7E, 0x7F, 0x80, 0xC2, 0xD0, 0xE2, 0xF0]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                Int.random(in: 0..<40, using: &random) == 0
                    ? special.randomElement(using: &random) ?? 0 : UInt8(ascii: "b")
            }
            let start = Int.random(in: 0...text.count, using: &random)
            let end = text[start...].firstIndex { $0 < 0x20 || $0 == 0x7F || $0 == 0x22 || $0 == 0x5C } ?? text.count
            #expect(text.withUnsafeBufferPointer { $0.endOfUnquotedText(from: start) } == end, "\(text) from \(start)")
        }
    }
}
