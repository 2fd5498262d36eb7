import BlogEssentials
import BlogMockServer
import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering

/// Pictures at `/picture/N`, a hundred bytes each and of different widths, and other files: `/huge` takes a minute.
private struct PictureSite: MockSite {
    func response(to request: MockRequest) -> MockResponse? {
        switch request.segments.first {
        case "picture": picture(request.segments.dropFirst().first.flatMap { Int($0) } ?? 1)
        case "svg": MockResponse(headers: ["Content-Type": "image/svg+xml"], body: .bytes(Data("<svg/>".utf8)))
        case "html": MockResponse(headers: ["Content-Type": "text/html"], body: .bytes(MadeUpPicture.png()))
        case "words": MockResponse(headers: ["Content-Type": "image/png"], body: .bytes(Data("words".utf8)))
        case "huge":
            MockResponse(
                headers: ["Content-Type": "image/png"],
                body: .trickle(
                    start: MadeUpPicture.png(), chunk: Data(count: 1 << 20), count: 100, milliseconds: 60_000,
                    end: Data()))
        default: nil
        }
    }

    private func picture(_ number: Int) -> MockResponse {
        MockResponse(
            headers: ["Content-Type": "image/png"], body: .bytes(MadeUpPicture.png(100 + number, 200, bytes: 100)))
    }
}

@Suite("The picture cache", .serialized) struct PictureCacheTests {
    private let server: MockServer
    private let running: RunningServers
    private let folder: TemporaryFolder

    init() throws {
        server = try MockServer(sites: [PictureSite()])
        running = RunningServers(server)
        folder = try TemporaryFolder()
    }

    /// The source of the pictures, which is on their server.
    private var source: SourceID { SourceID(kind: "feed", address: server.address + "/") }

