import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("The mock Hacker News site", .serialized) struct HackerNewsSiteTests {
    /// The fields that the tests need.
    private struct Item: Decodable {
        let id: Int
        let type: String
        var parent: Int?
        var kids: [Int]?
        var parts: [Int]?
        var poll: Int?
        var descendants: Int?
        var by: String?
        var url: String?
        var title: String?
    }

    private struct User: Decodable {
        let id: String
        let submitted: [Int]?
    }

    private let site: HackerNewsSite

    init() throws {
        site = try Repository.hackerNewsSite.get()
    }

    private func json(_ path: String, of site: HackerNewsSite? = nil) throws -> Data {
        let request = try #require(MockRequest("/v0/\(path).json", [:]))
        let response = try #require((site ?? self.site).response(to: request))
        #expect(response.status == 200)
        guard case .bytes(let data) = response.body else {
            Issue.record("\(path) trickles")
            return Data()
        }
        return data
    }

    private func list(_ name: String) throws -> [Int] {
        try JSONDecoder().decode([Int].self, from: json("\(name)stories"))
    }

    private func item(_ id: Int) throws -> Item? {
        try JSONDecoder().decode(Item?.self, from: json("item/\(id)"))
    }

    /// The number and the depth of the comments below an item; checks that each exists and names its parent.
    private func thread(below id: Int) throws -> (count: Int, depth: Int) {
        var seen: Set<Int> = []
        var depth = 0
        var level = [try #require(try item(id))]
        while true {
            let kids = try level.flatMap { parent in
                try (parent.kids ?? []).map { id in
                    let kid = try #require(try item(id), "\(id), a kid of \(parent.id)")
                    #expect(kid.id == id && kid.type == "comment" && kid.parent == parent.id)
                    #expect(seen.insert(id).inserted, "\(id) is there twice")
                    return kid
                }
            }
            guard !kids.isEmpty else { return (seen.count, depth) }
            depth += 1
            level = kids
        }
    }

    @Test("lists 500 distinct stories", arguments: ["top", "new", "best"])
    func lists(name: String) throws {
        let ids = try list(name)
        #expect(ids.count == 500)
        #expect(Set(ids).count == 500)
    }

    @Test("has every listed item", arguments: ["top", "new", "best", "ask", "show", "job"])
    func listed(name: String) throws {
        for id in try list(name) { #expect(try item(id)?.id == id) }
    }

    @Test("lists hostile and missing items before the generated ones, on demand")
    func hostile() throws {
        let site = try HackerNewsSite(
            folder: Repository.mockHackerNews,
            hostile: Repository.root.appending(path: "mocks/data/hostile/hackernews"))
        let ids = try JSONDecoder().decode([Int].self, from: json("topstories", of: site))
        #expect(ids.count == 500 && Set(ids).count == 500)
        let first = try #require(ids.firstIndex(of: 100_000))
        #expect(try list("top").prefix(40) == ids.prefix(40))
        #expect(Set([6007, 6011, 9999]).isSubset(of: ids[40..<first]))
        #expect(try json("item/9999", of: site) == Data("null".utf8))
        #expect(String(decoding: try json("item/6011", of: site), as: UTF8.self).contains("\\u001b[31mred"))
    }

    @Test("ranks the example first, then the long threads")
    func ranks() throws {
        #expect(try list("top").prefix(3) == [8863, 500_000, 2_000_000])
    }

    @Test("has consistent threads below every listed story")
    func threads() throws {
        for id in Set(try ["top", "new", "best", "ask", "show", "job"].flatMap(list)) {
            let found = try thread(below: id)
            let story = try #require(try item(id))
            // Jobs have no count.
            if let count = story.descendants { #expect(count == found.count, "\(id)") }
            for part in story.parts ?? [] { #expect(try item(part)?.poll == id) }
        }
    }

    @Test(
        "has threads of the documented sizes",
        arguments: [
            (500_000, 500, 8), (2_000_000, 2_000, 12), (3_000_200, 200, 200), (3_010_000, 10_000, 10_000),
        ])
    func sizes(id: Int, count: Int, depth: Int) throws {
        let found = try thread(below: id)
        #expect(found.count == count)
        #expect(found.depth == depth)
        #expect(try item(id)?.descendants == count)
    }

    /// The items that aren't generated.
    private func storedItems() throws -> [Item] {
        let file = Repository.mockHackerNews.appending(path: "items.json")
        return try JSONDecoder().decode([Item].self, from: Data(contentsOf: file))
    }

    @Test("lists stories, polls with options, questions, projects and jobs from its data")
    func kinds() throws {
        let stored = Set(try storedItems().map(\.id))
        func items(in lists: String...) throws -> [Item] {
            let ids = Set(try lists.flatMap(list))
            return try ids.intersection(stored).compactMap(item)
        }
        let kinds = Dictionary(grouping: try items(in: "top", "new", "best", "ask", "show", "job"), by: \.type)
        #expect(Set(kinds.keys) == ["story", "poll", "job"])
        #expect(kinds["story", default: []].count >= 48)
        #expect(kinds["poll", default: []].map { $0.parts?.count ?? 0 }.sorted() == [3, 6])
        #expect(try items(in: "ask").allSatisfy { ["story", "poll"].contains($0.type) && $0.url == nil })
        #expect(try items(in: "show").allSatisfy { $0.type == "story" && $0.title?.hasPrefix("Show HN:") == true })
        #expect(try items(in: "job").allSatisfy { $0.type == "job" })
        #expect(try ["ask", "show", "job"].map { try list($0).count } == [10, 6, 5])
    }

    @Test("has distinct IDs of four digits in its data")
    func storedIDs() throws {
        let ids = try storedItems().map(\.id)
        #expect(ids.allSatisfy { (1000..<10_000).contains($0) })
        #expect(Set(ids).count == ids.count)
    }

    @Test("has every author as a user")
    func users() throws {
        let ids = try ["top", "ask", "show", "job"].flatMap(list)
        for name in Set(try ids.compactMap { try item($0)?.by }) {
            let user = try JSONDecoder().decode(User?.self, from: json("user/\(name)"))
            #expect(user?.id == name)
            for id in user?.submitted ?? [] { #expect(try item(id)?.by == name) }
        }
    }

    @Test(
        "responds with null for unknown ids",
        arguments: [
            "item/9999", "item/0", "item/-1", "item/08863", "item/+8863", "item/x", "item/3020001", "item/101000",
            "user/nobody-of-that-name", "user/",
        ])
    func unknown(path: String) throws {
        #expect(try json(path) == Data("null".utf8))
    }

    @Test(
        "doesn't respond to other paths",
        arguments: ["/v0/item/8863", "/v0/stories.json", "/item/8863.json", "/v0//topstories.json"])
    func paths(path: String) throws {
        let request = try #require(MockRequest(path, [:]))
        #expect(site.response(to: request) == nil)
    }

    @Test(
        "serves the pages that some stories link to, except one",
        arguments: [
            (1001, "text/html; charset=utf-8"), (1034, "text/html; charset=utf-8"), (1026, "text/html; charset=utf-8"),
            (1018, "text/html; charset=utf-8"),
            (1013, "text/markdown; charset=utf-8"), (1025, "application/pdf"), (1023, "text/html; charset=utf-8"),
            (1012, nil),
        ])
    func pages(id: Int, type: String?) throws {
        let request = try #require(MockRequest("/v0/item/\(id).json", ["Host": "localhost:8106"]))
        guard case .bytes(let json) = site.response(to: request)?.body else {
            Issue.record("no item")
            return
        }
        let link = try #require(try JSONDecoder().decode(Item.self, from: json).url)
        let path = try #require(link.wholeMatch(of: #/http://localhost:8106(/pages/[a-z.-]+)/#)?.1)
        let page = try #require(MockRequest(String(path), [:]))
        #expect(site.response(to: page)?.headers["Content-Type"] == type)
    }

    @Test(
        "serves nothing outside its pages", arguments: ["/pages", "/pages/", "/pages/..%2Fitems.json", "/items.json"])
    func besidePages(path: String) throws {
        #expect(site.response(to: try #require(MockRequest(path, [:]))) == nil)
    }

    @Test("sends the same responses every time")
    func same() throws {
        let other = try HackerNewsSiteTests()
        let paths = ["topstories", "newstories", "beststories", "user/kerri"]
        let ids = [8863, 100_000, 100_499, 200_001, 500_000, 500_250, 2_000_000, 2_001_999, 3_000_300, 3_019_999]
        for path in paths + ids.map({ "item/\($0)" }) {
            #expect(try json(path) == other.json(path))
        }
        // The same on every machine, so one is spelled out.
        let expected = #"""
            {"by":"amu71","id":200041,"parent":200040,"text":"Oselty junerllelin ado betos owopo ad gomu erel \#
            cowodlin bepo bedo benerka ala aing as ado ater coty juter aing ax begaling prado as.","time":1767226920,\#
            "type":"comment"}
            """#
        #expect(try String(decoding: json("item/200041"), as: UTF8.self) == expected)
    }

    @Test("reports what is wrong with its folder")
    func wrongFolder() throws {
        let folder = try TemporaryFolder()
        let missing = #expect(throws: MockServerError.self) { try HackerNewsSite(folder: folder.url) }
        #expect(missing?.message == "\(folder.url.path)/items.json can't be read")
        for name in ["items", "users", "lists"] {
            try Data("[{}]".utf8).write(to: folder.url.appending(path: "\(name).json"))
        }
        let invalid = #expect(throws: MockServerError.self) { try HackerNewsSite(folder: folder.url) }
        #expect(invalid?.message == "\(folder.url.path)/items.json isn't an array of objects with ids")
    }
}
