import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog alone", .serialized) struct OverviewTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(EmptySite())
        for name in ["a", "b", "c"] { serve(["Old"], at: "/\(name).xml") }
    }

    private func serve(_ titles: [String], at path: String) {
        let date = Date().formatted(.iso8601)
        let items = titles.map { title in
            let published = title == "Old" ? "2020-01-01T00:00:00Z" : date
            return "<entry><id>\(path)\(title)</id><title>\(title)</title><published>\(published)</published></entry>"
        }
        let text = "<feed xmlns='http://www.w3.org/2005/Atom'><title>Blog \(path)</title>\(items.joined())</feed>"
        site.server.setFault(.body(Data(text.utf8)), for: path)
    }

    private func follow(_ options: String...) async throws {
        for name in ["a", "b", "c"] {
            let run = try await site.blog(["follow", "\(site.server.address)/\(name).xml", "--as", name] + options)
            #expect(run.code == 0)
        }
    }

    private func lines() async throws -> [String] {
        Array(try await site.blog([]).output.components(separatedBy: "\n").dropLast())
    }

    @Test("names three commands to begin with, without a store or a request")
    func nothing() async throws {
        let run = try await site.blog([])
        #expect(run.code == 0 && run.errors.isEmpty)
        #expect(run.lines.first == "You don't follow any blogs.")
        #expect(run.lines.filter { $0.hasPrefix("  blog ") }.count == 3)
        #expect(run.lines.last == "All commands: blog help")
        #expect(!FileManager.default.fileExists(atPath: site.storePath))
        #expect(site.server.requests.isEmpty)
    }

    @Test("takes global options, but none of a command's")
    func options() async throws {
        let store = site.home.appending(path: "other.db").path
        _ = try await site.blog("follow", "\(site.server.address)/a.xml", "--store", store)
        #expect(try await site.blog("--store", store).output.hasPrefix("1 unread in 1 source\n"))
        #expect(try await site.blog("--store=\(store)", "-q").code == 0)
        for options in [["--limit", "5"], ["--json"], ["--format", "csv"]] {
            #expect(try await site.blog(options).code == 2)
        }
    }

    @Test("finds what another reader has left", arguments: [".newsboat", ".config/newsboat"])
    func others(folder: String) async throws {
        let url = site.home.appending(path: folder)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data("http://a.example/feed\n".utf8).write(to: url.appending(path: "urls"))
        let run = try await site.blog([])
        #expect(run.output.contains("\n  blog follow \(url.path)\n"), "\(run.output)")
        #expect(run.output.contains("  import from newsboat\n"))
    }

    @Test("counts unread posts by source, or by folder if there are any, and lists those since yesterday")
    func unread() async throws {
        serve(["Old", "Fresh news"], at: "/b.xml")
        try await follow()
        #expect(
            try await lines() == [
                "4 unread in 3 sources", "", "  Blog /b.xml  2", "  Blog /a.xml  1", "  Blog /c.xml  1", "",
                "1 post since yesterday, unread", "  b:1  Fresh news", "", "To read: blog browse",
            ])
        #expect(try await site.blog("follow", "b", "--folder", "news").code == 0)
        #expect(try await lines()[2...3] == ["  news       2", "  no folder  2"])
        #expect(try await site.blog("mark", "read", "--all").code == 0)
        #expect(
            try await lines() == ["0 unread in 3 sources", "", "To fetch new posts: blog list"])
    }

    @Test("has at most 15 lines, and says that sources are failing")
    func many() async throws {
        for number in 1...9 { serve((0..<9).map { "Post \($0)" }, at: "/\(number).xml") }
        let addresses = (1...9).map { "\(site.server.address)/\($0).xml\n" }.joined()
        #expect(try await site.blog("follow", "-", input: addresses).code == 0)
        site.server.setFault(.status(404), for: "/1.xml")
        _ = try await site.blog("list", "--refresh")
        let lines = try await lines()
        #expect(lines.count == 15)
        #expect(lines.contains("  5 more       45"))
        #expect(lines[13] == "1 source failing: blog sources --failing")
    }
}

private struct EmptySite: MockSite {
    func response(to request: MockRequest) -> MockResponse? { nil }
}
