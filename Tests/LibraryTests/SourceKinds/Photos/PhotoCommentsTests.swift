import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering

@Suite("The comments on a photo") struct PhotoCommentsTests {
    /// The tree as one line: each comment with its replies in brackets.
    private func drawn(_ json: String) throws -> String {
        let comments = PhotoComments(on: 5, try JSONDecoder().decode([PhotoComment].self, from: Data(json.utf8)))
        let site = PhotoWebsite(api: try #require(URL(string: "https://photos.example/v1")))
        let date = try #require(Timestamp("2018-07-03T04:06:09Z"))
        let entries = Dictionary(
            uniqueKeysWithValues: comments.entries(on: site, at: date).map { ($0.metadata.id, $0) })
        func text(_ ids: [String], below parent: String) throws -> String {
            try ids.map { id in
                let discussion = try #require(entries[id]?.metadata.discussion)
                #expect(discussion.parent == parent)
                let inner = try text(discussion.replies, below: id)
                return id.replacing("5:", with: "") + (inner.isEmpty ? "" : "(\(inner))")
            }.joined(separator: " ")
        }
        return try text(comments.replies, below: "5")
    }

    static let trees: [(String, String)] = [
        ("[]", ""), (#"[{"id":1},{"id":2}]"#, "1 2"),
        (
            #"[{"id":1,"parent_id":null},{"id":2,"parent_id":1},{"id":3,"parent_id":2},{"id":4,"parent_id":1}]"#,
            "1(2(3) 4)"
        ),
        (#"[{"id":2,"parent_id":1},{"id":1}]"#, "1(2)"),
        (#"[{"id":1,"replies":[{"id":2,"parent_id":1,"replies":[{"id":3}]}]},{"id":4,"parent_id":3}]"#, "1(2(3(4)))"),
        (#"[{"id":1,"parent_id":99},{"id":2,"parent_id":"1"},{"id":3,"parent_id":[]}]"#, "1(2) 3"),
        (#"[{"id":1,"parent_id":1},{"id":2,"parent_id":3},{"id":3,"parent_id":2}]"#, "1 2(3)"),
        (#"[{"id":1},{"id":1,"parent_id":1},{"id":2,"replies":[{"id":1}]}]"#, "1 2"),
        (#"[{"id":1,"replies":[{"id":2,"parent_id":99}]}]"#, "1(2)"),
        (#"[{"id":1,"replies":"none"},{"id":2,"replies":{"id":3}}]"#, "1 2(3)"),
    ]

    @Test("form a tree with each comment once, whatever the JSON says", arguments: trees)
    func tree(json: String, expected: String) throws {
        #expect(try drawn(json) == expected)
    }

    @Test("may be nested as deep as JSON allows")
    func deep() throws {
        let levels = 240
        let start = (1...levels).map { #"{"id":\#($0),"replies":["# }.joined()
        let text = try drawn("[" + start + String(repeating: "]}", count: levels) + "]")
        #expect(text.hasPrefix("1(2(3("))
    }

    @Test("have a body, an author and a date, with defaults for missing ones")
    func entry() throws {
        let json =
            #"[{"id":1,"body":"a<br>b","created_at":"2018-07-04T00:00:00Z","user":{"fullname":"Ana"}},{"id":2,"body":"5 < 6"}]"#
        let comments = PhotoComments(on: 5, try JSONDecoder().decode([PhotoComment].self, from: Data(json.utf8)))
        let site = PhotoWebsite(api: try #require(URL(string: "https://photos.example/v1")))
        let date = try #require(Timestamp("2018-07-03T04:06:09Z"))
        let entries = comments.entries(on: site, at: date)
        #expect(entries.map(\.content) == [Entry.Content("a<br>b", .html), Entry.Content("5 < 6", .plain)])
        #expect(entries.map(\.metadata.author.name) == ["Ana", "[unknown]"])
        #expect(entries.map(\.metadata.publishDate.utc) == ["2018-07-04T00:00:00Z", "2018-07-03T04:06:09Z"])
    }
}
