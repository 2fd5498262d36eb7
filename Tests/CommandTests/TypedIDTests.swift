import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("An ID that looks like one of another source", .serialized) struct TypedIDTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(LookalikeIDs())
    }

    static let columns: [([String], String)] = [
        (["--format", "ids"], "blog:hn:1\nblog:hackernews:2\nblog:blog:3\nxy:4\n5\n"),
        (["--fields", "id,postId"], "blog:hn:1\tp0\nblog:hackernews:2\tp1\nblog:blog:3\tp2\nxy:4\tp3\n5\tp4\n"),
        (["--format", "csv", "--fields", "id"], "id\nblog:hn:1\nblog:hackernews:2\nblog:blog:3\nxy:4\n5\n"),
    ]

    @Test("is printed with its own source, unlike other IDs", arguments: columns)
    func lists(options: [String], expected: String) async throws {
        #expect(try await site.blog(["list"] + options).output == expected)
    }

    @Test(
        "is printed with its own source in every other format too",
        arguments: ["json", "jsonl", "markdown", "text", "table", "tsv"])
    func formats(format: String) async throws {
        let output = try await site.blog("list", "--format", format).output
        #expect(output.contains("blog:hn:1") && output.contains("blog:blog:3"))
        #expect(!output.contains("blog:5") && !output.contains("blog:xy"))
    }

    @Test("can be typed as it is printed, for reading, marking and piping")
    func typed() async throws {
        let ids = try await site.blog("list", "--json").json() as? [[String: Any]] ?? []
        #expect(ids.count == 5)
        for (index, id) in ids.compactMap({ $0["id"] as? String }).enumerated() {
            #expect(try await site.blog("read", id, "--body").output == "body p\(index)\n")
            let json = try await site.blog("read", id, "--offline", "--json").json() as? [String: Any]
            #expect(json?["id"] as? String == id && json?["body"] as? String == "body p\(index)")
            #expect(try await site.blog("mark", "saved", id).errors.contains("1 post marked"))
        }
        let piped = try await site.bash("blog list --saved --format ids | blog read - --format ids")
        #expect(piped.lines.count == 5)
        #expect(try await site.blog("search", "body", "--format", "ids").output.contains("blog:hn:1\n"))
    }

    @Test("is exported unchanged")
    func export() async throws {
        _ = try await site.blog("list")
        #expect(try await site.blog("store", "export").output.contains(#""id":"hn:1""#))
    }
}

/// A blog whose ids look like those of other sources.
private struct LookalikeIDs: MockSite {
    private static let records = ["hn:1", "hackernews:2", "blog:3", "xy:4", "5"].enumerated().map { index, id in
        #"{"id":"\#(id)","title":"t","publishDate":"2018-07-\#(20 - index)T23:03:29Z","postId":"p\#(index)","author":{"name":"a"}}"#
    }

    func response(to request: MockRequest) -> MockResponse? {
        if request.path == "/post-metadata" { return .json(Data("[\(Self.records.joined(separator: ","))]".utf8)) }
        guard request.segments.first == "post", let id = request.segments.last,
            let record = Self.records.first(where: { $0.contains("\"\(id)\"") })
        else { return nil }
        return .json(Data(#"{"body":"body \#(id)","metadata":\#(record),"id":"\#(id)"}"#.utf8))
    }
}
