import Testing
@testable import BlogEssentials
@testable import BlogMarkup
@testable import BlogModel
@testable import BlogRendering

@Suite("A scan over plain text") struct PlainTextTests {
    @Test(
        "ends at the first byte that stops it, wherever that is and whatever follows",
        arguments: [0, 0x20, 0x22, 0x5C, 0x7F, 0xC2, 0xE2, 0x100].flatMap { $0 - 1...$0 + 1 })
    func place(byte: Int) {
        for length in [1, 9, 40] {
            for place in 0..<length {
                let text = (0..<length).map { $0 < place ? 0x61 : UInt8(truncatingIfNeeded: byte + ($0 - place) * 85) }
                #expect(Self.isRight(text))
            }
        }
    }

    /// Whether each scan stops where a byte-by-byte search does.
    private static func isRight(_ text: [UInt8]) -> Bool {
        func isRight(_ end: (Int) -> Int, _ stops: (UInt8) -> Bool) -> Bool {
            [0, text.count / 2].allSatisfy { end($0) == text[$0...].firstIndex(where: stops) ?? text.count }
        }
        return text.withUnsafeBufferPointer { bytes in
            isRight(bytes.endOfPlainText) { $0 < 0x20 || $0 >= 0x7F || $0 == 0x22 || $0 == 0x5C }
                && isRight(bytes.endOfPrintableText) { $0 < 0x20 || $0 >= 0x7F }
                && isRight(bytes.endOfUnquotedText) { $0 < 0x20 || $0 == 0x7F || $0 == 0x22 || $0 == 0x5C }
                && isRight({ bytes.endOfText(from: $0, without: 0xC2, 0xE2) }) {
                    $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2
                }
        }
    }
}
