import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A stored item") struct ItemFreshnessTests {
    private static let day = 86_400
    private static let fetchedAt = Date(timeIntervalSince1970: 1_700_000_000)

    private func isCurrent(
        _ details: Details, publishedBefore age: Int, seenAfter seconds: TimeInterval
    ) -> Bool {
        let metadata = PostMetadata(
            id: "1", title: "", publishDate: Timestamp(secondsSince1970: 1_700_000_000 - age), postId: "1",
            summary: nil, author: Author(name: ""), details: details)
        let item = Entry.Stored(Entry(metadata), fetchedAt: Self.fetchedAt, state: PostState())
        return ItemFreshness.isCurrent(item, at: Self.fetchedAt.addingTimeInterval(seconds))
    }

    @Test(
        "is fresh for five minutes, or forever once replies are closed",
        arguments: [
            (0, 0, true), (0, 299.9, true), (0, 300, false), (0, 86_400, false), (0, -1, false),
            (14 * day, 300, true), (14 * day, 1e9, true), (14 * day, -1, true), (14 * day - 1, 300, false),
        ] as [(Int, TimeInterval, Bool)])
    func ages(publishedBefore age: Int, seenAfter seconds: TimeInterval, expected: Bool) {
        let story = Details.discussion(Discussion(parent: nil, replies: []))
        #expect(isCurrent(story, publishedBefore: age, seenAfter: seconds) == expected)
    }

    @Test("is always fresh if it was removed; a photo is fresh for five minutes at any age")
    func kinds() {
        let dead = Details.discussion(Discussion(parent: nil, replies: [], removal: .dead))
        #expect(isCurrent(dead, publishedBefore: 0, seenAfter: 1e9))
        #expect(!isCurrent(.photo(Photo()), publishedBefore: 100 * Self.day, seenAfter: 300))
        #expect(isCurrent(.photo(Photo()), publishedBefore: 100 * Self.day, seenAfter: 299))
    }
}
