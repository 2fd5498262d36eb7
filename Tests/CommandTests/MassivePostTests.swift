import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A massive post", .serialized) struct MassivePostTests {
    private let site: TestSite
    private let post = LongPost(lines: 14_000, apart: "\n\n")

    init() throws {
        site = try TestSite(post)
    }

    @Test("is printed whole, when it is fetched and from the store")
    func whole() async throws {
        #expect(try await site.blog("read", "1", "--body").output == post.body + "\n")
        site.server.clearRequests()
        #expect(try await site.blog("read", "1", "--body").output == post.body + "\n")
        #expect(try await site.blog("read", "1", "--raw", "--offline").output == post.body)
        #expect(site.server.requestLines == [])
        #expect(try await site.blog("read", "1", "--body", "--refresh").output == post.body + "\n")
    }

    @Test("is printed whole in JSON")
    func formats() async throws {
        for arguments in [[], ["--offline"]] {
            let run = try await site.blog(["read", "1", "--json"] + arguments)
            let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
            #expect(object?["body"] as? String == post.body)
        }
    }

    static let shapes: [([String], [String])] = [
        (["1"], ["--json"]), (["1", "404", "1"], ["--json"]), (["1"], ["--json=id,body,title"]),
        (["1"], ["--json=title"]), (["1", "1"], ["--format", "jsonl"]),
    ]

    @Test("is the same JSON in parts as in one piece", arguments: shapes)
    func jsonParts(ids: [String], options: [String]) async throws {
        let short = try TestSite(LongPost(lines: 20, apart: "\n\n"))
        func run(_ site: TestSite, _ options: [String]) async throws -> Outcome {
            try await site.blog(["read"] + ids + options)
        }
        for extra in [[], ["--offline"]] {
            let (long, other) = (try await run(site, options + extra), try await run(short, options + extra))
            #expect(long.code == other.code)
            let escaped = { (body: String) in body.replacing("\n", with: #"\n"#) }
            let shortBody = escaped(LongPost(lines: 20, apart: "\n\n").body)
            #expect(long.output.replacing(escaped(post.body), with: shortBody) == other.output)
        }
    }

    @Test("is synced, searched, exported and imported")
    func travel() async throws {
        #expect(try await site.blog("list").code == 0)
        #expect(try await site.blog("sync").code == 0)
        #expect(try await site.blog("sync").errors.contains("1 unchanged"))
        #expect(try await site.blog("search", "line 777", "--format", "ids").output == "1\n")
        let export = try await site.blog("store", "export").output
        let other = try TestSite(post)
        #expect(try await other.blog("store", "import", "-", input: export).code == 0)
        #expect(try await other.blog("store", "export").output == export)
        #expect(
            try await other.blog("read", "1", "--body", "--offline", "--url", site.server.address).output
                == post.body + "\n")
    }
}
