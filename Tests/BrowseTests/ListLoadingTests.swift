import BlogModel
import Foundation
import Testing
@testable import blog
@testable import BlogBrowse
@testable import BlogCommandLine
@testable import BlogLibrary
@testable import BlogStore

@Suite("A list's query in blog browse") struct ListLoadingTests {
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

    /// What is shown of a list requested with `--unread` or `--saved`, and the resulting conditions.
    static let shows: [(show: ListRequest.Show, requested: String, conditions: String)] = [
        (.asRequested, "", ""), (.asRequested, "unread", "unread"), (.asRequested, "saved", "saved"),
        (.all, "unread", ""),
        (.all, "saved", ""), (.unread, "", "unread"), (.unread, "saved", "unread"), (.saved, "unread", "saved"),
    ]

    @Test("replaces the requested filter with what the screen shows", arguments: shows)
    func show(show: ListRequest.Show, requested: String, conditions: String) throws {
        let filter = Filter(isUnread: requested == "unread", isSaved: requested == "saved")
        let made = try query(show, of: Query(filter: filter)).filter
        #expect((made.isUnread ? "unread" : "") + (made.isSaved ? "saved" : "") == conditions)
    }

    /// Texts that were typed, with the resulting words of the query.
    static let typed: [(filter: String, search: String?, words: String?)] = [
        ("", nil, nil), ("swift", nil, "swift"), ("tag:x since:2018", nil, "tag:x"), ("", "swift", "swift"),
        ("since:2018", "swift tag:x", "swift tag:x"), ("a OR b", "swift", "swift"), ("   ", nil, nil),
    ]

    @Test("has the typed words and conditions", arguments: typed)
    func words(filter: String, search: String?, words: String?) throws {
        let made = try query(filter: filter, search: search)
        #expect(made.words == words)
        #expect(made.within.map(\.text) == (search == "swift" && !filter.isEmpty ? [filter] : []))
        #expect(!made.hasSnippets)
        #expect((made.arrangement.sorting == .relevance) == (search != nil))
    }

    @Test("has a section of a ranking unless something is searched for", arguments: [nil, "swift"])
    func section(search: String?) throws {
        var ranked = Query(arrangement: Arrangement(sorting: .rank))
        ranked.section = "top"
        #expect(try query(search: search, of: ranked).section == (search == nil ? "top" : nil))
    }

    @Test("keeps its order and filters when a filter is typed")
    func kept() throws {
        let requested = Query(filter: Filter(tag: "x", isUnread: true), arrangement: Arrangement(sorting: .title))
        let made = try query(filter: "since:2018", of: requested)
        #expect(made.arrangement == requested.arrangement)
        #expect(made.filter.tag == "x")
        #expect(made.filter.isUnread)
        #expect(made.filter.since != nil)
    }

    @Test("is rejected for an invalid condition", arguments: ["tag:", "since:yesterdaz", "in:nowhere"])
    func wrong(typed: String) {
        #expect(throws: LibraryError.self) { try query(filter: typed) }
        #expect(throws: LibraryError.self) { try query(search: typed) }
    }

    @Test("is rejected without words to look for", arguments: ["author:", "+++", "-swift"])
    func nothing(typed: String) {
        #expect(throws: UsageError.nothingToSearch(typed)) { try query(filter: typed) }
        #expect(throws: UsageError.nothingToSearch(typed)) { try query(search: typed) }
    }
}

@Suite("A mailbox") struct MailboxTests {
    @Test("delivers everything that arrived meanwhile, in order")
    func together() async {
        let mailbox = Mailbox<Int>()
        mailbox.put([1])
        mailbox.put([])
        mailbox.put([2, 3])
        #expect(await mailbox.take() == [1, 2, 3])
    }

    @Test("waits for something to arrive, and loses nothing")
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

    @Test("isn't woken by an empty delivery")
    func nothing() async {
        let mailbox = Mailbox<Int>()
        let reader = Task { await mailbox.take() }
        mailbox.put([])
        mailbox.put([7])
        #expect(await reader.value == [7])
    }
}
