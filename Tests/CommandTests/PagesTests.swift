import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("HTML output", .serialized) struct PagesTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    @Test("is a page with a list in groups")
    func list() async throws {
        let run = try await site.blog("list", "--group", "author", "--format", "html")
        #expect(run.output.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        #expect(run.output.hasSuffix("<footer><p>15 posts</p></footer>\n</body>\n</html>\n"))
        #expect(run.output.contains("<h2 id=\"group-3\"><span lang=\"und\">Kerri Lane</span>"))
        let without = try await site.blog("list", "--format", "html", "--images", "never")
        #expect(!without.output.contains("<img"))
    }

    @Test("includes its pictures with --embed, and says which are missing")
    func embedded() async throws {
        let run = try await site.blog("read", "42", "--format", "html", "--embed")
        #expect(run.output.contains("src=\"data:image/png;base64,"))
        #expect(!run.output.contains("src=\"http") && run.output.contains("img-src data:;"))
        site.server.setFault(.status(404), for: "/images/*")
        let missing = try await site.blog("read", "42", "--format", "html", "--embed", "--store", "other.sqlite3")
        #expect(
            missing.errors.contains("Could not load 4 pictures, "), "\(missing.errors)")
        #expect(missing.errors.contains("HTTP 404") && !missing.output.contains("data:image/png"))
        #expect(run.code == 0 && missing.code == 0)
        #expect(try await site.blog("list", "--embed").code == 2)
    }

    @Test("is a page with a post, with several, or with search results")
    func read() async throws {
        let one = try await site.blog("read", "1", "--format", "html").output
        let host = site.server.address.dropFirst("http://".count)
        #expect(one.contains("<title>The Case for Small Releases – \(host)</title>"))
        #expect(one.contains("<p>Big releases hide"))
        let two = try await site.blog("read", "1", "2", "--format", "html").output
        #expect(two.split(separator: "<article").count == 3 && two.split(separator: "<!DOCTYPE").count == 1)
        let found = try await site.blog("search", "releases", "--format", "html").output
        #expect(found.contains("<h1>“releases”</h1>") && found.contains("<mark>"))
    }
}