    private func url(_ path: String) throws -> URL { try #require(URL(string: server.address + path)) }

    private func cache(
        _ path: String? = nil, freshness: Freshness = .normal, maxBytes: Int = 1000,
        timeLimit: Double = EnoughTime.ample
    ) -> PictureCache {
        let client = HTTPClient(
            transport: TransportKind.used.make(), timeout: EnoughTime.ample,
            retryPolicy: RetryPolicy(maxAttempts: 1, base: 0))
        return PictureCache(
            folder: path ?? folder.path("pictures"), links: LinkRequests(client: client), freshness: freshness,
            maxBytes: maxBytes, timeLimit: timeLimit)
    }

    private var pictures: PictureFolder { PictureFolder(path: folder.path("pictures"), maxBytes: 1000) }

    @Test("requests a picture once, and stores it for its owner only, under a hash of its address")
    func once() async throws {
        let address = try url("/picture/../picture/1")
        for _ in 1...2 {
            let picture = try await cache().picture(address, of: source)
            #expect(picture.format == .png && picture.size == PixelSize(width: 101, height: 200))
            #expect(picture.data.count == 100)
        }
        #expect(server.requests.count == 1)
        #expect(pictures.facts == (1, 100))
        #expect(cache().stored(address)?.data.count == 100)
        let path = try #require(cache().stored(address)?.path)
        #expect(path.hasSuffix("/pictures/" + SHA256.hex(of: address.absoluteString)))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("requests a picture again on demand, and never offline")
    func freshness() async throws {
        let address = try url("/picture/1")
        await #expect(throws: PictureError.notStored(address)) {
            try await cache(freshness: .offline).picture(address, of: source)
        }
        for _ in 1...2 {
            _ = try await cache(freshness: .refresh).picture(address, of: source)
        }
        #expect(server.requests.count == 2)
        _ = try await cache(freshness: .offline).picture(address, of: source)
        #expect(server.requests.count == 2)
    }

    @Test("evicts the least recently used pictures, and leaves other files")
    func leastRecentlyUsed() async throws {
        let cache = cache(maxBytes: 500)
        let urls = try (1...7).map { try url("/picture/\($0)") }
        for (index, url) in urls.prefix(5).enumerated() {
            let picture = try await cache.picture(url, of: source)
            let date = Date(timeIntervalSinceNow: TimeInterval(index - 1000))
            try FileManager.default.setAttributes(
                [.modificationDate: date], ofItemAtPath: try #require(picture.path))
        }
        let foreign = folder.path("pictures/notes.txt")
        try Data(count: 400).write(to: URL(filePath: foreign))
        // The first is used again, so the second and the third go.
        #expect(cache.stored(urls[0]) != nil)
        for url in urls.suffix(2) { _ = try await cache.picture(url, of: source) }
        #expect(urls.map(cache.isCurrent) == [true, false, false, true, true, true, true])
        #expect(pictures.facts == (5, 500))
        pictures.clear()
        #expect(pictures.facts == (0, 0))
        #expect(FileManager.default.fileExists(atPath: foreign))
    }

    @Test("removes old drafts that a killed process left")
    func drafts() async throws {
        _ = try await cache().picture(try url("/picture/1"), of: source)
        let (old, new) = (folder.path("pictures/a.part"), folder.path("pictures/b.part"))
        for path in [old, new] { try Data("x".utf8).write(to: URL(filePath: path)) }
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: old)
        _ = try await cache().picture(try url("/picture/2"), of: source)
        #expect(!FileManager.default.fileExists(atPath: old) && FileManager.default.fileExists(atPath: new))
    }

    @Test("rejects pictures over 20 MiB, at once if their length is announced")
    func tooLarge() async throws {
        let huge = try url("/huge")
        await #expect(throws: HTTPError.tooLarge(huge, limit: 20 << 20)) {
            try await cache().picture(huge, of: source)
        }
        server.setFault(.endless, for: "/picture/1")
        let endless = try url("/picture/1")
        await #expect(throws: HTTPError.tooLarge(endless, limit: 20 << 20)) {
            try await cache().picture(endless, of: source)
        }
        #expect(pictures.facts == (0, 0))
    }

    @Test("gives up on slow downloads")
    func slow() async throws {
        let address = try url("/picture/1")
        server.setFault(.drip(milliseconds: 20), for: "/picture/1")
        try await EnoughTime.from(0.5) { seconds in
            await #expect(throws: HTTPError.self) {
                try await cache(timeLimit: seconds).picture(address, of: source)
            } == .tooSlow(address)
        }
        server.setFault(.delay(60_000), for: "/picture/1")
        await #expect(throws: HTTPError.timedOut(address, seconds: 0.3)) {
            try await cache(timeLimit: 0.3).picture(address, of: source)
        }
    }

    @Test(
        "rejects files that aren't pictures",
        arguments: [("/svg", "image/svg+xml"), ("/html", "text/html"), ("/words", "image/png")])
    func others(path: String, type: String) async throws {
        let address = try url(path)
        await #expect(throws: PictureError.notAPicture(address, type: type)) {
            try await cache().picture(address, of: source)
        }
        #expect(pictures.facts == (0, 0))
    }

    @Test("requests only web addresses, and private ones only on the source's network")
    func elsewhere() async throws {
        let address = try url("/picture/1")
        let file = try #require(URL(string: "file:///etc/passwd"))
        await #expect(throws: PictureError.badAddress("file:///etc/passwd")) {
            try await cache().picture(file, of: nil)
        }
        await #expect(throws: HTTPError.privateAddress(address)) {
            try await cache().picture(address, of: SourceID(kind: "feed", address: "http://example.org/"))
        }
        #expect(server.requests.isEmpty)
        server.setFault(.redirect("file:///etc/passwd"), for: "/picture/1")
        await #expect(throws: HTTPError.badRedirect(address, location: "file:///etc/passwd")) {
            try await cache().picture(address, of: source)
        }
        for target in ["http://10.0.0.1/x.png", "http://localhost:\(server.port)/picture/2", "http://[::1]/x"] {
            server.setFault(.redirect(target), for: "/picture/1")
            await #expect(throws: HTTPError.privateAddress(try #require(URL(string: target)))) {
                try await cache().picture(address, of: source)
            }
        }
        server.setFault(.status(404), for: "/picture/1")
        await #expect(throws: HTTPError.status(address, code: 404, retryAfter: nil)) {
            try await cache().picture(address, of: source)
        }
    }

    @Test("returns a picture even if it can't be stored")
    func unwritable() async throws {
        let file = folder.path("file")
        try Data("x".utf8).write(to: URL(filePath: file))
        let cache = cache(file + "/pictures")
        let picture = try await cache.picture(try url("/picture/1"), of: source)
        #expect(picture.data.count == 100 && picture.path == nil)
        #expect(PictureFolder(path: file + "/pictures", maxBytes: 1000).facts == (0, 0))
    }

    @Test("can be used by many at once")
    func together() async throws {
        let urls = try (1...30).map { try url("/picture/\($0 % 10)") }
        let source = source
        try await withThrowingTaskGroup(of: Int.self) { group in
            for url in urls {
                // A limit that several drafts of one picture don't reach.
                let cache = cache(maxBytes: 100_000)
                group.addTask { try await cache.picture(url, of: source).data.count }
            }
            for try await count in group { #expect(count == 100) }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("pictures"))
        #expect(names.count == 10 && names.allSatisfy { $0.count == 64 })
    }
}
