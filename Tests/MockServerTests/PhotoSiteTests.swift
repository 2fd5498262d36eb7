import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("The mock 500px site", .serialized) struct PhotoSiteTests {
    private let site: PhotoSite
    private let count = 127

    init() throws {
        site = try Repository.photoSite.get()
    }

    private func response(
        _ target: String, of site: PhotoSite? = nil
    ) throws -> (status: Int, type: String?, body: Data) {
        let request = try #require(MockRequest(target, ["host": "photos.example:81"]))
        let response = try #require((site ?? self.site).response(to: request))
        guard case .bytes(let data) = response.body else {
            Issue.record("\(target) trickles")
            return (0, nil, Data())
        }
        return (response.status, response.headers["Content-Type"], data)
    }

    private func json(_ target: String) throws -> [String: Any] {
        let response = try response(target)
        #expect(response.type == "application/json")
        return try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any], "\(target)")
    }

    private func photos(_ query: String) throws -> [[String: Any]] {
        try #require(try json("/v1/photos?feature=popular&\(query)")["photos"] as? [[String: Any]])
    }

    /// All photos in the order of the list.
    private func allPhotos() throws -> [[String: Any]] { try photos("rpp=100") + photos("rpp=100&page=2") }

    private func ids(_ photos: [[String: Any]]) -> [Int] { photos.compactMap { $0["id"] as? Int } }

    @Test(
        "serves pages of 1 to 100 photos",
        arguments: [("", 20), ("rpp=1", 1), ("rpp=100&page=1", 100), ("rpp=101", 100), ("rpp=0", 1), ("rpp=x", 20)])
    func pages(query: String, count: Int) throws {
        let page = try json("/v1/photos?feature=popular&\(query)")
        #expect(page["total_items"] as? Int == self.count)
        #expect(page["total_pages"] as? Int == (self.count + count - 1) / count)
        #expect(page["current_page"] as? Int == 1)
        #expect((page["photos"] as? [Any])?.count == count)
    }

    @Test("has an empty page after the last, and the same order for every page size")
    func order() throws {
        #expect(try photos("rpp=100&page=3").isEmpty)
        let small = try (1...4).flatMap { try ids(photos("rpp=32&page=\($0)")) }
        #expect(try small == ids(allPhotos()))
        #expect(Set(small) == Set(1...count) && small.count == count)
    }

    @Test("has ties, integers and nulls among the ratings, and a better photo on page two")
    func ratings() throws {
        let photos = try allPhotos()
        let ratings = photos.map { $0["rating"] as? Double }
        let known = ratings.compactMap(\.self)
        #expect(Set(known).count < known.count / 2)
        #expect(known.contains { $0 == $0.rounded() } && known.contains { $0 != $0.rounded() })
        #expect(photos.contains { $0["rating"] is NSNull })
        #expect(try #require(ratings[100...].compactMap(\.self).max()) > (try #require(ratings[9])))
        #expect(ratings.suffix(4).allSatisfy { $0 == nil })
    }

    @Test("sorts by other fields, ascending and descending", arguments: ["created_at", "times_viewed", "votes_count"])
    func sorted(field: String) throws {
        func values(_ direction: String) throws -> [Double] {
            try photos("rpp=50&sort=\(field)&sort_direction=\(direction)").compactMap { photo in
                if let time = photo[field] as? String {
                    return try? Date(time, strategy: .iso8601).timeIntervalSince1970
                }
                return photo[field] as? Double
            }
        }
        #expect(try values("asc") == values("asc").sorted() && !values("asc").isEmpty)
        #expect(try values("desc") == values("desc").sorted(by: >))
    }

    @Test("has camera and place only in the details, which all listed photos have")
    func details() throws {
        for listed in try allPhotos() {
            let id = try #require(listed["id"] as? Int)
            #expect(listed["camera"] == nil && listed["latitude"] == nil)
            let details = try json("/v1/photos/\(id)")
            let photo = try #require(details["photo"] as? [String: Any])
            #expect(photo["id"] as? Int == id && photo["name"] as? String == listed["name"] as? String)
            #expect(details["comments"] is [[String: Any]])
        }
    }

    @Test("has flat and nested comments")
    func comments() throws {
        func thread(_ id: Int) throws -> [[String: Any]] {
            try #require(try json("/v1/photos/\(id)")["comments"] as? [[String: Any]])
        }
        let flat = try thread(49)
        let ids = Set(flat.compactMap { $0["id"] as? Int })
        #expect(flat.contains { ($0["parent_id"] as? Int).map(ids.contains) == true })
        #expect(flat.allSatisfy { $0["replies"] == nil })
        #expect(try thread(14).contains { ($0["replies"] as? [Any])?.isEmpty == false })
        #expect(try thread(29).isEmpty)
    }

    @Test(
        "reports errors in JSON",
        arguments: [
            ("/v1/photos/9999", 404), ("/v1/photos/x", 404), ("/v1/photos/049", 404),
            ("/v1/photos/49/x", 404), ("/v1/users/1", 404), ("/v1/photos", 400), ("/v1/photos?feature=nothing", 400),
            ("/pictures/49", 404), ("/pictures/x/y/z", 404), ("/avatars/..%2F..%2Flist.jsonl", 404),
            ("/photo/9999", 404),
            ("/graphics/../list.jsonl", 404),
        ])
    func errors(target: String, status: Int) throws {
        let error = try json(target)
        #expect(error["status"] as? Int == status)
        #expect((error["error"] as? String)?.isEmpty == false)
        #expect(try response(target).status == status)
    }

    @Test("doesn't respond to other paths", arguments: ["/", "/v0/topstories.json", "/post-metadata", "/images/x.jpg"])
    func paths(path: String) throws {
        #expect(try site.response(to: #require(MockRequest(path, [:]))) == nil)
    }

    @Test(
        "has pictures in the requested sizes",
        arguments: [
            ("image_size=440,1600", [440, 1600]), ("image_size=3", [3]), ("image_size=1600%2C2", [1600, 2]),
            ("image_size=9,x", [2]), ("", [2]),
        ])
    func sizes(query: String, sizes: [Int]) throws {
        let photo = try #require(try photos("rpp=1&\(query)").first)
        let images = try #require(photo["images"] as? [[String: Any]])
        #expect(images.compactMap { $0["size"] as? Int } == sizes)
        #expect(photo["image_url"] as? [String] == images.compactMap { $0["url"] as? String })
        let first = try #require(images[0]["url"] as? String)
        #expect(first.hasPrefix("http://photos.example:81/pictures/49/q%3D80_m%3D\(sizes[0])/"))
    }

    @Test("serves a picture only at its exact, signed address")
    func signatures() throws {
        let photo = try #require(try photos("rpp=1").first)
        let url = try #require((photo["image_url"] as? [String])?.first)
        let address = url.replacing("http://photos.example:81", with: "")
        #expect(try response(address).status == 200)
        for (part, other) in [("%3D", "="), ("&v=2", ""), ("?sig=", "?sig=0"), ("&v", "&amp;v")] {
            #expect(address.contains(part))
            #expect(try response(address.replacing(part, with: other)).status == 403)
        }
    }

    @Test("lists hostile and invalid photos last, on demand")
    func hostile() throws {
        let site = try PhotoSite(
            folder: Repository.mockPhotos, hostile: Repository.root.appending(path: "mocks/data/hostile/photos"))
        let pages = try (1...3).map { page in
            let body = try response("/v1/photos?feature=popular&page=\(page)&rpp=100", of: site).body
            return String(decoding: body, as: UTF8.self)
        }
        let isPleasant = !pages[0].contains("<script")
        #expect(isPleasant)
        let rest = pages[1] + pages[2]
        for sign in [
            "\"id\":901,", "\"><script>".replacing("\"", with: "\\\""), "\\u001b[2J", "\\u202e", "\"NaN\"", ":1e999,",
            "file:///etc/passwd", "javascript:", "\"user\":[]", "9007199254740993", ",null,", "{\"id\":-3,",
        ] {
            #expect(rest.contains(sign), "\(sign)")
        }
        let details = String(decoding: try response("/v1/photos/905", of: site).body, as: UTF8.self)
        #expect(details.contains("\"latitude\":90.0001,\"longitude\":180.0001"))
        // Even so, its files can be shown on a terminal.
        #expect(!rest.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    }

    @Test("reports what is wrong with its folder")
    func wrongFolder() throws {
        let folder = try TemporaryFolder()
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: folder.url.appending(path: name))
        }
        func rejects() { #expect(throws: MockServerError.self) { try PhotoSite(folder: folder.url) } }
        rejects()
        try write("{\"id\":1}\n", "list.jsonl")
        try write("{\"photo\":{\"id\":1}}\n", "details.jsonl")
        rejects()
        try FileManager.default.copyItem(
            at: Repository.mockPhotos.appending(path: "pictures"), to: folder.url.appending(path: "pictures"))
        #expect(throws: Never.self) { try PhotoSite(folder: folder.url) }
        try write("{\"photo\":{}}\n", "details.jsonl")
        rejects()
    }
}
