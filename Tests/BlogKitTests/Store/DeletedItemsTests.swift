import Foundation
import Model
import Store
import Testing

@Suite("A comment that was deleted") struct DeletedItemsTests {
    @Test("keeps its text, and takes the replies that came since")
    func deletedComment() async throws {
        let store = try PostStore()
        func comment(_ replies: [String], _ removal: Discussion.Removal? = nil) -> PostMetadata {
            PostMetadata(
                id: "2", title: "", publishDate: Timestamp(secondsSince1970: 5), postId: "2", summary: nil,
                author: Author(name: removal == nil ? "kim" : ""),
                details: .discussion(Discussion(parent: "1", replies: replies, removal: removal)))
        }
        try await store.store([Entry(comment(["3"]), content: Entry.Content("words", .html))], of: .one, at: Date())
        try await store.store([Entry(comment(["3", "4"], .deleted))], of: .one, at: Date())
        let item = try #require(await store.items(["2"], of: .one)["2"])
        #expect(item.body == "words")
        #expect(item.metadata.author.name == "kim")
        #expect(item.metadata.discussion?.removal == .deleted)
        #expect(item.metadata.discussion?.replies == ["3", "4"])
    }
}
