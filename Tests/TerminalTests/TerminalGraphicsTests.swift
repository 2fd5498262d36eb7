import BlogModel
import Foundation
import Testing
@testable import BlogTerminal

@Suite("Pictures in a terminal's protocol") struct TerminalGraphicsTests {
    private let frame = PictureFrame(columns: 4, rows: 2)

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("are Base64 between OSC 1337 and BEL for iTerm2")
    func iTerm2() {
        // https://iterm2.com/documentation-images.html: ESC ] 1337 ; File = [arguments] : base-64 encoded file ^G
        let sequence = TerminalGraphics.inline(Data("hello".utf8), frame)
        let arguments = "inline=1;size=5;width=4;height=2;preserveAspectRatio=1"
        #expect(text(sequence) == "\u{1B}]1337;File=\(arguments):aGVsbG8=\u{7}")
    }

    @Test(
        "are Base64 in pieces of 4,096 bytes for kitty, with parameters in the first only",
        arguments: [
            0, 1, 3071, 3072, 3073, 6144, 10_000,
        ])
    func kitty(count: Int) throws {
        let file = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        // https://sw.kovidgoyal.net/kitty/graphics-protocol/#remote-client: <ESC>_G<control data>;<payload><ESC>\
        let pieces = text(TerminalGraphics.kitty(png: file, frame)).split(separator: "\u{1B}\\").map(String.init)
        #expect(pieces.count == max((count + 3071) / 3072, 1))
        var payload = ""
        for (index, piece) in pieces.enumerated() {
            let parts = piece.split(separator: ";", omittingEmptySubsequences: false)
            try #require(parts.count == 2)
            let more = index == pieces.count - 1 ? "m=0" : "m=1"
            #expect(parts[0] == "\u{1B}_G" + (index == 0 ? "a=T,f=100,q=2,c=4,r=2," : "") + more)
            #expect(parts[1].utf8.count == 4096 || index == pieces.count - 1)
            payload += parts[1]
        }
        #expect(Data(base64Encoded: payload) == file)
    }

    @Test("contain a file's bytes as Base64 only")
    func hostile() {
        let file = Data("\u{1B}]0;title\u{7}\u{1B}[2J\u{9B}31m;\n".utf8) + Data((0...255).map { UInt8($0) })
        let framing = #/\x1b\]1337;File=[a-zA-Z0-9=;]*:|\x07|\x1b_G[a-zA-Z0-9=,]*;|\x1b\\/#
        for sequence in [TerminalGraphics.inline(file, frame), TerminalGraphics.kitty(png: file, frame)] {
            let rest = text(sequence).replacing(framing, with: "")
            #expect(Data(base64Encoded: rest) == file)
        }
    }

    @Test(
        "drawn by another program are its colours and symbols, and nothing else",
        arguments: [
            (
                "\u{1B}[0m\u{1B}[38;5;7;48;5;8m▄▄\u{1B}[0m\n▄\n\n",
                ["\u{1B}[0m\u{1B}[38;5;7;48;5;8m▄▄\u{1B}[0m\u{1B}[0m", "▄\u{1B}[0m"]
            ),
            ("\u{1B}[?25la\u{1B}[2Jb\u{1B}[3;4Hc\u{1B}[?25h", ["abc\u{1B}[0m"]),
            ("\u{1B}]0;title\u{7}a", ["a\u{1B}[0m"]),
            ("a\u{1B}[>4mb\u{1B}[31", ["ab\u{1B}[0m"]), ("a\u{1B}[", ["a\u{1B}[0m"]),
            ("\u{9B}31ma\u{202E}", ["a\u{1B}[0m"]),
            ("\u{1B}_Ga=T;AAAA\u{1B}\\a", ["a\u{1B}[0m"]), ("", []), ("\n\n", []),
        ])
    func symbols(output: String, lines: [String]) {
        #expect(TerminalGraphics.symbols(output) == lines)
    }

    @Test(
        "fill as many cells as they need, within limits",
        arguments: [
            (320, 200, 80, 24, 36, 12), (90, 90, 80, 24, 10, 5), (2000, 1000, 80, 24, 80, 20),
            (1000, 4000, 80, 24, 12, 24),
            (100_000, 5, 80, 24, 80, 1), (5, 100_000, 80, 24, 1, 24), (100_000, 100_000, 4, 2, 4, 2),
            (9, 18, 0, 0, 1, 1),
        ])
    func frames(width: Int, height: Int, maxColumns: Int, maxRows: Int, columns: Int, rows: Int) throws {
        let size = try #require(PixelSize(width: width, height: height))
        let frame = try #require(PictureFrame(of: size, columns: maxColumns, rows: maxRows, .usual))
        #expect(frame.columns == columns && frame.rows == rows)
        let tracker = try #require(PixelSize(width: 1, height: 1))
        #expect(PictureFrame(of: tracker, columns: 7, rows: 3, .usual) == nil)
    }
}
