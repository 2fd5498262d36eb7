import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel
@testable import BlogStore

@Suite("Two versions of a post that changed at the same moment") struct MergeOrderTests {
    private static func post(_ details: Details? = nil, summary: String? = nil, score: Int? = nil) -> ExportedPost {
        let metadata = PostMetadata(
            id: "1", title: "t", publishDate: Timestamp(secondsSince1970: 5), postId: "1", summary: summary,
            author: Author(name: "a"), score: score, details: details)
        return ExportedPost(
            source: "feed", address: "x", listed: true, read: false, saved: false, changedAt: 5, wordsChangedAt: nil,
            metadata: metadata, body: nil)
    }

    private static func post(_ body: ExportedPost.Body) -> ExportedPost {
        var post = post()
        post.body = body
        return post
    }

    private static func post(articleTitle: String?) -> ExportedPost {
        var post = post()
        post.article = Article(
            address: "https://a.example", title: articleTitle, body: "b", format: .plain, fetchedAt: .day(1))
        return post
    }

    private static func post(numbered: Bool?) -> ExportedPost {
        var post = post()
        post.numbered = numbered
        return post
    }

    private static let pairs: [(ExportedPost, ExportedPost)] = [
        (post(summary: nil), post(summary: "")), (post(score: nil), post(score: 0)),
        (
            post(.discussion(Discussion(parent: nil, replies: [], type: .story))),
            post(.discussion(Discussion(parent: nil, replies: [], type: .ask)))
        ),
        (
            post(.discussion(Discussion(parent: nil, replies: ["2 3"]))),
            post(.discussion(Discussion(parent: nil, replies: ["2", "3"])))
        ),
        (post(.entry(EntryDetails(tags: ["a"]))), post(.entry(EntryDetails(tags: ["b"])))),
        (post(.entry(EntryDetails(tags: ["a"]))), post()),
        (
            post(ExportedPost.Body(text: "b", fetchedAt: 5, isCurrent: true, format: nil)),
            post(ExportedPost.Body(text: "b", fetchedAt: 5, isCurrent: true, format: "html"))
        ),
        (
            post(ExportedPost.Body(text: "b", fetchedAt: 5, isCurrent: true, format: nil)),
            post(ExportedPost.Body(text: "c", fetchedAt: 5, isCurrent: false, format: nil))
        ),
        (post(articleTitle: nil), post(articleTitle: "")), (post(numbered: nil), post(numbered: true)),
        (post(numbered: nil), post(numbered: false)),
    ]

    @Test("give the same post in either direction", arguments: pairs)
    func commutative(one: ExportedPost, other: ExportedPost) {
        let merged = one.merged(with: other)
        #expect(merged == other.merged(with: one))
        #expect(merged.merged(with: one) == merged && merged.merged(with: other) == merged)
    }
}
