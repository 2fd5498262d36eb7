import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("Comments that arrive in any order") struct CommentOrderTests {
    private func item(_ id: String, replies: [String] = [], removal: Discussion.Removal? = nil) -> Entry.Stored {
        let metadata = PostMetadata(
            id: id, title: "", publishDate: Timestamp(secondsSince1970: 0), postId: id, summary: nil,
            author: Author(name: "by\(id)"),
            details: .discussion(Discussion(parent: "1", replies: replies, removal: removal)))
        return Entry.Stored(Entry(metadata), fetchedAt: Date(), state: PostState())
    }

    /// Feeds the known comments in a random order.
    private func read(
        _ first: [String], _ items: [String: Entry.Stored], _ selection: CommentSelection = CommentSelection(),
        seed: UInt64 = 1
    ) -> [String] {
        var random = SplitMix(state: seed)
        var order = CommentOrder(first, selection, marksNew: false)
        var known = first
        var shown: [BlogModel.Comment] = []
        while !known.isEmpty, !order.isComplete {
            let id = known.remove(at: Int.random(in: 0..<known.count, using: &random))
            known += order.note(items[id].map { .item($0, .new) } ?? .missing(id: id, nil))
            shown += order.ready()
        }
        return shown.map { "\($0.id)@\($0.depth)" }
    }

    @Test("are shown in the order of their tree", arguments: UInt64(1)...60)
    func order(seed: UInt64) {
        let tree = RandomThread(comments: 150, seed: seed)
        let items = Dictionary(
            uniqueKeysWithValues: (2..<152).map { id in
                (String(id), item(String(id), replies: (tree.replies[id] ?? []).map(String.init)))
            })
        #expect(read((tree.replies[1] ?? []).map(String.init), items, seed: seed) == tree.expected)
    }

    @Test("omit removed comments without replies, and those that can't be fetched")
    func removal() {
        let items = [
            "2": item("2", replies: ["5"], removal: .deleted), "3": item("3", removal: .dead), "5": item("5"),
        ]
        #expect(read(["2", "3", "4"], items) == ["2@0", "5@1"])
    }

    @Test("are shown once each if their tree has a cycle")
    func cycle() {
        let items = ["2": item("2", replies: ["3", "3", "2"]), "3": item("3", replies: ["2"])]
        #expect(read(["2", "2"], items) == ["2@0", "3@1"])
    }

    static let selections: [(CommentSelection, [String])] = [
        (CommentSelection(levels: 1), ["2@0", "4@0"]), (CommentSelection(limit: 2), ["2@0", "3@1"]),
        (CommentSelection(author: "by3"), ["3@0"]),
        (CommentSelection(limit: 1, author: "by4"), ["4@0"]),
        (CommentSelection(levels: 2, limit: 9), ["2@0", "3@1", "4@0"]),
    ]

    @Test("can be limited by level, number and author", arguments: selections)
    func selection(selection: CommentSelection, expected: [String]) {
        let items = ["2": item("2", replies: ["3"]), "3": item("3"), "4": item("4")]
        #expect(read(["2", "4"], items, selection) == expected)
    }

    @Test("may be ten thousand levels deep")
    func deep() {
        var items: [String: Entry.Stored] = [:]
        for id in 2..<10_002 { items[String(id)] = item(String(id), replies: [String(id + 1)]) }
        #expect(read(["2"], items).last == "10001@9999")
    }
}
