import BlogMarkup
import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering

#if !os(Linux)
    import BlogKit
#endif

@Suite("Embedded pictures") struct EmbeddedPicturesTests {
    @Test(
        "have a total limit, which counts a picture in several places each time",
        arguments: [(1000, 3, 0), (2, 2, 1), (1, 1, 1), (0, 0, 1)])
    func limit(pictures: Int, shown: Int, leftOut: Int) async throws {
        let server = try MockServer(sites: [PictureSite(body: "")])
        defer { server.stop() }
        let address = "\(server.address)/images/1.png"
        let size = "data:image/png;base64,".utf8.count + PictureSite.png.base64EncodedString().utf8.count
        let links = LinkRequests(client: HTTPClient(transport: Self.transport, timeout: EnoughTime.ample))
        let cache = PictureCache(folder: nil, links: links, timeLimit: EnoughTime.ample)
        let embedded = EmbeddedPictures(cache: cache, maxBytes: pictures * size, maxRequests: 4)
        // Only what is written counts.
        for _ in 0..<2 { await embedded.fetch([address], of: SourceID(kind: "blog", address: server.address)) }
        let sources = (0..<3).map { _ in embedded.pictures.source(address) }
        #expect(sources.count { $0 != nil } == shown)
        #expect(embedded.missing.leftOut == leftOut)
        #expect(server.requests.count == (pictures == 0 ? 0 : 1))
    }

    private static var transport: any Transport {
        #if os(Linux)
            CurlTransport()
        #else
            URLSessionTransport()
        #endif
    }
}
