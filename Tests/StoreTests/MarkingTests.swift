import BlogModel
import BlogStore
import BlogTestSupport
import Foundation
import Testing

@Suite("Marks") struct MarkingTests {
    private let store: PostStore

    init() async throws {
        store = try PostStore()
        try await store.list((1...4).map { try sample(id: "\($0)", author: $0 == 4 ? "Kim" : "Lee") })
    }

    private func unread() async throws -> [String] { try await store.ids(Query(filter: Filter(isUnread: true))) }
    private func saved() async throws -> [String] { try await store.ids(Query(filter: Filter(isSaved: true))) }

    @Test("change what a list shows, and report how many posts changed")
    func marking() async throws {
        #expect(try await unread() == ["1", "2", "3", "4"])
        let report = try await store.mark(.read, ids: .one("1", "3", "1", "x"))
        #expect(report.changed == 2)
        #expect(report.unknownIDs == .one("x"))
        #expect(try await store.mark(.read, ids: .one("1")).changed == 0)
        #expect(try await unread() == ["2", "4"])
        _ = try await store.mark(.unread, ids: .one("3"))
        #expect(try await unread() == ["2", "3", "4"])
        _ = try await store.mark(.saved, ids: .one("4"))
        #expect(try await saved() == ["4"])
        #expect(try await store.posts(Query(filter: Filter(isSaved: true))).first?.state == PostState(isSaved: true))
        _ = try await store.mark(.unsaved, ids: .one("4"))
        #expect(try await saved() == [])
    }

    @Test("can be given to all posts that match a filter")
    func all() async throws {
        let scope = SourceScope(try await store.read { try Sources($0).all() })
        #expect(try await store.mark(.read, all: Query(filter: Filter(author: "lee")), in: scope).changed == 3)
        #expect(try await unread() == ["4"])
        #expect(try await store.mark(.unread, all: Query(), in: scope).changed == 3)
    }

    @Test("are undone one command at a time, and only what it changed")
    func undo() async throws {
        _ = try await store.mark(.read, ids: .one("1"))
        _ = try await store.mark(.read, ids: .one("1", "2"))
        _ = try await store.mark(.read, ids: .one("2"))
        #expect(try await Marks.last(10, in: store).map(\.changed) == [1, 1])
        let undone = try await store.undoMarking()
        #expect(undone?.mark == .unread && undone?.changed == 1 && undone?.titles.count == 1)
        #expect(try await unread() == ["2", "3", "4"])
        _ = try await store.undoMarking()
        #expect(try await unread() == ["1", "2", "3", "4"])
        #expect(try await store.undoMarking() == nil)
    }

    @Test("of many posts let others in between, and what was marked before an interruption can be undone")
    func many() async throws {
        let count = 12_000
        let store = try PostStore()
        try await store.list((1...count).map { try sample(id: "\($0)") })
        let scope = SourceScope(try await store.read { try Sources($0).all() })
        func unread() async throws -> Int { try await store.ids(Query(filter: Filter(isUnread: true))).count }
        let marking = Task { try await store.mark(.read, all: Query(), in: scope) }
        var first: Int?
        while first == nil { first = try await Marks.last(1, in: store).first?.changed }
        marking.cancel()
        #expect(first ?? count < count)
        _ = await marking.result
        let left = try await unread()
        #expect(try await store.undoMarking()?.changed == count - left)
        #expect(try await unread() == count)
        #expect(try await store.mark(.read, all: Query(), in: scope).changed == count)
        #expect(try await Marks.last(10, in: store).map(\.changed) == [count])
        #expect(try await store.undoMarking()?.changed == count)
        #expect(try await unread() == count)
    }

    @Test("can be undone up to a hundred times")
    func remembered() async throws {
        for number in 0..<120 { _ = try await store.mark(number % 2 == 0 ? .read : .unread, ids: .one("1")) }
        #expect(try await Marks.last(1000, in: store).count == 100)
        #expect(try await Marks.last(3, in: store).map(\.mark) == [.unread, .read, .unread])
        #expect(try await Marks.last(1, in: store).first?.titles == ["A Title"])
        var undone = 0
        while try await store.undoMarking() != nil { undone += 1 }
        #expect(undone == 100)
        #expect(try await unread() == ["1", "2", "3", "4"])
    }

    @Test("made by reading can be undone like others")
    func reading() async throws {
        _ = try await store.mark(.saved, ids: .one("1"))
        _ = try await store.mark(.read, ids: .one("1"))
        try await store.noteReading(of: .one("1", "2"))
        #expect(try await unread() == ["3", "4"])
        #expect(try await store.undoMarking()?.changed == 1)
        #expect(try await unread() == ["2", "3", "4"])
        #expect(try await store.undoMarking()?.mark == .unread)
        #expect(try await store.undoMarking()?.mark == .unsaved)
    }

    @Test("made by reading determine the post read last")
    func lastRead() async throws {
        #expect(try await store.read { try Marks($0).lastRead() } == nil)
        _ = try await store.mark(.read, ids: .one("3"))
        #expect(try await store.read { try Marks($0).lastRead() } == nil)
        try await store.noteReading(of: .one("1", "2", "x"))
        #expect(try await store.read { try Marks($0).lastRead() } == PostID(source: .one, local: "2"))
        _ = try await store.mark(.unread, ids: .one("2"))
        _ = try await store.undoMarking()
        #expect(try await store.read { try Marks($0).lastRead() } == PostID(source: .one, local: "2"))
        try await store.noteReading(of: .one("1"))
        #expect(try await store.read { try Marks($0).lastRead() } == PostID(source: .one, local: "1"))
    }

    @Test("stay when a post changes, leaves the list or comes back")
    func survival() async throws {
        _ = try await store.mark(.saved, ids: .one("1"))
        _ = try await store.mark(.read, ids: .one("1"))
        try await store.list([])
        #expect(try await saved() == ["1"])
        try await store.list([sample(id: "1", title: "Changed")])
        #expect(try await store.posts().map(\.state) == [PostState(isRead: true, isSaved: true)])
    }

    @Test("include cursors, which list what is new since they were moved")
    func cursors() async throws {
        let blog = try await store.scope()
        #expect(try await store.ids(Query(newFor: "")).count == 4)
        let last = try await store.openList(Query(newFor: ""), in: blog).lastSeen
        try await store.list((1...6).map { try sample(id: "\($0)") })
        try await store.writeToDisk { try Cursors($0).move("", in: blog, to: last) }
        #expect(try await store.ids(Query(newFor: "")) == ["5", "6"])
        #expect(try await store.ids(Query(newFor: "other")).count == 6)
        try await store.writeToDisk { try Cursors($0).move("", in: blog, to: LastSeen(post: 0, change: 0)) }
        #expect(try await store.ids(Query(newFor: "")) == ["5", "6"])
    }

    @Test("keep the place where a post was left, which another write replaces")
    func place() async throws {
        let store = try PostStore()
        try await store.list([sample(id: "1"), sample(id: "2")], of: .one)
        let (post, other) = (PostID(source: .one, local: "1"), PostID(source: .one, local: "2"))
        for letters in [120, 3, nil] {
            try await store.write { try Marks($0).note(lettersRead: letters, of: post) }
            #expect(try await store.read { try Marks($0).lettersRead(of: post) } == letters)
            #expect(try await store.read { try Marks($0).lettersRead(of: other) } == nil)
        }
    }
}
