import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogModel
@testable import BlogStore

@Suite("The store's file", .serialized) struct StoreFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("data/blog/blog.sqlite3")
    }

    private func fill() async throws { try await PostStore(path: path).list([sample()]) }

    @Test("is created with its folder, readable by its owner only")
    func permissions() async throws {
        try await fill()
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(path) == 0o600)
        #expect(try mode(folder.path("data/blog")) == 0o700)
    }

    @Test("is readable by its owner only where a link leads nowhere yet, or where an empty file is")
    func permissionsOfOthers() async throws {
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("target"))
        let empty = folder.path("empty")
        try #require(
            FileManager.default.createFile(atPath: empty, contents: nil, attributes: [.posixPermissions: 0o644]))
        for path in [link, empty] { try await PostStore(path: path).list([sample()]) }
        for path in [folder.path("target"), empty] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path)")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: empty)
        _ = try PostStore(path: empty)
        #expect(try FileManager.default.attributesOfItem(atPath: empty)[.posixPermissions] as? Int == 0o640)
    }

    @Test("keeps what is stored")
    func keeps() async throws {
        try await fill()
        #expect(try await PostStore(path: path).read { try Posts($0).metadata("1", of: .one) } == sample())
    }

    @Test(
        "is rejected and left unchanged if it isn't a database",
        arguments: ["garbage that is no database", "SQLite format 3\0garbage"])
    func garbage(content: String) async throws {
        try await fill()
        let bytes = Data((content + String(repeating: "x", count: 5000)).utf8)
        try bytes.write(to: URL(filePath: path))
        for side in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + side) }
        #expect(throws: StoreError(path: path, reason: .notADatabase)) { try PostStore(path: path) }
        #expect(FileManager.default.contents(atPath: path) == bytes)
    }

    @Test("is reported as unreadable in a folder without permissions", .enabled(if: geteuid() != 0))
    func hidden() async throws {
        try await fill()
        let data = folder.path("data/blog")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: data)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: data) }
        let error = #expect(throws: StoreError.self) { try PostStore(path: path) }
        #expect(error?.reason == .unreadable(String(cString: strerror(EACCES))))
    }

    @Test("is rejected and left unchanged if a newer version wrote it")
    func newer() async throws {
        try await fill()
        try Database(path: path, mode: .readWrite).execute("PRAGMA user_version = 99")
        let error = #expect(throws: StoreError.self) { try PostStore(path: path) }
        #expect(error?.reason == .newer(found: 99, known: Schema.version))
        let version = try Database(path: path, mode: .readWrite).first("PRAGMA user_version") { $0.integer(0) }
        #expect(version == 99)
    }

    /// What is done with a store that is open.
    static let uses: [(name: String, use: @Sendable (PostStore) async throws -> Void)] = [
        ("mark", { _ = try await $0.mark(.saved, ids: .one("1")) }),
        ("store a list", { try await $0.list([sample(id: "2")]) }),
        ("store a body", { try await $0.store("a body", of: "1") }),
        ("unfollow", { try await $0.writeToDisk { try Sources($0).unfollow(.one) } }),
        ("read a list", { _ = try await $0.openList(Query(), in: SourceScope([StoredSource]())) }),
        ("read a table that is gone", { _ = try await $0.read { try Cursors($0).names() } }),
        ("take a snapshot", { _ = try await $0.snapshot() }), ("look for changes", { _ = try await $0.version() }),
        ("vacuum", { try await $0.vacuum() }),
    ]

    @Test("can't be used any more, and stays as it is, once a newer version has changed it", arguments: uses)
    func migrated(name: String, use: @Sendable (PostStore) async throws -> Void) async throws {
        let store = try PostStore(path: path)
        try await store.list([sample()])
        let newer = try Database(path: path, mode: .readWrite)
        try newer.execute("DROP TABLE cursors; PRAGMA user_version = 99")
        let before = try newer.integer("PRAGMA data_version")
        await #expect(throws: StoreError(path: path, reason: .migrated), "\(name)") { try await use(store) }
        #expect(try newer.integer("PRAGMA data_version") == before)
        #expect(try newer.integer("SELECT sum(is_saved) FROM posts") == 0)
        // The lock is free.
        newer.setBusyTimeout(milliseconds: 0)
        try newer.transaction { try newer.run("DELETE FROM posts") }
    }

    /// The application IDs and versions of stores that are no longer read.
    static let earlier = [
        (Schema.unreleasedID, 1), (Schema.unreleasedID, Schema.version), (Schema.applicationID, 1),
        (Schema.applicationID, 4), (Schema.applicationID, 11),
    ]

    @Test("is rejected and left unchanged, with its log, if an earlier build wrote it", arguments: earlier)
    func unreleased(id: Int64, version: Int64) async throws {
        let store = try PostStore(path: path)
        try await store.list([sample()])
        try Database(path: path, mode: .readWrite).execute(
            "PRAGMA application_id = \(id); PRAGMA user_version = \(version)")
        // As long as the store is open, these changes are in its log only.
        let copy = folder.path("copy.sqlite3")
        func contents(_ path: String) -> [Data?] {
            ["", "-wal"].map { FileManager.default.contents(atPath: path + $0) }
        }
        for side in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + side, toPath: copy + side) }
        let before = contents(copy)
        #expect(before[1]?.isEmpty == false)
        let refusal = StoreError(path: copy, reason: .unreleased)
        #expect(throws: refusal) { try PostStore(path: copy) }
        #expect(throws: refusal) { try PostStore(path: copy, needsDisk: true) }
        #expect(throws: refusal) { try PostStore(reading: copy) }
        #expect(contents(copy) == before)
        withExtendedLifetime(store) {}
    }

    @Test("is rejected and left unchanged if it is another program's database")
    func foreign() throws {
        let path = folder.path("other.sqlite3")
        try Database(path: path, mode: .readWrite).execute("CREATE TABLE bookmarks (url TEXT)")
        let before = FileManager.default.contents(atPath: path)
        #expect(throws: StoreError(path: path, reason: .notAStore)) { try PostStore(path: path) }
        #expect(FileManager.default.contents(atPath: path) == before)
    }

    @Test("is replaced with memory if it can't be created, with a notice")
    func notWritable() async throws {
        let file = folder.path("file")
        try Data("x".utf8).write(to: URL(filePath: file))
        let store = try PostStore(path: file + "/blog.sqlite3")
        #expect(await store.notice == .notWritable)
        try await store.list([sample()])
        #expect(try await store.read { try Posts($0).metadata("1", of: .one) } == sample())
    }

    @Test("may be empty at first")
    func empty() async throws {
        let path = folder.path("empty.sqlite3")
        try Data().write(to: URL(filePath: path))
        #expect(await (try PostStore(path: path)).notice == nil)
    }

    @Test("is copied into memory with everything in it, and left unchanged")
    func copied() async throws {
        let store = try PostStore(path: path)
        try await store.list([try sample(id: "1"), try sample(id: "2")])
        try await store.store("a body", of: "1")
        let memory = try StoreFile.memory(copying: try Database(path: path, mode: .readWrite))
        func count(_ database: Database, _ table: String) throws -> Int64? {
            try database.first("SELECT count(*) FROM \(table)") { $0.integer(0) }
        }
        #expect(try count(memory, "posts") == 2)
        #expect(try count(memory, "bodies") == 1)
        try memory.execute("DELETE FROM posts WHERE id = '2'")
        #expect(try await store.ids() == ["1", "2"])
        #expect(try count(StoreFile.memory(), "posts") == 0)
    }

    @Test("can be opened read-only, whatever its name", arguments: ["a#b", "a?b=c", "a%23b", "a b&c"])
    func readOnly(name: String) async throws {
        let path = folder.path("data/\(name).sqlite3")
        try await PostStore(path: path).list([sample()])
        #expect(try await PostStore(reading: path).read { try Sources($0).all() }.count == 1)
    }

    @Test("is shared by two stores that write in turn")
    func shared() async throws {
        let (one, two) = (try PostStore(path: path), try PostStore(path: path))
        for number in 1...20 {
            let store = number.isMultiple(of: 2) ? one : two
            try await store.write { try Posts($0).save(try sample(id: String(number)), of: .one, at: Date()) }
        }
        #expect(try await one.read { try Posts($0).metadata("19", of: .one) } != nil)
        #expect(try await two.read { try Posts($0).metadata("20", of: .one) } != nil)
    }

    @Test("is waited for while another process creates it")
    func waiting() throws {
        let path = folder.path("new.sqlite3")
        let other = try Database(path: path, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let start = ContinuousClock.now
        #expect(throws: StoreError(path: path, reason: .busy)) { try PostStore(path: path, busyTimeout: 200) }
        #expect(start.duration(to: .now) >= .milliseconds(200))
        try other.execute("COMMIT")
        _ = try PostStore(path: path, busyTimeout: 200)
    }
}
