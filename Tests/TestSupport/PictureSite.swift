import BlogMockServer
import Foundation

/// A blog with one post with pictures, which are on the same server.
package struct PictureSite: MockSite {
    /// The body of the post, in which `HOST` is the address of the server.
    package let body: String

    package init(body: String) {
        self.body = body
    }

    package func response(to request: MockRequest) -> MockResponse? {
        let host = "http://" + (request.headers["host"] ?? "")
        let metadata = #"""
            {"id":"1","title":"t","publishDate":"2018-07-15T23:03:29Z","postId":"1",\#
            "author":{"name":"Ann","image":"/images/ann.png"}}
            """#
        let escaped = body.replacing("HOST", with: host).replacing("\n", with: "\\n")
        switch request.path {
        case "/post-metadata": return .json(Data("[\(metadata)]".utf8))
        case "/post-metadata/1": return .json(Data(metadata.utf8))
        case "/post/1": return .json(Data(#"{"body":"\#(escaped)","metadata":\#(metadata),"id":"1"}"#.utf8))
        case "/images/ann.png", "/images/1.png", "/images/2.png": return file("image/png", Self.png)
        case "/images/3.jpg": return file("image/jpeg", Self.jpeg)
        case "/images/4.svg": return file("image/svg+xml", Data("<svg/>".utf8))
        default: return nil
        }
    }

    private func file(_ type: String, _ data: Data) -> MockResponse {
        MockResponse(headers: ["Content-Type": type], body: .bytes(data))
    }

    /// The header of a PNG of 90 × 90 pixels, and bytes that would harm a terminal.
    package static let png =
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + Data("IHDR".utf8)
        + Data([0, 0, 0, 90, 0, 0, 0, 90, 8, 2, 0, 0, 0]) + Data("\u{1B}]0;pwned\u{7}".utf8)
    /// A JPEG without its size.
    package static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xD9, 0, 0, 0, 0])
}
