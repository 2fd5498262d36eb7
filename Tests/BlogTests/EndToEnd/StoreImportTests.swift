import BlogKit
import Foundation
import MockServer
import Testing

@Suite("blog store import") struct StoreImportTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(MadeUpSite(posts: 3))
    }

    @Test(
        "refuses a line of an unknown source or without a usable address",
        arguments: [
            (#""source":"blog""#, #""source":"blgo""#), (#""source":"blog""#, #""source":"hn""#),
            (#""address":"http:"#, #""address":"file:"#),
        ])
    func unknownSource(known: String, other: String) async throws {
        _ = try await site.blog("list")
        let export = try await site.blog("store", "export")
        let flawed = export.lines[0] + "\n" + export.lines[1].replacing(known, with: other) + "\n"
        #expect(flawed.contains(other))
        let run = try await site.blog("store", "import", "--store", "other", input: flawed)
        #expect(run.code == 5)
        #expect(run.errors.hasSuffix("blog: This line is no exported post, so left out: 2.\n"))
        #expect(try await site.blog("sources", "--check", "--store", "other").code == 0)
    }

    @Test("may have brought an unknown source before: it is not checked, and the others are")
    func knownBefore() async throws {
        _ = try await site.blog("list")
        try Database(path: site.storePath, mode: .readWrite).execute(
            "INSERT INTO blogs (source, address) VALUES ('blgo', 'http://a'), ('blog', 'file:///b')")
        let run = try await site.blog("sources", "--check", "--fields", "address,status")
        #expect(run.code == 0)
        #expect(run.lines == ["http://a\tnever", "file:///b\tnever", "\(site.server.address)\tok"])
        #expect(run.errors.split(separator: "\n").count == 2)
        #expect(run.errors.contains("The source blgo at http://a is unknown to this blog, so it was not checked."))
    }
}
