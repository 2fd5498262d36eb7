import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering

@Suite("The most popular photos") struct PhotoSourceTests {
    private let address: URL

    init() throws {
        address = try #require(URL(string: "https://api.photos.example/v1"))
    }

    private func source(_ server: PhotoServer, key: String? = nil) -> PhotoSource {
        let client = HTTPClient(transport: server, keys: QueryKeys([PhotoSource.keyName: key]))
        return PhotoSource(address: address, client: client)
    }

    private func ranking(_ server: PhotoServer) async throws -> Ranking {
        guard case .ranking(let ranking) = try await source(server).refresh(nil, since: nil) else {
            throw SourceError.nothingUsable(address, [])
        }
        return ranking
    }

    /// The records of photos with these ratings.
    private func photos(_ ratings: KeyValuePairs<Int, String>) -> [String] {
        ratings.map { photoJSON($0.key, ["rating": $0.value]) }
    }

    @Test("are ranked by rating over all pages, unrated last, ties in the API's order")
    func order() async throws {
        let pages = [
            photos([5: "60", 1: "99", 9: "null", 2: "80.5"]), photos([1: "10", 7: "80.5", 8: #""NaN""#, 3: "1e999"]),
            photos([4: "99.5", 2: "100", 6: "80.5"]),
        ]
        let server = PhotoServer(pages: pages.map { PhotoServer.list($0, of: 3) })
        let ranking = try await ranking(server)
        #expect(ranking.ids == ["4", "1", "2", "7", "6", "5", "9", "8", "3"])
        #expect(ranking.entries.map(\.metadata.id) == ranking.ids)
        #expect(server.requests.count == 3)
    }

    @Test("are requested page by page with the API's query parameters")
    func query() async throws {
        let server = PhotoServer(pages: [
            PhotoServer.list([photoJSON()], of: 2), PhotoServer.list([photoJSON(2)], of: 2),
        ])
        _ = try await ranking(server)
        let query = "feature=popular&sort=rating&sort_direction=desc&rpp=100&page=1&image_size=440,1600"
        #expect(server.requests.map(\.absoluteString).first == "https://api.photos.example/v1/photos?" + query)
        #expect(server.requests.last?.query() == query.replacing("page=1", with: "page=2"))
    }

    @Test("are limited to 500 photos and 25 pages")
    func limits() async throws {
        let full = (0..<9).map { page in PhotoServer.list((1...100).map { photoJSON(page * 100 + $0) }, of: 250) }
        let server = PhotoServer(pages: full)
        #expect(try await ranking(server).ids.count == 500)
        #expect(server.requests.count == 5)
        let small = PhotoServer(pages: (1...40).map { PhotoServer.list([photoJSON($0)], of: 40) })
        #expect(try await ranking(small).ids.count == 25)
    }

    static let ends: [([String], Int)] = [
        // A bare array, from a server without pagination.
        (Array(repeating: "[\(photoJSON(1)),\(photoJSON(2))]", count: 9), 2),
        (["[\(photoJSON(1))]", "[\(photoJSON(2))]", "[]"], 3),
        ([PhotoServer.list([photoJSON(1)], of: nil), PhotoServer.list([photoJSON(2)], of: nil), "[]"], 3),
        (
            [
                PhotoServer.list([photoJSON(1)], of: 9), PhotoServer.list([photoJSON(1)], of: 9),
                PhotoServer.list([], of: 9),
            ], 3
        ),
        ([PhotoServer.list([], of: 9)], 1), (["[]"], 1),
    ]

    @Test("aren't requested past the last page", arguments: ends)
    func end(pages: [String], requests: Int) async throws {
        let server = PhotoServer(pages: pages)
        _ = try await ranking(server)
        #expect(server.requests.count == requests)
    }

    @Test("skip invalid records, and report which they are")
    func rejected() async throws {
        let records = [
            "[]", photoJSON(1), #"{"id":"x"}"#, #"{"name":"x"}"#, #"{"id":null}"#, "7", #"{"id":1.5}"#, "null",
            #"{"id":-3}"#, photoJSON(4, ["rating": "NaN"]), photoJSON(5, ["name": #""\ud83d""#]),
        ]
        let ranking = try await ranking(PhotoServer(pages: [PhotoServer.list(records)]))
        #expect(ranking.ids == ["1", "5", "4"])
        #expect(ranking.entries.last?.metadata.photo?.rating == nil)
        #expect(ranking.entries[1].metadata.title == "\u{FFFD}")
        let faults = ranking.rejected.map { "\($0.index) \($0.field) \($0.reason)" }
        #expect(
            faults == [
                "0  isn't an object", "2 id isn't a whole number", "3 id is missing", "4 id is null",
                "5  isn't an object", "6 id isn't a whole number", "7  is null", "8 id isn't positive",
            ])
        #expect(ranking.rejected.map(\.id) == [nil, "x", nil, nil, nil, "1.5", nil, "-3"])
    }

    @Test("are rejected if no record is readable")
    func nothing() async throws {
        let list = try #require(URL(string: "https://api.photos.example/v1/photos"))
        let fault = RejectedRecord(index: 0, field: "id", reason: "is missing")
        await #expect(throws: SourceError.nothingUsable(list, [fault])) {
            _ = try await ranking(PhotoServer(pages: [PhotoServer.list(["{}"])]))
        }
        for body in [#"{"photos":{}}"#, "{}", "7", "null", #"{"error":"x"}"#] {
            await #expect(throws: SourceError.self, "\(body)") { _ = try await ranking(PhotoServer(pages: [body])) }
        }
    }

    @Test("can be fetched by ID, each with its comments")
    func item() async throws {
        let server = PhotoServer.of(photoJSON(), comments: #"[{"id":2,"body":"x"},[],{"id":3,"parent_id":2}]"#)
        let entry = try #require(try await source(server).item(id: "1"))
        #expect(entry.metadata.photo?.replies == ["1:2"])
        #expect(entry.comments.map(\.metadata.id) == ["1:2", "1:3"])
        #expect(try await source(server).item(id: "1:3")?.metadata.discussion?.parent == "1:2")
        for id in ["2", "1:9", "x", "", ":", "1:x", "99999999999999999999", "../1"] {
            #expect(try await source(server).item(id: id) == nil, "\(id)")
        }
    }

    @Test("are rejected if the response is for another photo, or isn't one")
    func otherPhoto() async throws {
        let url = try #require(URL(string: "https://api.photos.example/v1/photos/1"))
        let faults: [(String, String)] = [
            (#"{"photo":\#(photoJSON(2))}"#, "is for another photo, “2”"), ("{}", "isn't a photo"),
            (#"{"photo":null}"#, "isn't a photo"), (#"{"photo":{}}"#, "isn't a post: photo.id is missing"),
        ]
        for (body, problem) in faults {
            await #expect(throws: SourceError.unreadable(url, problem: problem)) {
                _ = try await source(PhotoServer(photos: [1: body])).item(id: "1")
            }
        }
        #expect(try await source(PhotoServer(photos: [1: #"{"status":404,"error":"x"}"#])).item(id: "1") == nil)
    }

    @Test("have pages on the site")
    func pages() throws {
        let source = source(PhotoServer())
        let page = try #require(URL(string: "https://photos.example/photo/49/name-by-ana"))
        #expect(source.id(ofPage: page) == "49")
        #expect(source.discussionPage(of: "49:2")?.absoluteString == "https://photos.example/photo/49")
        for other in ["https://photos.example/ana", "https://photos.example/photo/x", "https://other.example/photo/49"]
        {
            #expect(source.id(ofPage: try #require(URL(string: other))) == nil)
        }
    }
}
