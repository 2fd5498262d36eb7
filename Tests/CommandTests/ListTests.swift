import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog list", .serialized) struct ListTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    @Test("prints one tab-separated line per post in a pipe, newest first, with one request")
    func pipe() async throws {
        let run = try await site.blog("list")
        #expect(run.code == 0)
        #expect(run.errors == "")
        #expect(run.lines.count == 15)
        #expect(run.lines.allSatisfy { $0.split(separator: "\t", omittingEmptySubsequences: false).count == 5 })
        #expect(run.lines.first?.hasPrefix("14\t2018-10-05T00:00:00Z\t田中 美咲\tCaches: 3 Hard Things\t") == true)
        #expect(site.server.requestLines == ["GET /post-metadata"])
    }

    static let ordered: [([String], String)] = [
        (["--sort", "title"], "11 14 13 6 3 7 12 42 9 10 8 2 5 1 4"),
        (["--sort", "title", "--reverse"], "4 1 5 2 8 10 9 42 12 7 3 6 13 14 11"),
        (["--sort", "author", "--limit", "4"], "7 11 5 2"),
        (["--author", "zoe", "--reverse"], "42 3 8 12"),
        (["--title", "part"], "5 2"),
        (["--since", "2018-08"], "14 13 12 11"),
        (["--since", "2017", "--until", "2017"], "7 6 5 4"),
        (["--until", "2016-09-30"], "2 1 42"),
    ]

    @Test("sorts, filters and limits", arguments: ordered)
    func orders(options: [String], ids: String) async throws {
        let run = try await site.blog(["list", "--format", "ids"] + options)
        #expect(run.lines.joined(separator: " ") == ids)
    }

    @Test(
        "rejects a range of dates without a day in it",
        arguments: [
            ["--since", "2019", "--until", "2018"], ["--since", "today", "--until", "yesterday"],
            ["--since", "2018-07-02", "--until", "2018-07-01"],
        ])
    func swapped(options: [String]) async throws {
        let run = try await site.blog(["list"] + options)
        #expect(run.code == 2)
        #expect(run.errors.contains(options[1]) && run.errors.contains(options[3]))
        #expect(site.server.requests.isEmpty)
    }

    @Test("says how many pages there are if one is past the end")
    func pastTheEnd() async throws {
        let list = try await site.blog("list", "--limit", "4", "--page", "9")
        #expect(list.code == 0)
        #expect(list.output == "")
        #expect(list.errors == "blog: No page 9: 15 posts on 4 pages.\n")
        let full = try await site.blog("list", "--limit", "5", "--page", "4")
        #expect(full.errors == "blog: No page 4: 15 posts on 3 pages.\n")
        let search = try await site.blog("search", "releases", "--limit", "100", "--page", "2")
        #expect(search.errors.contains("No page 2: "))
        #expect(search.errors.contains(" on 1 page."))
    }

    static let exitCodes: [([String], Int32)] = [
        (["list", "--author", "nobody"], 0), (["list", "--author", "nobody", "--exit-code"], 3),
        (["list", "--exit-code"], 0), (["search", "zzz"], 0), (["search", "zzz", "--exit-code"], 3),
        (["search", "releases", "--exit-code"], 0),
    ]

    @Test("exits 0 if nothing matches, or 3 if requested", arguments: exitCodes)
    func exitCode(arguments: [String], code: Int32) async throws {
        _ = try await site.blog("list")
        #expect(try await site.blog(arguments).code == code)
    }

    @Test("puts the group in front of each line")
    func groups() async throws {
        let run = try await site.blog("list", "--group", "date", "--fields", "id")
        #expect(run.lines.prefix(3) == ["2018-10\t14", "2018-09\t13", "2018-08\t12"])
        let reversed = try await site.blog(
            "list", "--group=author", "--sort=title", "--reverse", "--fields=id", "--limit=3")
        #expect(reversed.lines == ["Bram O’Dell\t5", "Kerri Lane\t1", "田中 美咲\t4"])
    }

    @Test("prints JSON in the API's format, with source and marks")
    func json() async throws {
        _ = try await site.blog("read", "14")
        let run = try await site.blog("list", "--json")
        var printed = try #require(try run.json() as? [[String: Any]])
        #expect(printed.map { $0["read"] as? Bool } == [true] + Array(repeating: false, count: 14))
        #expect(printed.allSatisfy { $0["source"] is String && $0["saved"] as? Bool == false })
        for index in printed.indices {
            for name in ["source", "read", "saved"] { printed[index][name] = nil }
        }
        let data = try Data(contentsOf: Repository.mockBlog.appending(path: "all.json"))
        let published = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(printed as NSArray == published as NSArray)
    }

    @Test("groups JSON with counts")
    func groupedJSON() async throws {
        let run = try await site.blog("list", "--group", "author", "--json=id")
        let groups = try #require(try run.json() as? [[String: Any]])
        #expect(
            groups.compactMap { $0["group"] as? String } == [
                "Archibald Finch", "Bram O’Dell", "Kerri Lane", "Zoë Ångström", "田中 美咲",
            ])
        #expect(groups.compactMap { $0["count"] as? Int } == [1, 3, 4, 4, 3])
    }

    @Test("says on stderr that a blog has no posts, and succeeds")
    func empty() async throws {
        let site = try TestSite(MadeUpSite(posts: 0))
        let run = try await site.blog("list")
        #expect(run.output == "")
        #expect(run.errors == "blog: No posts in \(site.server.address).\n")
        #expect(run.code == 0)
        #expect(try await site.blog("list", "--json").output == "[]\n")
    }

    @Test("suggests an author with a similar name")
    func author() async throws {
        let run = try await site.blog("list", "--author", "Kerr")
        #expect(run.output == "")
        #expect(run.errors == "blog: No matching posts by “Kerr”. Did you mean “Kerri Lane”?\n")
        #expect(run.code == 0)
    }

    @Test("says with --verbose what was requested and what came from the store")
    func verbose() async throws {
        let run = try await site.blog("list", "--verbose")
        let address = site.server.address
        #expect(run.errors.contains("GET \(address)/post-metadata\n"))
        #expect(run.errors.contains("200 from \(address)/post-metadata: "))
        #expect(run.errors.contains("blog: 15 new posts, 0 changed, "))
        #expect(run.errors.contains("15 posts from the store"))
        let other = try TestSite(MadeUpSite(posts: 1))
        #expect(try await other.blog("list", "--verbose").errors.contains("blog: 1 new post, 0 changed, "))
    }

    @Test("is silent with --quiet even if records were skipped")
    func quiet() async throws {
        site.server.setFault(.body(Data("[{\"id\":\"1\"},\(Self.record)]".utf8)), for: "/post-metadata")
        let normal = try await site.blog("list", "--format", "ids")
        #expect(normal.output == "7\n")
        #expect(normal.errors == "blog: Skipped 1 record from \(site.server.address): record 0: title is missing\n")
        #expect(normal.code == 0)
        #expect(try await site.blog("list", "--quiet").errors == "")
    }

    @Test("names up to five skipped records", arguments: [(5, false), (6, true)])
    func skipped(count: Int, hasMore: Bool) async throws {
        let records = Array(repeating: "null", count: count) + [Self.record]
        site.server.setFault(.body(Data("[\(records.joined(separator: ","))]".utf8)), for: "/post-metadata")
        let run = try await site.blog("list")
        #expect(run.errors.contains("Skipped \(count) records from ") && run.errors.contains("; record 4 is null"))
        #expect(run.errors.hasSuffix("; …\n") == hasMore && !run.errors.contains("record 5"))
    }

    static let record =
        #"{"id":"7","title":"T","publishDate":"2018-01-01T00:00:00Z","postId":"8","author":{"name":"N"}}"#

    @Test("prints no control or bidi characters in any format")
    func hostile() async throws {
        let evil = #"\u001b[2J\u001b]0;x\u0007\u009b31m\u202e\u2066\u007f\u0000"#
        let record = Self.record.replacing("\"T\"", with: "\"T\(evil)\"").replacing("\"N\"", with: "\"N\(evil)\"")
        site.server.setFault(.body(Data("[\(record)]".utf8)), for: "/post-metadata")
        for format in ["table", "tsv", "json", "jsonl", "csv", "ids"] {
            let run = try await site.blog("list", "--format", format, "--group", "author")
            let harmful = (run.output + run.errors).unicodeScalars.filter { scalar in
                scalar.value < 0x20 && scalar != "\n" && scalar != "\t" || (0x7F...0x9F).contains(scalar.value)
                    || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            }
            #expect(harmful.isEmpty && run.code == 0 && run.output.contains("7"), "\(format)")
        }
    }
}
