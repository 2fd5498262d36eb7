import BlogMarkup
import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel
@testable import BlogRendering

@Suite("A rendered discussion") struct DiscussionRenderingTests {
    private func comment(_ id: String, depth: Int, body: String = "text", isNew: Bool = false) -> BlogModel.Comment {
        BlogModel.Comment(
            id: id, author: Author(name: "pg"), publishDate: Timestamp(secondsSince1970: 1_767_225_600 - 7200),
            body: body, depth: depth, removal: nil, replyCount: 0, isNew: isNew)
    }

    private func lines(_ comments: BlogModel.Comment..., width: Int = 50) -> [String] {
        var thread = CommentLines(screen: .sample(width), codeRoom: 0)
        return comments.flatMap { thread.lines($0) }.map(\.plain)
    }

    @Test("names the post or comment that a comment replies to")
    func parent() throws {
        let metadata = try sample(id: "9", details: .discussion(Discussion(parent: "8", replies: [])))
        var renderer = PostTextRenderer(.sample(60), codeWidth: 60)
        let text = try renderer.post(Record(Post(id: "9", metadata: metadata, body: ""))).plain
        #expect(text.contains(" · reply to 8 · 9"))
    }

    @Test("names in Markdown why a comment has no text")
    func removedInMarkdown() {
        var renderer = MarkdownRenderer(isGrouped: false)
        let comment = BlogModel.Comment(
            id: "7", author: Author(name: "pg"), publishDate: Timestamp(secondsSince1970: 0), body: "", depth: 1,
            removal: .deleted, replyCount: 1, isNew: false)
        #expect(renderer.comment(comment).plain == "\n  - **pg** [deleted] (7)\n")
    }

    @Test("indents a reply with a bar, up to the maximum depth")
    func indentation() {
        #expect(lines(comment("7", depth: 0)) == ["", "pg · 2h · 7", "text"])
        #expect(lines(comment("7", depth: 2)) == ["", "│ │ pg · 2h · 7", "│ │ text"])
        let deep = lines(comment("7", depth: 200))
        #expect(deep.allSatisfy { DisplayWidth.of($0) <= 50 })
        #expect(deep[1].hasSuffix("│ ↳201 pg · 2h · 7"))
        #expect(lines(comment("7", depth: 9999), width: 20)[1].hasPrefix("↳10000 pg"))
    }

    @Test("has bars that leave 30 columns, at most 12", arguments: [(31, 0), (32, 1), (50, 10), (54, 12), (99, 12)])
    func barCount(width: Int, bars: Int) {
        #expect(lines(comment("7", depth: 200), width: width).last?.count { $0 == "│" } == bars)
    }

    @Test("continues bars between the comments of a branch")
    func bars() {
        let thread = lines(
            comment("1", depth: 0), comment("2", depth: 1), comment("3", depth: 2), comment("4", depth: 1))
        #expect(
            thread == [
                "", "pg · 2h · 1", "text", "", "│ pg · 2h · 2", "│ text", "│", "│ │ pg · 2h · 3", "│ │ text", "│",
                "│ pg · 2h · 4", "│ text",
            ])
    }

    @Test("is indented to a bounded depth in Markdown, and then says how deep it is")
    func markdownDepth() {
        var renderer = MarkdownRenderer(isGrouped: false)
        let deep = renderer.comment(comment("7", depth: 10_000)).plain
        #expect(deep.utf8.count < 300 && deep.contains("- ↳10001 **pg**"))
        #expect(renderer.comment(comment("7", depth: 2)).plain.hasPrefix("\n    - **pg**"))
    }

    @Test("marks new comments, and those of the original poster")
    func new() throws {
        #expect(lines(comment("7", depth: 0, isNew: true))[1] == "pg · 2h · 7 · new")
        var thread = CommentLines(screen: .sample(50), codeRoom: 0)
        thread.begin(on: try sample(author: "pg", role: nil))
        #expect(thread.lines(comment("7", depth: 0))[1].plain == "pg (OP) · 2h · 7")
    }

    @Test("dims lines that are quoted as in mail")
    func quotes() {
        var thread = CommentLines(screen: .sample(50, isColored: true), codeRoom: 0)
        let lines = thread.lines(comment("7", depth: 0, body: "&gt; a quote<p>an answer")).map(\.spelledOut)
        #expect(lines.suffix(3) == ["<muted>> a quote</>", "", "an answer"])
    }

    @Test("nests comments in JSON by their depth")
    func json() throws {
        var renderer = JSONRenderer(fields: nil, isGrouped: false)
        let post = Post(id: "1", metadata: try sample(), body: "b", bodyFormat: .html)
        var text = try renderer.start() + renderer.thread(Record(post))
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
        #expect(decoded.map(\.shape) == ["1(2(3(4) 5) 6)"])
    }

    @Test("shows the whole address of a link that Hacker News truncated")
    func links() {
        let body =
            #"<a href="https:&#x2F;&#x2F;example.org&#x2F;a&#x2F;long&#x2F;way">https:&#x2F;&#x2F;example.org&#x2F;a&#x2F;...</a>"#
        #expect(lines(comment("7", depth: 0, body: body), width: 50)[2] == "https://example.org/a/long/way")
    }
}
