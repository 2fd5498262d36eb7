import BlogEssentials
import BlogModel
import BlogRendering
import BlogTestSupport
import Foundation
import Testing
@testable import BlogTerminal

@Suite("The size that a picture claims") struct ShownSizeTests {
    /// The largest picture that is shown in each format, and larger ones.
    static let pictures: [(Data, PictureFormat, String?)] = [
        (MadeUpPicture.png(10_000, 5000), .png, nil), (MadeUpPicture.png(10_000, 5001), .png, "10,000 by 5,001"),
        (MadeUpPicture.png(4_294_967_295, 4_294_967_295), .png, "4,294,967,295 by 4,294,967,295"),
        (MadeUpPicture.jpeg(10_000, 5000), .jpeg, nil), (MadeUpPicture.jpeg(65_535, 65_535), .jpeg, "65,535 by 65,535"),
        (MadeUpPicture.gif(10_000, 5000), .gif, nil), (MadeUpPicture.gif(65_535, 65_535), .gif, "65,535 by 65,535"),
        (MadeUpPicture.webp("VP8X", [0, 0, 0, 0, 0x3F, 1, 0, 0xC7, 0, 0]), .webp, nil),
        (
            MadeUpPicture.webp("VP8X", [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), .webp,
            "16,777,216 by 16,777,216"
        ),
        (MadeUpPicture.webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0xFF, 0x3F, 0xFF, 0x3F]), .webp, "16,383 by 16,383"),
        (MadeUpPicture.webp("VP8L", [0x2F, 0xFF, 0xFF, 0xFF, 0x0F]), .webp, "16,384 by 16,384"),
    ]

    private func place(isOrnament: Bool = false) throws -> PicturePlace {
        try #require(PicturePlace(["http://a.example/1"], name: "", columns: 40, isOrnament: isOrnament))
    }

    private func picture(_ data: Data, _ format: PictureFormat) -> LoadedPicture {
        LoadedPicture(data, format, path: "/picture")
    }

    /// An environment in which `chafa` is installed, but not in that of the tests, which starts it.
    private func painter(_ folder: TemporaryFolder) throws -> SymbolPainter {
        let program = folder.path("chafa")
        try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        return try #require(SymbolPainter(Environment(["PATH": folder.url.path, "TERM": "xterm"])))
    }

    @Test("keeps it from being drawn by another program, which is said in its place", arguments: pictures)
    func symbols(data: Data, format: PictureFormat, refusal: String?) throws {
        let folder = try TemporaryFolder()
        let picture = picture(data, format)
        if let refusal {
            let line = "(picture not shown: \(refusal) pixels are too many)"
            #expect(ShownSize(picture) == .refused(line))
            #expect(try painter(folder).lines(of: picture, place(), columns: 80)?.map(\.plain) == [line])
        } else {
            #expect(ShownSize(picture) == .shown(try #require(picture.size)))
        }
    }

    @Test(
        "keeps it from being sent to the terminal, which is said in its place",
        arguments: pictures, ["xterm-kitty", "wezterm"])
    func protocols(picture: (data: Data, format: PictureFormat, refusal: String?), term: String) throws {
        let painter = PicturePainter(
            Environment(["TERM": term]), output: FileStream(descriptor: -1), hasSymbols: false)
        let loaded = self.picture(picture.data, picture.format)
        let bytes = try painter.paint(loaded, place(), margin: 2, throughPager: false)
        let text = bytes.map { String(decoding: $0, as: UTF8.self) }
        if let refusal = picture.refusal {
            #expect(text == "  (picture not shown: \(refusal) pixels are too many)\n")
        } else {
            let isSupported = term == "wezterm" ? picture.format != .webp : picture.format == .png
            #expect(text?.hasPrefix("  \u{1B}") == (isSupported ? true : nil))
        }
    }

    @Test("must be known")
    func unknown() throws {
        let folder = try TemporaryFolder()
        let lines = try painter(folder).lines(of: picture(PictureSite.jpeg, .jpeg), place(), columns: 80)
        #expect(lines?.map(\.plain) == ["(picture not shown: its size can't be read)"])
    }

    @Test("isn't mentioned for a picture that is only decoration")
    func ornaments() throws {
        let folder = try TemporaryFolder()
        let huge = picture(MadeUpPicture.gif(65_535, 65_535), .gif)
        #expect(try painter(folder).lines(of: huge, place(isOrnament: true), columns: 80) == nil)
    }
}
