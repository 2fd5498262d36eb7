import BlogTestSupport
import Foundation
import Testing

/// Why a post is where it is, and which sources are silent.
@Suite("blog read --verbose, and blog sources --sort latest", .serialized) struct WhyTests {
    private let site: TestSite

    init() async throws {
        site = try TestSite()
        for (name, year) in [("a", 2020), ("b", 2024), ("c", 2022)] {
            let items = ["same", name].map {
                "<item><title>Tides \($0)</title><link>https://pier.example/\($0)</link><pubDate>1 Jan \(year)</pubDate></item>"
            }
            let feed = "<rss version='2.0'><channel><title>Feed \(name)</title>\(items.joined())</channel></rss>"
            try Data(feed.utf8).write(to: site.home.appending(path: "\(name).xml"))
            _ = try await site.blog("follow", "./\(name).xml", "--as", name)
        }
    }

    /// The lines about a post on stderr.
    private func about(_ post: String) async throws -> String {
        try await site.blog("read", post, "--verbose", "--no-mark", "--offline").errors
    }

    private func post(_ title: String, of source: String) async throws -> String {
        let run = try await site.blog("list", "-s", source, "--title", title, "--format", "ids", "--offline")
        return run.output.trimmingCharacters(in: .newlines)
    }

    @Test("says from where a post came")
    func source() async throws {
        let lines = try await about(post("Tides a", of: "a"))
        #expect(lines.contains(" came from a (file:///") && lines.contains("/a.xml); stored or changed 2"), "\(lines)")
        #expect(!lines.contains("isn't in"))
    }

    @Test("says which posts of its story it stands for, or which stands for it")
    func story() async throws {
        let posts = try await ["a", "b", "c"].asyncMap { try await post("Tides same", of: $0) }
        #expect(try await about(posts[0]).contains("It stands for \(posts[1]) and \(posts[2]), of the same story."))
        let behind = try await about(posts[2])
        #expect(behind.contains("\(posts[0]) stands for it, of the same story."))
        #expect(behind.contains("It isn't in blog list, because another post of its story stands for it."))
    }

    @Test("says which rules find it, and that one hides it, that it is read, or that its source isn't followed")
    func absence() async throws {
        let post = try await post("Tides b", of: "b")
        _ = try await site.blog("mark", "read", post)
        #expect(try await about(post).contains("It isn't in blog list --unread, because it is read."))
        _ = try await site.blog("rule", "add", "title:tides source:b", "--hide")
        let hidden = try await about(post)
        #expect(hidden.contains("Rule 1 finds it: title:tides source:b (hide).\n"), "\(hidden)")
        #expect(hidden.contains("It isn't in blog list, because rule 1 hides it (blog list --hidden).\n"))
        _ = try await site.blog("unfollow", "a")
        let unfollowed = try await self.post("Tides a", of: "a")
        #expect(try await about(unfollowed).contains("because you don't follow its source"))
    }

    @Test("finds the sources that have been silent for longest")
    func latest() async throws {
        let run = try await site.blog("sources", "--sort", "latest", "--fields", "latest,name")
        #expect(
            run.output.split(separator: "\n").map(String.init) == [
                "2024-01-01T00:00:00Z\tb", "2022-01-01T00:00:00Z\tc", "2020-01-01T00:00:00Z\ta",
            ])
        let text = try await site.blog("sources", "--sort", "latest", "--format", "text")
        #expect(text.output.hasPrefix("Feed b (b)") && text.output.contains("newest 2024-01-01"))
        #expect(try await site.blog("sources", "--json=latest").output.contains("2022-01-01T00:00:00Z"))
    }
}

extension Array {
    /// The results of a function for each element, one after the other.
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
