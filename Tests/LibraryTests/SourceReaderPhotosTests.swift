import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A reader of photos") struct SourceReaderPhotosTests {
    private let store: PostStore
    private let address: URL
    private let clock = TestClock(Date(timeIntervalSince1970: 1_700_000_000))

    init() throws {
        store = try PostStore()
        address = try #require(URL(string: "https://photos.example/v1"))
    }

    private static let details = [
        "camera": #""Canon EOS 6D""#, "lens": #""EF24-70mm""#, "location": #""Jökulsárlón""#, "latitude": "64.5",
        "longitude": "-16.25", "category": "8", "description": #""Ice on <b>black</b> sand""#,
    ]

    /// Three photos, one of them with details and comments.
    private func server(ratings: [String] = ["70", "90", "80"]) -> PhotoServer {
        let list = ratings.enumerated().map { photoJSON($0 + 1, ["rating": $1, "category": "8"]) }
        let photo = photoJSON(2, Self.details.merging(["rating": ratings[1]]) { $1 })
        let comments = """
            [{"id":1,"body":"Where is that?","user":{"username":"bo"}},{"id":2,"body":"Iceland","parent_id":1}]
            """
        return PhotoServer(
            pages: [PhotoServer.list(list)], photos: [2: #"{"photo":\#(photo),"comments":\#(comments)}"#])
    }

    private func reader(_ server: any Transport, _ freshness: Freshness = .normal) -> SourceReader {
        SourceReader(
            source: PhotoSource(address: address, client: .impatient(server)), store: store, freshness: freshness,
            clock: clock.wall)
    }

    private func posts(_ list: PostList) async throws -> [StoredPost] {
        try await list.posts.reduce(into: []) { $0.append($1) }
    }

    private func ids(_ reader: SourceReader, _ sorting: Sorting = .rank) async throws -> [String] {
        try await posts(reader.list(Query(arrangement: Arrangement(sorting: sorting)))).map(\.metadata.id)
    }

    private func found(_ words: String) async throws -> [String] {
        try await store.ids(Query(words: words), of: reader(server()).sourceID)
    }

    @Test("lists photos by rating with a single request")
    func list() async throws {
        let server = server()
        let shown = try await posts(reader(server).list(Query(arrangement: Arrangement(sorting: .rank), limit: 2)))
        #expect(shown.map(\.metadata.id) == ["2", "3"])
        #expect(shown.map(\.rank) == [1, 2])
        #expect(server.requests.count == 1)
    }

    @Test("sorts photos in any order, offline too", arguments: [Freshness.normal, .offline])
    func orders(freshness: Freshness) async throws {
        _ = try await ids(reader(server(ratings: ["null", "90", "90"])))
        let reader = reader(server(), freshness)
        #expect(try await ids(reader) == ["2", "3", "1"])
        #expect(try await ids(reader, .rating) == ["2", "3", "1"])
        #expect(try await ids(reader, .title) == ["1", "2", "3"])
        #expect(try await ids(reader, .author) == ["1", "2", "3"])
        let query = Query(arrangement: Arrangement(sorting: .rating, isReversed: true), limit: 2)
        #expect(try await posts(reader.list(query)).map(\.metadata.id) == ["1", "3"])
        let grouped = try await reader.list(Query(arrangement: Arrangement(sorting: .rank, grouping: .author)))
        #expect(grouped.groups == [PostGroup(name: "ana", count: 3)])
    }

    @Test("keeps the source's order for photos with the same rating")
    func ties() async throws {
        let list = [3, 1, 2].map { photoJSON($0, ["rating": "80"]) }
        let reader = reader(PhotoServer(pages: [PhotoServer.list(list)], photos: [:]))
        #expect(try await ids(reader, .rating) == ["3", "1", "2"])
    }

    @Test("fetches a list again after five minutes")
    func freshness() async throws {
        let server = server()
        for (seconds, requests) in [(0, 1), (299, 1), (1, 2), (-600, 3)] {
            clock.pass(TimeInterval(seconds))
            _ = try await ids(reader(server))
            #expect(server.requests.count == requests, "after \(seconds) s")
        }
        _ = try await ids(reader(server, .refresh))
        #expect(server.requests.count == 4)
    }

    @Test("fetches a photo with its comments in one request, and reads both offline")
    func read() async throws {
        let server = server()
        for freshness in [Freshness.normal, .normal, .offline] {
            let reader = reader(server, freshness)
            let read = try await reader.read(id: "2")
            #expect(read.post.metadata.photo?.camera?.model == "Canon EOS 6D")
            #expect((read.post.body, read.post.bodyFormat) == ("Ice on <b>black</b> sand", .html))
            let stream = reader.comments(on: read)
            let comments = try await stream.reduce(into: []) { $0.append($1) }
            #expect(comments.map { "\($0.id)@\($0.depth) \($0.body)" } == ["2:1@0 Where is that?", "2:2@1 Iceland"])
            #expect(stream.missing.count == 0)
        }
        #expect(server.requests.count == 1)
        #expect(try await reader(server).read(id: "2:2").post.body == "Iceland")
    }

    @Test("keeps a photo's details that a list doesn't have")
    func details() async throws {
        _ = try await ids(reader(server()))
        _ = try await reader(server()).read(id: "2")
        clock.pass(600)
        let later = server(ratings: ["99", "10", "50"])
        #expect(try await ids(reader(later)) == ["1", "3", "2"])
        let photo = try #require(try await reader(later, .offline).read(id: "2").post.metadata.photo)
        #expect((photo.rating, photo.camera?.lens, photo.place?.name) == (10, "EF24-70mm", "Jökulsárlón"))
        #expect(photo.replies == ["2:1"])
    }

    @Test("finds photos by camera, place and subject once they are fetched")
    func search() async throws {
        _ = try await ids(reader(server()))
        #expect(try await found("landscapes").count == 3)
        #expect(try await found("canon").isEmpty)
        let report = try await reader(server()).sync(SyncOptions(limit: 1, withComments: true)) { _ in }
        #expect((report.new, report.failed, report.comments) == (1, 0, 0))
        for words in ["canon", "EF24", "jokulsarlon", "6D landscapes", "black"] {
            #expect(try await found(words) == ["2"], "\(words)")
        }
        #expect(try await found("iceland") == ["2:2"])
        clock.pass(600)
        _ = try await ids(reader(server(ratings: ["1", "2", "3"])))
        #expect(try await found("canon") == ["2"])
        #expect(try await store.check() == [])
    }

    @Test("shows the stored list if the server fails, or fails without one")
    func failure() async throws {
        let broken = PhotoServer(pages: ["[]"], status: 500)
        await #expect(throws: HTTPError.self) { _ = try await ids(reader(broken)) }
        await #expect(throws: LibraryError.self) { _ = try await ids(reader(broken, .offline)) }
        _ = try await ids(reader(server()))
        clock.pass(600)
        let list = try await reader(broken).list(Query(arrangement: Arrangement(sorting: .rank)))
        #expect(list.report?.failure != nil)
        #expect(try await posts(list).map(\.metadata.id) == ["2", "3", "1"])
    }

    @Test("reports the records left out of a list")
    func rejected() async throws {
        let list = try await reader(PhotoServer(pages: [PhotoServer.list([photoJSON(), "{}"])])).list(Query())
        #expect(list.refreshes[0].report.flaws.rejected.map(\.reason) == ["is missing"])
        #expect(list.refreshes[0].report.flaws.rejectedCount == 1)
    }

    @Test("exports photos so that another store has all their details")
    func export() async throws {
        _ = try await ids(reader(server()))
        _ = try await reader(server()).read(id: "2")
        let other = try PostStore()
        let exported = try await store.exported()
        let lines = exported.map(ExportLine.text)
        let read = try lines.map { try JSONDecoder().decode(ExportedPost.self, from: Data($0.utf8)) }
        #expect(read == exported)
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.matches(of: /"photo":/).count <= 1 })
        _ = try await other.merge(read)
        let source = reader(server()).sourceID
        let byRating = Query(arrangement: Arrangement(sorting: .rating))
        #expect(try await other.ids(byRating, of: source).prefix(3) == ["2", "3", "1"])
        #expect(try await other.ids(Query(words: "canon"), of: source) == ["2"])
    }
}
