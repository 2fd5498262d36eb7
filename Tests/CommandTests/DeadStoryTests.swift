import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A list with a dead story") struct DeadStoryTests {
    @Test("omits it, and keeps the others in their groups")
    func dead() async throws {
        let site = try TestSite(DeadStory())
        for (grouping, expected) in [
            ("author", ["## Ann", "One", "## Ben", "Three", "Four"]),
            ("title", ["## F", "Four", "## O", "One", "## T", "Three"]),
        ] {
            let run = try await site.blog(
                "list", "-s", "hn", "--url", site.server.address + "/v0", "--group", grouping, "--format", "markdown")
            let shown = run.output.matches(of: /## \w+|One|Two|Three|Four/).map { String($0.output) }
            #expect(shown == expected, "\(run.output)")
        }
    }

    static let limited: [([String], String)] = [
        (["--limit", "2"], "hn:1 hn:3"), (["--limit", "2", "--page", "2"], "hn:4"),
        (["--limit", "3"], "hn:1 hn:3 hn:4"),
        (["--limit", "2", "--sort", "author"], "hn:1 hn:3"), (["--limit", "2", "--sort", "date"], "hn:1 hn:3"),
        (["--limit", "2", "--group", "author"], "hn:1 hn:3"),
    ]

    @Test("has as many posts as its limit says, without the dead story", arguments: limited)
    func limit(options: [String], ids: String) async throws {
        let site = try TestSite(DeadStory())
        for freshness in ["--refresh", "--offline"] {
            #expect(
                try await site.blog(
                    ["list", "-s", "hn", "--url", site.server.address + "/v0", "--format", "ids", freshness] + options
                ).lines.joined(separator: " ") == ids)
        }
    }

    @Test("says how many pages there are if one is past the end")
    func pastTheEnd() async throws {
        let site = try TestSite(DeadStory())
        let run = try await site.blog(
            "list", "-s", "hn", "--url", site.server.address + "/v0", "--limit", "2", "--page", "3")
        #expect(run.output == "")
        #expect(run.errors.contains("No page 3: 3 posts on 2 pages."))
    }
}

/// Four stories by two people; the second one is dead.
private struct DeadStory: MockSite {
    func response(to request: MockRequest) -> MockResponse? {
        if request.path.hasSuffix("topstories.json") { return .json(Data("[1,2,3,4]".utf8)) }
        let stories = ["1": ("One", "Ann"), "2": ("Two", "Ann"), "3": ("Three", "Ben"), "4": ("Four", "Ben")]
        guard let id = request.segments.last?.split(separator: ".").first.map(String.init), let story = stories[id]
        else {
            return nil
        }
        let json = """
            {"id":\(id),"type":"story","by":"\(story.1)","time":1500000000,"title":"\(story.0)","dead":\(id == "2")}
            """
        return .json(Data(json.utf8))
    }
}

@Suite("A comment that was deleted after it was read") struct DeletedCommentTests {
    @Test("stays readable, and is marked, with and without the network", arguments: ["--refresh", "--offline"])
    func kept(freshness: String) async throws {
        let site = try TestSite(ShortThread())
        let line = ["read", "hn:1", "--url", site.server.address + "/v0"]
        #expect(try await site.blog(line).output.contains("Words of 2"))
        let gone = #"{"id":2,"type":"comment","deleted":true,"parent":1,"time":1500000000}"#
        site.server.setFault(.body(Data(gone.utf8)), for: "/v0/item/2.json")
        _ = try await site.blog(line + ["--refresh"])
        let again = try await site.blog(line + [freshness]).output
        #expect(again.contains("Words of 2") && again.contains("[deleted]"), "\(again)")
    }
}

/// A story with two comments.
private struct ShortThread: MockSite {
    func response(to request: MockRequest) -> MockResponse? {
        guard let id = request.segments.last?.split(separator: ".").first, request.path.contains("/item/") else {
            return nil
        }
        let rest =
            id == "1"
            ? #""type":"story","title":"A story","kids":[2,3]"#
            : #""type":"comment","parent":1,"text":"Words of \#(id)""#
        return .json(Data(#"{"id":\#(id),"by":"ann","time":1500000000,\#(rest)}"#.utf8))
    }
}
