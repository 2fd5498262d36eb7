import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog with photos", .serialized) struct PhotosTests {
    private let site: TestSite
    private static let key = "s3cretkey"

    init() throws {
        site = try TestSite(PhotoAPI(refuses: false))
    }

    private func photos(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
        return try await site.blog(
            arguments + ["-s", "500px", "--url", site.server.address + "/v1"], environment: environment)
    }

    @Test("lists the best rated first, or in other orders")
    func list() async throws {
        let run = try await photos("list", "--fields", "id,rank,rating")
        #expect(run.code == 0)
        let fields = run.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        #expect(fields.map { $0[0] } == ["500px:2", "500px:4", "500px:1", "500px:3"])
        #expect(fields.map { $0[1] } == ["1", "2", "3", "4"])
        #expect(fields.map { $0[2] } == ["99.5", "80.0", "80.0", ""])
        #expect(
            run.errors.contains("Skipped 1 record from \(site.server.address)/v1: record 4 isn't an object"))
        let shape = try await photos("list").lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        #expect(shape.allSatisfy { $0.count == 5 })
        #expect(shape.first?[3...] == ["Ice", "Black sand"])
        for (order, first) in [("rating", "500px:2"), ("date", "500px:4"), ("title", "500px:4"), ("author", "500px:1")]
        {
            #expect(try await photos("list", "--sort", order, "--format", "ids").lines.first == first, "\(order)")
        }
        let grouped = try await photos("list", "--group", "author", "--format", "text")
        #expect(grouped.output.contains("Bo · 1 post"))
        #expect(try await photos("list", "--sort", "score").code == 2)
    }

    @Test("reads a photo with its comments as a thread")
    func read() async throws {
        let run = try await photos("read", "500px:2")
        #expect(run.code == 0)
        #expect(run.lines.prefix(4) == ["Ice", "━━━", "500px:2", "Black sand"])
        #expect(
            run.output.contains("Camera        Canon EOS 6D\nTaken         2018-07-01T10:00:00Z\n\nWhere         Vík\n")
        )
        #expect(run.output.contains("\nbo · 2018-07-04T00:00:00Z · 1 reply · 500px:2:1\nWhere?\n"))
        #expect(run.output.hasSuffix("\n│ ana (OP) · 2018-07-05T00:00:00Z · 500px:2:2\n│ Vík\n"))
        #expect(try await photos("read", "500px:9").code == 3)
    }

    @Test("prints a photo as JSON, with nested comments")
    func json() async throws {
        struct Thread: Decodable {
            struct Metadata: Decodable {
                struct Photo: Decodable {
                    let rating: Double
                    let camera: [String: String]
                }
                let photo: Photo
            }
            struct Comment: Decodable {
                let id: String
                let comments: [Comment]
            }
            let photo: Metadata.Photo
            let body: String
            let comments: [Comment]
        }
        let run = try await photos("read", "500px:2", "--json")
        let thread = try JSONDecoder().decode(Thread.self, from: Data(run.output.utf8))
        #expect(thread.photo.rating == 99.5)
        #expect(thread.photo.camera == ["model": "Canon EOS 6D", "takenAt": "2018-07-01T10:00:00Z"])
        #expect(thread.body == "Black sand")
        #expect(thread.comments.map(\.id) == ["500px:2:1"])
        #expect(thread.comments.first?.comments.map(\.id) == ["500px:2:2"])
    }

    @Test("follows, syncs, searches and marks photos as any source's posts, offline too")
    func source() async throws {
        #expect(try await site.blog("follow", site.server.address + "/v1", "--as", "pics").code == 0)
        #expect(try await site.blog("sync").code == 0)
        #expect(try await site.blog("search", "canon", "--format", "ids").lines == ["pics:2"])
        #expect(try await site.blog("search", "vik", "in:comments", "--format", "ids").lines == ["pics:2:2"])
        #expect(try await site.blog("mark", "saved", "pics:2").code == 0)
        site.server.stop()
        #expect(try await site.blog("list", "--saved", "--format", "ids").lines == ["pics:2"])
        #expect(try await site.blog("list", "--offline", "--format", "ids").lines.first == "pics:2")
        let read = try await site.blog("read", "pics:2", "--offline")
        #expect(read.output.contains("Canon EOS 6D") && read.output.contains("│ Vík"))
        #expect(try await site.blog("open", "pics:2", "--print").output.hasSuffix("/photo/2/ice\n"))
    }

    @Test("never shows, stores or exports the key")
    func key() async throws {
        let environment = ["FIVEHUNDREDPX_CONSUMER_KEY": Self.key]
        var told = ""
        for arguments in [
            ["list", "-v"], ["read", "500px:2", "-v"], ["sync", "-v"], ["sources"], ["store", "export"],
        ] {
            let run = try await site.blog(
                arguments + (arguments[0] == "store" ? [] : ["-s", "500px", "--url", site.server.address + "/v1"]),
                environment: environment)
            #expect(run.code == 0, "\(arguments)")
            told += run.output + run.errors
        }
        #expect(told.contains("Canon EOS 6D") && told.contains("feature=popular"))
        #expect(!told.contains(Self.key))
        for file in try FileManager.default.subpathsOfDirectory(atPath: site.home.path) {
            let data = FileManager.default.contents(atPath: site.home.appending(path: file).path) ?? Data()
            #expect(data.range(of: Data(Self.key.utf8)) == nil, "\(file)")
        }
    }

    @Test("says what to do if the server requires a key, or another one")
    func refused() async throws {
        let other = try TestSite(PhotoAPI(refuses: true))
        for (environment, sentence) in [
            ([:], "requires an API key.\nSet FIVEHUNDREDPX_CONSUMER_KEY to your API key, then try again.\n"),
            (
                ["FIVEHUNDREDPX_CONSUMER_KEY": Self.key],
                "rejected the API key.\nSet FIVEHUNDREDPX_CONSUMER_KEY to a valid key, then try again.\n"
            ),
        ] {
            let run = try await other.blog(
                "list", "-s", "500px", "--url", other.server.address + "/v1", environment: environment)
            #expect(run.code == 1)
            #expect(run.errors == "blog: \(other.server.address)/v1/photos \(sentence)")
        }
    }
}

