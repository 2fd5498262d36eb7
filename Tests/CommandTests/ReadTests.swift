import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog read", .serialized) struct ReadTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    private func body(_ postId: String) throws -> String {
        let data = try Data(contentsOf: Repository.mockBlog.appending(path: "post/\(postId).json"))
        return try #require((try JSONSerialization.jsonObject(with: data) as? [String: Any])?["body"] as? String)
    }

    @Test("prints title, author and date above the body in a pipe")
    func head() async throws {
        let run = try await site.blog("read", "4")
        #expect(run.output.hasPrefix("静かなサーバーの作り方\n======================\n田中 美咲, Backend Engineer · 2017-03-1"))
        #expect(run.output.hasSuffix("Z\n\n" + (try body("2004")) + "\n"))
        #expect(try await site.blog("read", "4", "--body", "--json").code == 2)
    }

    @Test("prints the body alone as published, and again without a request")
    func pipe() async throws {
        _ = try await site.blog("list")
        site.server.clearRequests()
        for _ in 1...2 {
            let run = try await site.blog("read", "4", "--body")
            #expect(run.output == (try body("2004")) + "\n")
            #expect(run.errors == "")
        }
        #expect(site.server.requestLines == ["GET /post/2004"])
    }

    @Test("prints and stores nothing of a body that is cut off", arguments: [["--body"], ["--raw"], ["--json"]])
    func partial(options: [String]) async throws {
        let site = try TestSite(LongPost(lines: 20_000))
        func read() async throws -> Outcome {
            try await site.blog(["read", "1"] + options)
        }
        site.server.setFault(.truncate, for: "/post/1")
        let half = try await read()
        #expect(half.output == "" && half.code == 1)
        #expect(try await site.blog("read", "1", "--offline").code == 4)
        site.server.setFault(nil, for: "/post/1")
        #expect(try await read().code == 0)
    }

    @Test("separates several posts with a form feed")
    func several() async throws {
        let run = try await site.blog("read", "1", "2", "--body")
        #expect(run.output == (try body("2001")) + "\n\u{C}" + (try body("2002")) + "\n")
    }

    @Test("reads IDs from the first column of stdin")
    func standardInput() async throws {
        #expect(try await site.blog("read", "-", "--json").output == "[]\n", "no IDs make an empty list")
        let run = try await site.blog("read", "-", "--format", "ids", input: "3\tx\ty\n\n 5 \n1")
        #expect(run.output == "3\n5\n1\n")
    }

    @Test("prints JSON as a list does, with the body, and several posts as an array")
    func json() async throws {
        let data = try Data(contentsOf: Repository.mockBlog.appending(path: "post/2013.json"))
        let published = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        var listed = try #require(try await site.blog("list", "--title", "Commas", "--json").json() as? [[String: Any]])
        listed[0]["body"] = published["body"]
        let read = try #require(try await site.blog("read", "13", "--json").json() as? NSDictionary)
        #expect(read == listed[0] as NSDictionary)
        var metadata = try #require(published["metadata"] as? [String: Any])
        metadata["id"] = "13"
        for (name, value) in metadata { #expect(read[name] as? NSObject == value as? NSObject, "\(name)") }
        #expect(
            try await site.blog("read", "13", "--json=read,saved").json() as? [String: Bool] == [
                "read": true, "saved": false,
            ])
        let list = try await site.blog("read", "1", "2", "--json=id,body").json() as? [[String: String]]
        #expect(list == [["id": "1", "body": try body("2001")], ["id": "2", "body": try body("2002")]])
    }

    @Test("shows the stored copy if the server fails, with the exit code of a list")
    func failing() async throws {
        _ = try await site.blog("read", "1", "2")
        site.server.setFault(.status(503), for: "/post/2001")
        #expect(try await site.blog("read", "1", "--refresh").code == 1)
        #expect(try await site.blog("read", "1", "--refresh").output.contains("\nBig releases"))
        #expect(try await site.blog("read", "1", "2", "--refresh").code == 5)
    }

    @Test("reports an unknown post", arguments: [[], ["--json"]])
    func missing(options: [String]) async throws {
        let run = try await site.blog(["read", "99"] + options)
        #expect(run.code == 3)
        #expect(run.output == "")
        #expect(run.errors.contains("No post “99” at "))
    }

    @Test("shows the posts that exist, and exits 5")
    func partly() async throws {
        let run = try await site.blog("read", "1", "99", "2", "--format", "ids")
        #expect(run.output == "1\n2\n")
        #expect(run.code == 5)
    }

    @Test("prints every byte with --raw, and removes control characters without it")
    func raw() async throws {
        let json = #"{"id":"2001","metadata":{},"body":"a\r\nb\u001b[31m\u202e"}"#
        site.server.setFault(.body(Data(json.utf8)), for: "/post/2001")
        #expect(try await site.blog("read", "1", "--raw").output == "a\r\nb\u{1B}[31m\u{202E}")
        #expect(try await site.blog("read", "1", "--body").output == "a\nb\n")
    }

    @Test("never requests a path that an ID contains", arguments: ["../post", "..", "/etc/passwd", "a?b", "", " "])
    func identifiers(id: String) async throws {
        let run = try await site.blog("read", id)
        #expect([2, 3].contains(run.code))
        #expect(site.server.requestLines.allSatisfy { $0.hasPrefix("GET /post-metadata/") })
    }

    @Test("reports that stdin is closed", arguments: ["read -", "mark saved -", "store import -"])
    func closedInput(line: String) async throws {
        _ = try await site.blog("list")
        let run = try await site.bash("blog \(line) <&-")
        #expect(run.code == 2)
        #expect(run.errors == "blog: Could not read standard input: it is closed\n")
    }
}
