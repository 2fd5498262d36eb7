import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A store of an older version", .serialized) struct MigrationTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("blog.sqlite3") }

    init() throws { folder = try TemporaryFolder() }

    // MARK: One that commit 464239a1 wrote

    @Test("has all that its own version exported from it, to the byte", arguments: [false, true])
    func export(isReadOnly: Bool) async throws {
        try await OldStore.unpack(to: path)
        let store = isReadOnly ? try PostStore(reading: path) : try PostStore(path: path)
        let posts = try await ExportedPosts(of: store)
        var lines = posts.sources.map(ExportLine.text) + posts.rules.map(ExportLine.text)
        for try await post in posts { lines.append(ExportLine.text(post)) }
        let old = try await OldStore.exportedLines()
        #expect(lines.count == 217 && old.count == 217)
        for (line, old) in zip(lines, old) {
            // It didn't export the addresses of a service's feeds.
            let line = line.replacing(#/,"feed":"[^"]*"/#, with: "")
            if line != old + "\n" { Issue.record("\(line.prefix(300))") }
        }
        for (id, size) in OldStore.longBodies {
            let source = try await store.read { try Sources($0).find(named: "nerds") }
            let body = try await store.read { try Bodies($0).find(id, of: try #require(source).id) }
            #expect(try #require(body).text == OldStore.longBody(ofBytes: size), "\(id)")
        }
        #expect(await store.notice == (isReadOnly ? .notWritable : nil))
    }

    @Test("has the counts, labels, marks and cursors that its own version listed", arguments: [false, true])
    func facts(isReadOnly: Bool) async throws {
        try await OldStore.unpack(to: path)
        let store = isReadOnly ? try PostStore(reading: path) : try PostStore(path: path)
        let sources = try await store.read { try Sources($0).all() }.filter { $0.posts > 0 }
        #expect(
            sources.map { "\($0.name ?? "") \($0.unread) \($0.posts)" }.sorted() == [
                "fresh/blog-1 29 30", "fresh/blog-2 30 30", "fresh/blog-3 30 30", "fresh/blog-4 30 30", "hn 29 30",
                "lantern 3 3", "nerds 16 17", "pages 0 1", "pics 11 12", "tide 3 4",
            ])
        let facts = try await store.facts()
        #expect(facts.posts == 188 && facts.comments == 15 && facts.bodies == 192 && facts.articles == 3)
        #expect(
            try await store.labels(in: SourceScope(store.read { try Sources($0).all() })).map {
                "\($0.label) \($0.posts)"
            } == ["later 4", "r & d 1", "weg 3"])
        #expect(try await store.read { try Cursors($0).names() } == ["me"])
        #expect(try await Marks.last(10, in: store).map(\.changed) == [1, 1, 1, 3, 1, 3, 2, 3, 1, 1])
        let service = try #require(try await store.read { try Sources($0).find(named: "fresh") })
        let settled = try await store.settleRules()
        #expect(
            try await store.read { try MarkQueue($0).unsent(of: service.key, settled) }.map {
                "\($0.item) \($0.mark.text)"
            }
            .sorted() == [
                "000661454516701c labelled later", "000661454516701d saved", "000661454516701e read",
            ])
    }

    @Test("can be searched as before, also beyond the part of a long body that was indexed")
    func search() async throws {
        try await OldStore.unpack(to: path)
        let reading = try PostStore(reading: path)
        let nerds = try #require(try await reading.read { try Sources($0).find(named: "nerds") })
        func ids(_ words: String, in store: PostStore) async throws -> [String] {
            let list = try await store.openList(Query(words: words), in: SourceScope([nerds]))
            return try await store.nextBatch(list.number).map(\.metadata.id).sorted()
        }
        #expect(try await ids("\"teil 1\"", in: reading) == ["101", "102", "103"])
        #expect(try await ids("\"teil 60\"", in: reading) == ["103"])
        #expect(try await ids("\"teil 100\"", in: reading) == [])
        let store = try PostStore(path: path)
        let facts = try await store.facts()
        #expect(try await store.read { try SearchIndex($0).pending() } == facts.posts + facts.comments)
        #expect(try await ids("\"teil 100\"", in: store) == ["103"])
        #expect(try await store.check() == [])
    }

    @Test("is indexed again, with the signs of words")
    func signs() async throws {
        let earlier = try PostStore(path: path)
        try await earlier.list([try sample(id: "1", title: "C"), try sample(id: "2", title: "C++")])
        try await earlier.downgrade(to: 16) { database in
            try database.execute(
                """
                INSERT INTO search (search) VALUES ('delete-all');
                INSERT INTO search (rowid, title) SELECT key, title FROM posts;
                UPDATE search_progress SET last_post = 2;
                """)
        }
        let store = try PostStore(path: path)
        #expect(try await store.ids(Query(words: "title:c++")) == ["2"])
        #expect(try await store.check() == [])
    }

    // MARK: Made-up ones

    /// Bodies, of which those with more than 128 KiB were stored in parts.
    static let bodies: [String: String] = [
        "empty": "", "short": "A short body.", "row": String(repeating: "abcd efg ", count: 14_563) + "12345",
        "parts": String(repeating: "x", count: 131_072) + "y", "three": String(repeating: "Straße – 🎉 ", count: 20_000),
    ]

    /// Makes a store with ``bodies`` as an older version would have it.
    private func fill(_ version: Int64, at path: String? = nil) async throws {
        let store = try PostStore(path: path ?? self.path)
        try await store.list(Self.bodies.keys.sorted().map { try sample(id: $0) })
        for (id, body) in Self.bodies { try await store.store(body, of: id) }
        try await store.downgrade(to: version)
    }

    @Test("keeps apart which hosts don't respond and which want to be left alone", arguments: [12, 13, 14])
    func silences(version: Int64) async throws {
        let (now, earlier) = (Date(timeIntervalSince1970: 1e9), try PostStore(path: path))
        await earlier.remember(wait: now, of: "busy.example:443")
        await earlier.remember(silence: now + 60, of: "silent.example:443")
        try await earlier.downgrade(to: version)
        #expect(await (try PostStore(reading: path)).hosts().silences == ["silent.example:443": now + 60])
        let hosts = try await PostStore(path: path).hosts()
        #expect(hosts.waits == ["busy.example:443": now])
        #expect(hosts.silences == ["silent.example:443": now + 60])
    }

    private func expectBodies(in store: PostStore) async throws {
        for (id, text) in Self.bodies {
            let body = try await store.read { try Bodies($0).find(id, of: .one) }
            #expect(body?.text == text, "\(id)")
        }
    }

    @Test("is migrated with its bodies, to the byte, and with an index that fits", arguments: [12, 13])
    func bodies(version: Int64) async throws {
        try await fill(version)
        let store = try PostStore(path: path)
        try await expectBodies(in: store)
        #expect(try await store.read { try SearchIndex($0).pending() } == Self.bodies.count)
        #expect(try await store.ids(Query(words: "strasse")) == ["three"])
        #expect(try await store.check() == [])
        try await store.store("another body", of: "three")
        try await store.store("", of: "parts")
        #expect(try await store.check() == [])
        #expect(try await store.ids(Query(words: "strasse")) == [])
        #expect(try await PostStore(path: path).ids().count == Self.bodies.count)
    }

    @Test("can be listed, read and searched where it can't be written, and stays as it is", arguments: [12, 13])
    func reading(version: Int64) async throws {
        try await fill(version)
        let before = FileManager.default.contents(atPath: path)
        let store = try PostStore(reading: path)
        try await expectBodies(in: store)
        let posts = try await store.opened().reduce(into: []) { $0.append($1.metadata.id) }
        #expect(posts.sorted() == Self.bodies.keys.sorted())
        let found = try await store.opened(Query(words: "strasse")).reduce(into: []) { $0.append($1) }
        #expect(found.map(\.metadata.id) == ["three"])
        #expect(found.first?.snippet?.marked("[", "]").hasPrefix("[Straße] – 🎉") == true)
        let snapshot = try await store.snapshot()
        try await expectBodies(in: snapshot)
        #expect(try await store.exported().count == Self.bodies.count)
        #expect(FileManager.default.contents(atPath: path) == before)
        let memory = try StoreFile.memory(copying: Database(path: path, mode: .readOnly))
        let lengths = try memory.all("SELECT length(CAST(body AS BLOB)) FROM bodies") { Int($0.integer(0)) }
        #expect(lengths.sorted() == Self.bodies.values.map(\.utf8.count).sorted())
    }

    @Test("keeps the text of a changed post that is still in the index")
    func outdated() async throws {
        let store = try PostStore(path: path)
        try await store.list([try sample()])
        try await store.store(Self.bodies["three"] ?? "", of: "1")
        try await store.downgrade(to: 13) { database in
            try SearchIndex(database).noteChange(of: 1)
            try database.run("UPDATE body_parts SET text = 'other words. ' WHERE place = 0")
        }
        let migrated = try PostStore(path: path)
        #expect(try await migrated.read { try SearchIndex($0).pending() } == 1)
        #expect(try await migrated.check() == [])
        #expect(try await migrated.ids(Query(words: "\"other words\"")) == ["1"])
    }

    // MARK: The copy

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("leaves a copy of itself once, as it was, which only its owner can read", arguments: [12, 13])
    func copy(version: Int64) async throws {
        try await fill(version)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let copy = path + ".version-\(version)"
        #expect(try PostStore(path: path).copyOfOldVersion == copy)
        #expect(try PostStore(path: path).copyOfOldVersion == nil)
        #expect(try mode(copy) == 0o600)
        let store = try PostStore(reading: copy)
        #expect(try await store.facts().schemaVersion == Int(version))
        try await expectBodies(in: store)
        // It can be used as the store.
        try FileManager.default.copyItem(atPath: copy, toPath: folder.path("again"))
        try await expectBodies(in: PostStore(path: folder.path("again")))
    }

    @Test("never replaces a copy or another file")
    func otherFiles() async throws {
        try await fill(13)
        let copy = path + ".version-13"
        try Data("mine".utf8).write(to: URL(filePath: copy))
        #expect(try PostStore(path: path).copyOfOldVersion == copy + "-2")
        #expect(FileManager.default.contents(atPath: copy) == Data("mine".utf8))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).contains { $0.hasSuffix(".part") }
                == false)
    }

    @Test("is migrated also where no copy can be made")
    func withoutCopy() async throws {
        try await fill(13)
        try FileManager.default.createDirectory(atPath: path + ".version-13.part", withIntermediateDirectories: false)
        let store = try PostStore(path: path)
        #expect(store.copyOfOldVersion == nil)
        try await expectBodies(in: store)
        #expect(!FileManager.default.fileExists(atPath: path + ".version-13"))
    }

    @Test("leaves no copy if it has no long bodies")
    func noLongBodies() async throws {
        let store = try PostStore(path: path)
        try await store.list([try sample()])
        try await store.store("A short body.", of: "1")
        try await store.downgrade(to: 13)
        let migrated = try PostStore(path: path)
        #expect(migrated.copyOfOldVersion == nil)
        #expect(try await migrated.read { try Bodies($0).find("1", of: .one) }?.text == "A short body.")
        #expect(!FileManager.default.fileExists(atPath: path + ".version-13"))
    }

    @Test("is refused and stays as it is if a body is too long for SQLite", arguments: [300_000, 1_400_000])
    func tooLong(limit: Int32) async throws {
        try await fill(13)
        let database = try Database(path: path, mode: .readWrite)
        // A limit of this connection, in place of SQLite's own, which no test can reach.
        database.limit(valueBytes: limit, steps: 0)
        var copies = 0
        if limit < 1 << 20 {
            #expect(throws: StoreError.Reason.unreleased) { try Schema.create(in: database) { _ in copies += 1 } }
        } else {
            try Schema.create(in: database) { _ in copies += 1 }
        }
        #expect(copies == (limit < 1 << 20 ? 0 : 1))
        #expect(try database.integer("PRAGMA user_version") == (limit < 1 << 20 ? 13 : Schema.version))
    }
}