/// Some photos on one page, one of them with details.
private struct PhotoAPI: MockSite {
    let refuses: Bool

    func response(to request: MockRequest) -> MockResponse? {
        if refuses, request.path.hasPrefix("/v1/photos") { return .error(403, "Invalid key") }
        return switch request.path {
        case "/v1/photos": .json(Data(Self.list.utf8))
        case "/v1/photos/2": .json(Data(#"{"photo":\#(Self.photo),"comments":\#(Self.comments)}"#.utf8))
        case "/v1/photos/1", "/v1/photos/3", "/v1/photos/4": .json(Data(Self.plain(request.segments[2]).utf8))
        default: nil
        }
    }

    private static func plain(_ id: String) -> String {
        #"{"photo":{"id":\#(id),"name":"Photo \#(id)","created_at":"2018-07-01T00:00:00Z"},"comments":[]}"#
    }

    private static let list = """
        {"current_page":1,"total_pages":1,"photos":[
        {"id":4,"name":"Air","created_at":"2018-07-09T00:00:00Z","rating":80,"user":{"username":"zoe"}},
        {"id":1,"name":"Sea ","created_at":"2018-07-01T00:00:00Z","rating":80.0,"user":{"fullname":"Al"}},
        {"id":3,"name":"Fog","created_at":"2018-07-02T00:00:00Z","rating":null,"user":{"fullname":"Bo"}},
        \(photo),[],
        {"id":4,"name":"Air","created_at":"2018-07-09T00:00:00Z","rating":99,"user":{"username":"zoe"}}]}
        """
    private static let photo = """
        {"id":2,"name":"Ice","created_at":"2018-07-03T00:00:00Z","rating":99.5,"user":{"username":"ana"},
        "url":"/photo/2/ice","description":"Black sand","camera":"Canon EOS 6D","lens":"","iso":"0","latitude":0,
        "longitude":0,"location":"Vík","taken_at":"2018-07-01T10:00:00Z"}
        """
    private static let comments = """
        [{"id":1,"body":"Where?","created_at":"2018-07-04T00:00:00Z","user":{"username":"bo"}},
        {"id":2,"body":"Vík","created_at":"2018-07-05T00:00:00Z","parent_id":1,"user":{"username":"ana"}}]
        """
}
