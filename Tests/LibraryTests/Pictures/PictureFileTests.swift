import BlogEssentials
import BlogHTTP
import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel

@Suite("A picture file") struct PictureFileTests {
    private static let previews = (0..<16).reduce(into: Data()) { data, _ in
        data += Data([0xFF, 0xE1, 0xFF, 0xFF]) + Data(count: 65_533)
    }

    static let sizes: [(Data, PictureFormat, Int, Int)] = [
        (MadeUpPicture.png(1, 100_000), .png, 1, 100_000), (MadeUpPicture.jpeg(640, 481), .jpeg, 640, 481),
        (MadeUpPicture.jpeg(640, 481, marker: 0xC2), .jpeg, 640, 481),
        (MadeUpPicture.jpeg(640, 481, fill: 1), .jpeg, 640, 481),
        (MadeUpPicture.png(4_294_967_295, 4_294_967_295), .png, 4_294_967_295, 4_294_967_295),
        // Bytes between segments, and a megabyte of previews before the size.
        (
            MadeUpPicture.jpeg().prefix(10) + Data([0, 0xFF, 0, 1]) + MadeUpPicture.jpeg().dropFirst(10), .jpeg, 320,
            200
        ),
        (Data([0xFF, 0xD8]) + previews + MadeUpPicture.jpeg().dropFirst(2), .jpeg, 320, 200),
        (MadeUpPicture.gif(70, 300), .gif, 70, 300),
        (Data("GIF87a".utf8) + MadeUpPicture.gif(70, 300).dropFirst(6), .gif, 70, 300),
        (MadeUpPicture.webp("VP8X", [0, 0, 0, 0, 0x3F, 1, 0, 0xC7, 0, 0]), .webp, 320, 200),
        (MadeUpPicture.webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0x40, 1, 0xC8, 0]), .webp, 320, 200),
        (MadeUpPicture.webp("VP8L", [0x2F, 0x3F, 0xC1, 0x31, 0]), .webp, 320, 200),
    ]

    @Test("reveals its format and its size", arguments: sizes)
    func size(data: Data, format: PictureFormat, width: Int, height: Int) {
        #expect(PictureFormat(data) == format)
        #expect(PixelSize(of: data, format) == PixelSize(width: width, height: height))
    }

    static let noPictures: [Data] = [
        Data(), Data("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), Data("<!DOCTYPE html>".utf8),
        Data("GIF87".utf8), Data("RIFF1234WAVE".utf8), Data([0xFF, 0xD8]), Data("\u{89}PNG".utf8), Data("BM".utf8),
    ]

    @Test("in another format is rejected", arguments: noPictures)
    func others(data: Data) {
        #expect(PictureFormat(data) == nil)
    }

    static let sizeless: [Data] = [
        MadeUpPicture.png(0, 10), MadeUpPicture.png().prefix(20),
        // An end marker, a segment without a length, one that is cut off, and another kind of marker.
        Data([0xFF, 0xD8, 0xFF, 0xD9, 0, 0, 0, 0]), Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0xFF, 0xC0]),
        MadeUpPicture.jpeg().prefix(16), MadeUpPicture.jpeg(marker: 0xC4), MadeUpPicture.gif().prefix(8),
        MadeUpPicture.webp("VP9 ", []), MadeUpPicture.webp("VP8X", []).prefix(24),
    ]

    @Test("has no size if it is cut off or invalid", arguments: sizeless)
    func unknown(data: Data) throws {
        #expect(PixelSize(of: data, try #require(PictureFormat(data))) == nil)
    }

    @Test("of random bytes has a valid size or none")
    func noise() {
        var random = SplitMix(state: 17)
        let starts = [MadeUpPicture.png(), MadeUpPicture.jpeg(), MadeUpPicture.gif(), MadeUpPicture.webp("VP8X", [])]
        var sizes = 0
        for _ in 0..<20_000 {
            var data = starts.randomElement(using: &random) ?? Data()
            for _ in 0..<4 {
                data[Int.random(in: 12..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            data = data.prefix(Int.random(in: 0...data.count, using: &random))
            guard let format = PictureFormat(data), let size = PixelSize(of: data, format) else { continue }
            #expect((1...0xFFFF_FFFF).contains(size.width) && (1...0xFFFF_FFFF).contains(size.height))
            sizes += 1
        }
        #expect(sizes > 1000)
    }

    @Test(
        "is accepted with a picture's media type, a generic one, or none",
        arguments: [
            ("image/png", true), ("IMAGE/JPEG; q=1", true), ("application/octet-stream", true),
            ("image/jpg", true), ("image/pjpeg", true), ("image/x-png", true), ("image/apng", true),
            ("image/gif", true), ("image/webp", true), ("binary/octet-stream", true), ("image/svg+xml", false),
            ("text/html", false), ("text/plain", false), ("image/tiff", false), ("application/json", false),
        ])
    func types(type: String, isAccepted: Bool) {
        #expect(PictureFormat.accepts(MediaType(type)) == isAccepted)
        #expect(PictureFormat.accepts(nil))
    }

    /// The examples of FIPS 180-2, and lengths around a block.
    static let digests = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    ]

    @Test("is named by the SHA-256 of its address", arguments: digests)
    func digest(text: String, hex: String) {
        #expect(SHA256.hex(of: text) == hex)
    }
}
