import Foundation
import Model
import Testing
@testable import BlogLibrary
@testable import Browse
@testable import Store
@testable import CommandLine
@testable import blog

@Suite("The query of a list on the screen") struct ListLoadingTests {
    private let now = Timestamp("2026-11-21T06:00:00Z")?.date ?? .distantPast

    private func query(
        _ show: ListRequest.Show = .asRequested, filter: String = "", search: String? = nil, of query: Query = Query()
    ) throws -> Query {
        var request = ListRequest(.query(query, .folder("tech")), search: search)
        (request.show, request.filter) = (show, filter)
        let (made, scope) = try ListLoading.query(of: request, now: now)
        #expect(scope == .folder("tech"))
        return made
    }

    /// What is shown of a list that was asked for with `--unread` or `--saved`, and its conditions.
    static let shows: [(show: ListRequest.Show, asked: String, conditions: String)] = [
        (.asRequested, "", ""), (.asRequested, "unread", "unread"), (.asRequested, "saved", "saved"),
        (.all, "unread", ""),
        (.all, "saved", ""), (.unread, "", "unread"), (.unread, "saved", "unread"), (.saved, "unread", "saved"),
    ]

    @Test("has what is shown in place of what was asked for", arguments: shows)
    func show(show: ListRequest.Show, asked: String, conditions: String) throws {
        let filter = Filter(isUnread: asked == "unread", isSaved: asked == "saved")
        let made = try query(show, of: Query(filter: filter)).filter
        #expect((made.isUnread ? "unread" : "") + (made.isSaved ? "saved" : "") == conditions)
    }

    /// Texts that were typed, with the words of the query, and its tag.
    static let typed: [(filter: String, search: String?, words: String?, tag: String?)] = [
        ("", nil, nil, nil), ("swift", nil, "swift", nil), ("tag:x", nil, nil, "x"), ("swift tag:x", nil, "swift", "x"),
        ("", "swift", "swift", nil), ("", "swift tag:x", "swift", "x"), ("fast", "swift", "swift fast", nil),
        ("tag:y", "swift tag:x", "swift", "y"), ("   ", nil, nil, nil),
    ]

    @Test("has the words and conditions that were typed", arguments: typed)
    func words(filter: String, search: String?, words: String?, tag: String?) throws {
        let made = try query(filter: filter, search: search)
        #expect(made.words == words)
        #expect(made.filter.tag == tag)
        #expect(!made.hasSnippets)
        #expect((made.arrangement.sorting == .relevance) == (search != nil))
    }

    @Test("keeps its order and its filters under a filter that is typed")
    func kept() throws {
        let asked = Query(filter: Filter(tag: "x", isUnread: true), arrangement: Arrangement(sorting: .title))
        let made = try query(filter: "since:2018", of: asked)
        #expect(made.arrangement == asked.arrangement)
        #expect(made.filter.tag == "x")
        #expect(made.filter.isUnread)
        #expect(made.filter.since != nil)
    }

    @Test("can't be made of a condition that is wrong", arguments: ["tag:", "since:yesterdaz", "in:nowhere"])
    func wrong(typed: String) {
        #expect(throws: LibraryError.self) { try query(filter: typed) }
        #expect(throws: LibraryError.self) { try query(search: typed) }
    }

    @Test("can't be made of what has no word to find", arguments: ["author:", "+++", "-swift"])
    func nothing(typed: String) {
        #expect(throws: UsageError.nothingToSearch(typed)) { try query(filter: typed) }
        #expect(throws: UsageError.nothingToSearch(typed)) { try query(search: typed) }
    }
}

@Suite("A mailbox") struct MailboxTests {
    @Test("gives what came meanwhile together, in its order")
    func together() async {
        let mailbox = Mailbox<Int>()
        mailbox.put([1])
        mailbox.put([])
        mailbox.put([2, 3])
        #expect(await mailbox.take() == [1, 2, 3])
    }

    @Test("waits for something to come, and loses nothing")
    func waiting() async {
        let mailbox = Mailbox<Int>()
        let count = 10_000
        let writers = (0..<4).map { writer in
            Task.detached { for number in 0..<count { mailbox.put([writer * count + number]) } }
        }
        var taken: [Int] = []
        while taken.count < 4 * count { taken += await mailbox.take() }
        #expect(taken.sorted() == Array(0..<4 * count))
        for writer in 0..<4 {
            let own = taken.filter { $0 / count == writer }
            #expect(own == own.sorted())
        }
        for writer in writers { await writer.value }
    }

    @Test("isn't opened for nothing")
    func nothing() async {
        let mailbox = Mailbox<Int>()
        let reader = Task { await mailbox.take() }
        mailbox.put([])
        mailbox.put([7])
        #expect(await reader.value == [7])
    }
}
