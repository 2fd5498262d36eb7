import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import blog
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogTerminal

@Suite("blog in a pager") struct PagerTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    private init(_ mock: any MockSite) throws {
        site = try TestSite(mock)
    }

    /// What a pager receives that prints its options and the lines to which `n` jumps.
    private func page(
        _ arguments: [String], columns: Int = 80, environment: [String: String] = [:]
    ) async throws -> String {
        let pager = try site.script(
            "echo \"LESS=$LESS\"\ngrep -E \"$(tail -n 1 \"$LESSHISTFILE\" | tail -c +2)\"", named: "pager")
        let own = ["BLOG_PAGER": pager, "TMPDIR": site.home.path, "LC_ALL": "C.UTF-8"]
        return try await site.screen(
            arguments + ["--color", "never"], columns: columns, rows: 5, environment: own.merging(environment) { $1 })
    }

    private func jumps(_ page: String) -> [Substring] {
        page.split(separator: "\n").filter { $0.contains("·") || $0.hasPrefix("━") }
    }

    @Test("jumps between the posts of a list", arguments: [80, 40])
    func list(columns: Int) async throws {
        let page = try await page(["list"], columns: columns)
        #expect(jumps(page).count == 15)
        #expect(page.contains("LESS=FRXgj2Ps"))
        #expect(page.contains("n\\: next post"))
    }

    @Test("uses BLOG_PAGER rather than PAGER")
    func preference() async throws {
        #expect(jumps(try await page(["list"], environment: ["PAGER": "cat"])).count == 15)
    }

    @Test(
        "gets the options of less in the environment, which must show colours",
        arguments: [("-iM", "-R -iM"), ("-FRX", "-R -FRX"), ("", "-R ")])
    func ownOptions(options: String, used: String) async throws {
        let lines = try await page(["list"], environment: ["LESS": options]).split(whereSeparator: \.isNewline)
        #expect(lines.contains { $0.hasSuffix("LESS=\(used)") })
    }

    @Test("jumps between top-level comments")
    func thread() async throws {
        let news = try PagerTests(Repository.hackerNewsSite.get())
        let page = try await news.page(["read", "hn:8863", "--url", news.site.server.address + "/v0"])
        let jumps = jumps(page)
        #expect(!jumps.isEmpty)
        #expect(jumps.allSatisfy { !$0.hasPrefix("│") })
        #expect(page.contains("n\\: next thread"))
    }

    @Test("jumps between the titles of several posts")
    func articles() async throws {
        #expect(try await jumps(page(["read", "1", "2", "3"])).count == 3)
    }

    @Test("holds messages back until the pager has exited")
    func heldMessages() async throws {
        _ = try await site.blog("list")
        let page = try await page(["search", "the"])
        let pager = try #require(page.firstRange(of: "n\\: next post"))
        let message = try #require(page.firstRange(of: " posts have no stored body. "))
        #expect(pager.lowerBound < message.lowerBound)
    }

    @Test("leaves no file behind")
    func noFiles() async throws {
        #expect(try await page(["list"]).contains("n\\: next post"))
        let names = try FileManager.default.contentsOfDirectory(atPath: site.home.path)
        #expect(Set(names) == [".local", "pager"])
    }

    @Test("has a prompt that no input can break")
    func prompt() {
        let prompt = PagerPrompt(name: "blog search a?b:c.d%e\\f$g ü\u{1B}", stop: nil, width: 80)
        #expect(prompt.lessOptions.hasPrefix("FRXgj1Psblog search a\\?b\\:c\\.d\\%e\\\\fg , "))
        #expect(prompt.lessOptions.hasSuffix("$"))
        #expect(PagerPrompt(name: "blog", stop: .post, width: 50).lessOptions.hasPrefix("FRXgj2Psblog, "))
    }
}
