import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering

@Suite("Excessive or mismatched Hacker News data", .serialized) struct HackerNewsSourceTests {
    private func source(_ responses: [String: String]) throws -> (HackerNewsSource, MockServer) {
        let server = try MockServer(sites: [StubSite(responses: responses)])
        let address = try #require(URL(string: server.address + "/v0"))
        let client = HTTPClient(transport: TransportKind.used.make(), timeout: 60)
        return (HackerNewsSource(address: address, client: client), server)
    }

    @Test("is rejected if it is for another item or user")
    func otherItem() async throws {
        let (source, server) = try source([
            "/v0/item/1.json": #"{"id":2,"type":"story","title":"Other"}"#,
            "/v0/user/kerri.json": #"{"id":"bram"}"#, "/v0/user/zoe.json": #"{"id":"zoe"}"#,
        ])
        let item = try #require(URL(string: server.address + "/v0/item/1.json"))
        await #expect(throws: SourceError.unreadable(item, problem: "is for another item, “2”")) {
            try await source.item(id: "1")
        }
        let user = try #require(URL(string: server.address + "/v0/user/kerri.json"))
        await #expect(throws: SourceError.unreadable(user, problem: "is for another user")) {
            try await source.item(id: "user:kerri")
        }
        let zoe = try #require(try await source.item(id: "user:zoe")).metadata
        #expect(zoe.title == "zoe")
        #expect(zoe.isUser)
    }

    @Test("causes at most a hundred requests for a poll's options, one for each")
    func poll() async throws {
        let parts = (Array(repeating: 2, count: 50) + Array(3...1000)).map(String.init).joined(separator: ",")
        var responses = ["/v0/item/1.json": #"{"id":1,"type":"poll","title":"T","parts":[\#(parts)]}"#]
        for id in 2...200 { responses["/v0/item/\(id).json"] = #"{"id":\#(id),"type":"pollopt","text":"o\#(id)"}"# }
        let (source, server) = try source(responses)
        let body = try #require(try await source.item(id: "1")?.content).text
        #expect(body.matches(of: /<li>/).count == 100)
        #expect(body.hasPrefix("<ul><li>o2</li><li>o3</li>"))
        #expect(server.requestLines.count == 101)
        #expect(Set(server.requestLines).count == 101)
    }

    @Test("is limited to 20,000 comments and 10,000 ranks, without duplicates")
    func ids() async throws {
        let ids = (1...60_000).map(String.init).joined(separator: ",")
        let (source, _) = try source([
            "/v0/item/1.json": #"{"id":1,"type":"story","title":"T","kids":[5,5,\#(ids)]}"#,
            "/v0/topstories.json": "[5,5,\(ids)]",
        ])
        let replies = try await source.item(id: "1")?.metadata.discussion?.replies ?? []
        #expect(replies.count == 20_000)
        #expect(replies.prefix(3) == ["5", "1", "2"])
        #expect(Set(replies).count == replies.count)
        guard case .ranking(let ranking) = try await source.refresh("top", since: nil) else {
            return #expect(Bool(false), "expected a ranking")
        }
        #expect(ranking.ids.count == 10_000)
        #expect(ranking.ids.prefix(3) == ["5", "1", "2"])
    }
}

/// A site with a fixed response for each of some paths.
private struct StubSite: MockSite {
    let responses: [String: String]

    func response(to request: MockRequest) -> MockResponse? {
        responses[request.path].map { .json(Data($0.utf8)) }
    }
}
