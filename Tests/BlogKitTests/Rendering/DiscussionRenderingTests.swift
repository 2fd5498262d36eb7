import Foundation
import Testing

@testable import BlogCore

@Suite("A discussion for people and for programs") struct DiscussionRenderingTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    private func comment(_ id: String, depth: Int, body: String = "text", isNew: Bool = false) -> BlogCore.Comment {
        BlogCore.Comment(
            id: id, author: Author(name: "pg"), publishDate: Timestamp(secondsSince1970: 1_767_225_600 - 7200),
            body: body, depth: depth, removal: nil, isNew: isNew)
    }

    private func lines(_ comment: BlogCore.Comment, width: Int) -> [String] {
        CommentLines(width: width, codeRoom: 0, isColored: false, links: .numbered, now: now).lines(comment).map(
            \.plain)
    }

    @Test("indents a reply by a bar, up to the maximum depth")
    func indentation() {
        #expect(lines(comment("7", depth: 0), width: 50) == ["pg · 2 hours ago · id 7", "text"])
        #expect(lines(comment("7", depth: 2), width: 50) == ["│ │ pg · 2 hours ago · id 7", "│ │ text"])
        let deep = lines(comment("7", depth: 200), width: 50)
        #expect(deep.allSatisfy { DisplayWidth.of($0) <= 50 })
        #expect(deep[0].hasSuffix("│ ↳201 pg · 2 hours ago · id 7"))
        #expect(lines(comment("7", depth: 9999), width: 20)[0].hasPrefix("↳10000 pg"))
    }

    @Test("says which comments are new")
    func new() {
        #expect(lines(comment("7", depth: 0, isNew: true), width: 50)[0] == "pg · 2 hours ago · id 7 · new")
    }

    @Test("nests comments in JSON as deep as they are")
    func json() throws {
        var renderer = JSONRenderer(fields: nil, isGrouped: false)
        let post = Post(id: "1", metadata: try sample(), body: "b", bodyFormat: .html)
        var text = renderer.start() + renderer.thread(Record(post))
        for (id, depth) in [("2", 0), ("3", 1), ("4", 2), ("5", 1), ("6", 0)] {
            text += renderer.comment(comment(id, depth: depth))
        }
        text += renderer.endThread() + renderer.end()
        struct Node: Decodable {
            let id: String
            let comments: [Node]
            var shape: String { id + (comments.isEmpty ? "" : "(\(comments.map(\.shape).joined(separator: " ")))") }
        }
        let decoded = try JSONDecoder().decode([Node].self, from: Data(text.plain.utf8))
        #expect(decoded.map(\.shape) == ["101(2(3(4) 5) 6)"])
    }

    static let ages: [(Int, String)] = [
        (-5, "1 January 2026"), (0, "just now"), (60, "1 minute ago"), (3599, "59 minutes ago"), (7200, "2 hours ago"),
        (86_400, "1 day ago"), (40 * 86_400, "22 November 2025"),
    ]

    @Test("says how long ago something was", arguments: ages)
    func age(seconds: Int, expected: String) {
        let moment = Timestamp(secondsSince1970: 1_767_225_600 - seconds)
        #expect(Age.text(moment, now: now) == expected)
    }

    @Test("shows a ranked post with its site, points and comments")
    func card() {
        let post = PostMetadata(
            id: "8", title: "A title", publishDate: Timestamp(secondsSince1970: 1_767_225_600 - 60), postId: "8",
            summary: nil, author: Author(name: "pg"), link: "https://www.example.org/x", score: 1, commentCount: 2,
            details: .discussion(Discussion(parent: nil, replies: [])))
        var renderer = CardRenderer(width: 60, isColored: false, now: now)
        let listed = ListedPost(metadata: post, source: .one, group: nil, state: PostState(isRead: true), rank: 12)
        #expect(
            renderer.record(Record(listed)).plain
                == " 12. A title (example.org)\n     1 point · pg · 1 minute ago · 2 comments · id 8\n")
    }

    @Test("gives an address whole that Hacker News cut short")
    func links() {
        let body =
            #"<a href="https:&#x2F;&#x2F;example.org&#x2F;a&#x2F;long&#x2F;way">https:&#x2F;&#x2F;example.org&#x2F;a&#x2F;...</a>"#
        #expect(lines(comment("7", depth: 0, body: body), width: 50)[1] == "https://example.org/a/long/way [1]")
    }
}
