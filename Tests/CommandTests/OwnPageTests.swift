import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog open --page", .serialized) struct OwnPageTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    private var folder: String { site.storePath + "-pages" }

    /// The file that would be opened.
    private func file(_ run: Outcome) throws -> URL { try #require(URL(string: run.lines.first ?? "")) }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test("opens a page made from a post, as is done for posts without an address", arguments: [[], ["--page"]])
    func page(options: [String]) async throws {
        let arguments = ["open", "1", "--print"] + options
        let file = try file(try await site.blog(arguments))
        #expect(file.isFileURL && file.deletingLastPathComponent().path == folder)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("<p>Big releases hide"))
        #expect(try mode(folder) == 0o700 && mode(file.path) == 0o600)
        let run = try await site.blog("open", "1", environment: ["BROWSER": "true"])
        #expect(run.errors.hasPrefix("blog: Opened file://") && run.code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }

    @Test("opens a page with comments instead of a story's link")
    func discussion() async throws {
        let folder = Repository.mockBlog.deletingLastPathComponent().appending(path: "hackernews")
        let news = try TestSite(HackerNewsSite(folder: folder))
        func run(_ arguments: String...) async throws -> Outcome {
            let all = arguments + ["-s", "hn", "--url", news.server.address + "/v0"]
            return try await news.blog(all)
        }
        let opened = try String(
            contentsOf: try file(try await run("open", "hn:8863", "--page", "--print")), encoding: .utf8)
        #expect(opened.contains("<details open>") && opened.contains("tgreen42"))
    }

    @Test("keeps the newest fifty pages, and all other files")
    func bounded() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in 100..<170 {
            let path = folder + "/post-000000000\(number).html"
            try Data().write(to: URL(filePath: path))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(number))], ofItemAtPath: path)
        }
        try Data().write(to: URL(filePath: folder + "/mine.html"))
        _ = try await site.blog("open", "1", "--page", "--print")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == 51 && names.contains("mine.html"))
        #expect(names.contains("post-000000000169.html") && !names.contains("post-000000000100.html"))
    }

    @Test("says why a page can't be written")
    func failing() async throws {
        _ = try await site.blog("read", "1")
        try Data().write(to: URL(filePath: folder))
        let run = try await site.blog("open", "1", "--page", "--print")
        #expect(run.code == 1 && run.errors.hasPrefix("blog: Could not write the output: "))
    }
}
