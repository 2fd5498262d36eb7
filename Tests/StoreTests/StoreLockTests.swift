import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

/// Another process that tries to write whenever the text of a body is extracted.
private enum OtherWriter {
    static let state = Mutex<(path: String, calls: Int, refusals: Int)>(("", 0, 0))

    static func tryToWrite() {
        state.withLock { state in
            state.calls += 1
            do {
                let database = try Database(path: state.path, mode: .readWrite)
                database.setBusyTimeout(milliseconds: 0)
                try database.transaction { try database.run("UPDATE sources SET folder = folder") }
            } catch {
                state.refusals += 1
            }
        }
    }
}

extension PostStore {
    fileprivate func watchTexts() throws {
        try connection.database.define("shown_text", arguments: 2) { context, _, arguments in
            if textArgument(0, of: arguments) != nil { OtherWriter.tryToWrite() }
            setResult(context, arguments) { $0 }
        }
    }
}

@Suite("Concurrent use of a store", .serialized) struct StoreLockTests {
    @Test("lets others write while text is extracted for a search, a change or a deletion")
    func writes() async throws {
        let folder = try TemporaryFolder()
        let store = try PostStore(path: folder.path("s"))
        OtherWriter.state.withLock { $0 = (folder.path("s"), 0, 0) }
        try await store.watchTexts()
        func calls() -> Int { OtherWriter.state.withLock { $0.calls } }

        try await store.feed((1...5).map { .item("g\($0)", day: 1, body: "<p>first \($0)") }, on: 1)
        while try await store.indexMore() > 0 {}
        #expect(calls() == 5)
        // Storing extracts no text at all.
        try await store.feed((1...5).map { .item("g\($0)", day: 1, body: "<p>second \($0)") }, on: 2)
        try await store.write {
            try Bodies($0).save([("1", FetchedBody(text: "<p>third", format: .html, fetchedAt: .day(3)))], of: .feed)
        }
        try await store.writeToDisk {
            try Bodies($0).save([("2", FetchedBody(text: "<p>third", format: .html, fetchedAt: .day(3)))], of: .feed)
        }
        #expect(calls() == 5)
        while try await store.indexIfFree() > 0 {}
        #expect(calls() == 15)
        try await store.feed([.item("g5", day: 1, body: "<p>second 5")], on: 4)
        #expect(try await store.prune(olderThan: 30, on: 100) == PruneCounts(posts: 4))
        #expect(calls() == 19)
        #expect(OtherWriter.state.withLock { $0.refusals } == 0)
        #expect(try await store.ids(Query(words: "second"), of: .feed) == ["5"])
        #expect(try await store.ids(Query(words: "first"), of: .feed) == [])
    }

    @Test("lists posts while another process writes, and reports that marks can't be stored")
    func marks() async throws {
        let folder = try TemporaryFolder()
        let store = try PostStore(path: folder.path("s"), busyTimeout: 50)
        try await store.list((1...300).map { try sample(id: String($0)) })
        func ids(_ filter: Filter) async throws -> [String] {
            try await store.opened(Query(filter: filter)).reduce(into: []) { $0.append($1.metadata.id) }
        }
        let other = try Database(path: folder.path("s"), mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE; UPDATE posts SET is_read = 1")
        #expect(try await ids(Filter(isUnread: true)).count == 300)
        await #expect(throws: StoreError(path: folder.path("s"), reason: .busy)) {
            try await store.mark(.saved, ids: .one("1"))
        }
        // What was read is a mark, too.
        await #expect(throws: StoreError(path: folder.path("s"), reason: .busy)) {
            try await store.noteReading(of: [.one("1")])
        }
        try other.execute("COMMIT")
        #expect(try await ids(Filter(isUnread: true)).isEmpty)
        _ = try await store.mark(.saved, ids: .one("1"))
        #expect(try await ids(Filter(isSaved: true)) == ["1"])
    }

    @Test("reads posts while a mark waits for another process")
    func reading() async throws {
        let folder = try TemporaryFolder()
        // If reading had to wait for the mark, neither would end before this.
        let store = try PostStore(path: folder.path("s"), busyTimeout: 120_000)
        try await store.list([sample(id: "1")])
        let other = try Database(path: folder.path("s"), mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let mark = await store.startMarking("1")
        #expect(try await store.opened().reduce(into: 0) { count, _ in count += 1 } == 1)
        try other.execute("ROLLBACK")
        try await mark.value
        #expect(try await store.ids(Query(filter: Filter(isSaved: true))) == ["1"])
    }

    @Test("indexes the latest text of posts that change meanwhile")
    func changes() async throws {
        let folder = try TemporaryFolder()
        let (store, other) = (try PostStore(path: folder.path("s")), try PostStore(path: folder.path("s")))
        try await store.list((1...4).map { try sample(id: String($0), title: "One") })
        let batch = try await store.preparedIndexing()
        #expect(batch.changes.count == 4)
        try await other.list([
            sample(id: "1", title: "One"), sample(id: "2", title: "Two"), sample(id: "4", title: "One"),
        ])
        #expect(try await store.apply(batch) == 1)
        // Each of them indexes what the other has prepared, too.
        let (mine, theirs) = (try await store.preparedIndexing(), try await other.preparedIndexing())
        #expect(try await other.apply(theirs) == 3)
        #expect(try await store.apply(mine) == 0)
        #expect(try await store.ids(Query(words: "two")) == ["2"])
        #expect(try await store.ids(Query(words: "one")).sorted() == ["1", "3", "4"])

        try await store.list([sample(id: "1", title: "Three")])
        let outdated = try await store.preparedIndexing()
        try await other.list([sample(id: "1", title: "Four")])
        #expect(try await store.apply(outdated) == 0)
        #expect(try await store.ids(Query(words: "four")) == ["1"])
        #expect(try await store.ids(Query(words: "three OR one")).sorted() == ["3", "4"])
        #expect(try await store.check() == [])
    }
}

extension PostStore {
    /// Starts to save a post, before whatever the caller asks next.
    fileprivate func startMarking(_ id: String) -> Task<Void, any Error> {
        Task { _ = try await mark(.saved, ids: .one(id)) }
    }

    fileprivate func preparedIndexing() throws -> SearchBatch {
        try SearchIndex(connection.database).prepare(.max)
    }

    fileprivate func apply(_ batch: SearchBatch) throws -> Int {
        let database = connection.database
        return try database.transaction { try SearchIndex(database).apply(batch) }
    }
}
