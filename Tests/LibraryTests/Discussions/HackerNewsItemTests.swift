import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering

@Suite("A Hacker News item") struct HackerNewsItemTests {
    private func item(_ json: String) throws -> Entry {
        try JSONDecoder().decode(HackerNewsItem.self, from: Data(json.utf8)).entry(options: [])
    }

    static let titles: [(String, String)] = [
        (#"{"id":1,"type":"story","title":"A &amp; B &lt;T&gt; don&#x27;t"}"#, "A & B <T> don't"),
        (#"{"id":1,"type":"story"}"#, "[untitled]"), (#"{"id":1,"deleted":true,"type":"story"}"#, "[deleted]"),
        (#"{"id":1,"type":"comment","by":"pg"}"#, "Comment by pg"), (#"{"id":1}"#, "[untitled]"),
    ]

    @Test("has a title, even if fields are missing", arguments: titles)
    func title(json: String, title: String) throws {
        #expect(try item(json).metadata.title == title)
    }

    @Test(
        "is of a type of its own",
        arguments: [
            (#""type":"job""#, .job), (#""type":"poll""#, .poll), (#""type":"pollopt""#, .pollOption),
            (#""type":"comment""#, .comment), (#""type":"story","title":"Ask HN: x""#, .ask),
            (#""type":"story","title":"Show HN: x""#, .show), (#""type":"new""#, .story),
        ] as [(String, Discussion.PostType)])
    func type(member: String, type: Discussion.PostType) throws {
        #expect(try item(#"{"id":1,\#(member)}"#).metadata.discussion?.type == type)
    }

    @Test("has defaults for empty and missing fields")
    func empty() throws {
        let item = try item(#"{"id":1,"type":"story","url":"","text":""}"#)
        #expect(item.metadata.link == nil)
        #expect(item.content == Entry.Content("", .html))
        #expect(item.metadata.author.name == "[unknown]")
        #expect(item.metadata.publishDate.utc == "1970-01-01T00:00:00Z")
        #expect(item.metadata.discussion == Discussion(parent: nil, replies: [], type: .story))
    }

    @Test(
        "has as many comments as the API counts, or else as many as its direct replies",
        arguments: [
            (#""type":"story","kids":[2,3],"descendants":5"#, 5), (#""type":"story","kids":[null,2,3,null]"#, 2),
            (#""type":"story""#, 0), (#""type":"job","kids":[2]"#, nil), (#""type":"comment","kids":[2]"#, nil),
        ] as [(String, Int?)])
    func comments(members: String, count: Int?) throws {
        #expect(try item("{\"id\":1,\(members)}").metadata.commentCount == count)
    }

    @Test("has a web page, as a user does", arguments: [("8863", "item?id=8863"), ("user:kim", "user?id=kim")])
    func page(id: String, place: String) throws {
        let address = try #require(URL(string: "https://news.example/v0"))
        let source = HackerNewsSource(address: address, client: .impatient())
        let page = try #require(source.discussionPage(of: id))
        #expect(page.absoluteString == "https://news.ycombinator.com/" + place)
        #expect(source.id(ofPage: page) == id)
    }

    @Test("lists a poll's options with their points")
    func poll() throws {
        let options = try ["a", "b"].enumerated().map { index, text in
            try JSONDecoder().decode(
                HackerNewsItem.self, from: Data(#"{"id":\#(index),"text":"\#(text)","score":\#(index + 1)}"#.utf8))
        }
        let poll = try JSONDecoder().decode(HackerNewsItem.self, from: Data(#"{"id":9,"type":"poll","text":"T"}"#.utf8))
        #expect(
            poll.entry(options: options).content?.text
                == "T<ul><li>a <i>(1 point)</i></li><li>b <i>(2 points)</i></li></ul>")
    }
}
