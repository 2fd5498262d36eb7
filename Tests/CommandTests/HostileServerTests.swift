import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog with a hostile server", .serialized) struct HostileServerTests {
    private static let data = Repository.mockBlog.deletingLastPathComponent()

    /// A followed server with the hostile records of `mock-server --hostile`.
    private func site(_ name: String) async throws -> TestSite {
        let (folder, hostile) = (Self.data.appending(path: name), Self.data.appending(path: "hostile/\(name)"))
        let site =
            try name == "photos"
            ? TestSite(PhotoSite(folder: folder, hostile: hostile))
            : TestSite(HackerNewsSite(folder: folder, hostile: hostile))
        let address = site.server.address + (name == "photos" ? "/v1" : "/v0")
        #expect(try await site.blog("follow", address, "--as", "x").code == 0)
        return site
    }

    /// What could control a terminal or reorder text.
    private func harm(in run: Outcome) -> [Unicode.Scalar] {
        (run.output + run.errors).unicodeScalars.filter { scalar in
            scalar.value < 0x20 && scalar != "\n" && scalar != "\t" || (0x7F...0x9F).contains(scalar.value)
                || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }

    @Test(
        "lists and reads its posts without control characters",
        arguments: [
            ("photos", ["x:302", "x:901", "x:902", "x:903", "x:9007199254740993"], 196),
            ("hackernews", ["x:6001", "x:6004", "x:6006", "x:6008", "x:6011", "x:6014"], 490),
        ])
    func posts(name: String, hostile: [String], count: Int) async throws {
        let site = try await site(name)
        let list = try await site.blog("list", "--refresh", "--limit", "500")
        #expect(list.code == 0 && list.lines.count >= count && harm(in: list).isEmpty)
        for format in ["text", "markdown", "json", "html"] {
            for id in hostile {
                let read = try await site.blog("read", id, "--format", format)
                #expect(read.code == 0 && !read.output.isEmpty && harm(in: read).isEmpty, "\(id) as \(format)")
                #expect(format != "html" || !read.output.contains("<script>alert"), "\(id)")
            }
        }
    }

    @Test("drops links that are scripts", arguments: ["markdown", "html"])
    func scripts(format: String) async throws {
        let site = try await site("hackernews")
        // A comment on the first has such a link, the second such an address.
        for (id, text) in [("x:6011", "Does "), ("x:6012", "The address that isn")] {
            let read = try await site.blog("read", id, "--format", format)
            #expect(read.output.contains(text) && !read.output.contains("javascript:"), "\(id)")
        }
    }

    @Test("says that a page is past the end, even if the server lacks posts that it lists")
    func pastTheEnd() async throws {
        let site = try await site("hackernews")
        let run = try await site.blog("list", "--limit", "30", "--page", "40")
        #expect(run.output == "")
        #expect(run.errors.contains("blog: No page 40: 496 posts"))
    }

    @Test("says which records it leaves out, and what it can't read")
    func invalid() async throws {
        let site = try await site("photos")
        let list = try await site.blog("list", "--refresh")
        #expect(list.errors.contains("Skipped 9 records from \(site.server.address)/v1: record 197 is null; "))
        // Its comments are nested too deeply.
        let nested = try await site.blog("read", "x:914")
        #expect(nested.code == 1 && nested.errors.contains("isn't valid JSON"))
    }
}
