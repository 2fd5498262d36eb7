import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel
@testable import BlogStore

@Suite("Marks of a service, here and at its server") struct ServiceMarkTests {
    private static let feed = SourceID(
        kind: "subscription", address: "https://rss.example/reader/api/0/stream/contents/feed%2F1")
    private let store: PostStore
    private let service: Int64
    private static let items = ["0000000000000001", "0000000000000002", "0000000000000003", "abc"]

    init() async throws {
        let store = try PostStore()
        let id = SourceID(kind: "service", address: "https://rss.example")
        let feed = ServiceFeed(
            id: Self.feed, address: "https://a.example/feed", title: "A", folder: "", site: "https://a.example")
        let key = try await store.write { try SourceRow.key(of: id, in: $0) }
        try await store.writeToDisk { database in
            let items = ServiceItems(database, service: key)
            try items.save([feed], at: Date()) { _, _ in "home/a" }
            let entries = try Self.items.map { try Self.entry($0, title: $0, link: "https://a.example/\($0)") }
            _ = try items.save(entries, of: Self.items, at: Date())
        }
        (self.store, service) = (store, key)
    }

    private static func entry(_ item: String, title: String, link: String) throws -> ServiceEntry {
        ServiceEntry(
            Entry(
                try sample(id: "", title: title, postId: item, link: link), numbering: Entry.Numbering(hasDate: true)),
            of: feed, isRead: false, isStarred: false, labels: [])
    }

    private func mark(_ mark: Mark, _ items: some Sequence<String>) async throws {
        _ = try await store.mark(
            mark,
            ids: items.compactMap { item in
                Self.items.firstIndex(of: item).map { PostID(source: Self.feed, local: String($0 + 1)) }
            })
    }

    /// Sends the queue to a server that takes it.
    private func push() async throws -> [QueuedMark] {
        let settled = try await store.settleRules()
        let queue = try await store.read { try MarkQueue($0).unsent(of: service, settled) }
        try await store.writeToDisk { try MarkQueue($0).noteSent(queue, to: service) }
        return queue
    }

    private func pull(
        unread: ServiceSet = ServiceSet(ItemIDs(items), isWhole: true), starred: ServiceSet = .unknown,
        labels: [String: ServiceSet]? = [:], existing: Set<String> = Set(items), deleted: Set<String> = [],
        contents: [String: Set<Mark>] = [:], isUnanswered: Bool = false
    ) async throws {
        let marks = ServiceMarks(unread: unread, starred: starred, labels: labels)
        var found = MarkReconciliation.FoundItems()
        (found.existing, found.deleted) = (existing, deleted)
        (found.marks, found.isUnanswered) = (contents, isUnanswered)
        try await store.writeToDisk { [found] in
            let pull = try MarkQueue($0).beginPull(of: service)
            _ = try MarkReconciliation(marks, of: service, in: $0).apply(found: found, pull: pull)
        }
    }

    private func items(with condition: String) async throws -> [String] {
        try await store.read { try $0.texts("SELECT post_id FROM posts WHERE \(condition) ORDER BY post_id") }
    }

    @Test("aren't taken back by a set that isn't whole, or by a whole one for an item that the server hasn't")
    func halfSet() async throws {
        try await mark(.saved, Self.items)
        _ = try await push()
        try await pull(starred: ServiceSet(ItemIDs(Self.items), isWhole: true))
        try await pull(starred: ServiceSet(ItemIDs(["abc"]), isWhole: false))
        #expect(try await items(with: "1") == Self.items)
        #expect(try await items(with: "is_saved") == Self.items)
        try await pull(starred: ServiceSet(ItemIDs(["abc"]), isWhole: true), existing: ["0000000000000001"])
        #expect(try await items(with: "is_saved") == Array(Self.items.dropFirst()))
    }

    @Test("of a label in two spellings aren't taken back if one of their sets isn't whole")
    func joinedSets() async throws {
        try await mark(.labelled("news"), Self.items)
        _ = try await push()
        try await pull(labels: ["news": ServiceSet(ItemIDs(Self.items), isWhole: true)])
        let joined = ServiceSet(ItemIDs(["abc"]), isWhole: true).joined(with: .unknown)
        #expect(!joined.isWhole && !ServiceSet.unknown.joined(with: ServiceSet(ItemIDs(), isWhole: true)).isWhole)
        try await pull(labels: ["news": joined])
        #expect(try await items(with: "labels NOT NULL").count == 4)
    }

    @Test("that are changed again while they are on their way are sent again, and stay")
    func changedAgain() async throws {
        try await mark(.read, ["abc"])
        let sent = try await push()
        try await mark(.unread, ["abc"])
        #expect(try await push().map(\.mark) == [.unread])
        // The server says what it was told first.
        try await store.writeToDisk { try MarkQueue($0).noteSent(sent, to: service) }
        try await pull(unread: ServiceSet(ItemIDs(Self.items.dropLast()), isWhole: true))
        #expect(try await items(with: "is_read") == [])
        #expect(try await push().map(\.mark) == [.unread])
    }

    @Test("wait until the server shows them, and are those of the server from then on")
    func confirmed() async throws {
        try await mark(.saved, ["abc"])
        #expect(try await push().count == 1)
        try await pull(starred: ServiceSet(ItemIDs(), isWhole: true))
        #expect(try await items(with: "is_saved") == ["abc"])
        #expect(try await push().count == 1)
        try await pull(starred: ServiceSet(ItemIDs(["abc"]), isWhole: true))
        #expect(try await push().isEmpty)
        try await pull(starred: ServiceSet(ItemIDs(), isWhole: true))
        #expect(try await items(with: "is_saved") == [])
    }

    @Test("that were sent in a sync which didn't end stay and are told again, but for those that take something back")
    func sentBefore() async throws {
        try await mark(.saved, ["abc", "0000000000000001"])
        _ = try await push()
        try await store.writeToDisk { try MarkQueue($0).beginSync(of: service) }
        // Of the second one it hasn't the item.
        try await pull(starred: ServiceSet(ItemIDs(), isWhole: true), existing: ["abc"])
        #expect(try await items(with: "is_saved") == ["0000000000000001", "abc"])
        #expect(try await push().map(\.item) == ["abc"])
        let all = ServiceSet(ItemIDs(Self.items), isWhole: true)
        try await pull(starred: all)
        #expect(try await push().isEmpty)
        try await mark(.unsaved, ["abc"])
        _ = try await push()
        try await store.writeToDisk { try MarkQueue($0).beginSync(of: service) }
        try await pull(starred: all)
        #expect(try await items(with: "is_saved").contains("abc"))
        #expect(try await push().isEmpty)
    }

    @Test("stay, and are told, if a set names an item that the server had no more for long")
    func returnedNamed() async throws {
        try await mark(.saved, ["abc"])
        _ = try await push()
        try await pull(starred: ServiceSet(ItemIDs(["abc"]), isWhole: true))
        let (others, none) = (
            ServiceSet(ItemIDs(Self.items.dropLast()), isWhole: true), ServiceSet(ItemIDs(), isWhole: true)
        )
        for _ in 0..<4 {
            try await store.writeToDisk {
                try ServiceItems($0, service: service).note(deleted: ["abc"], at: Date())
            }
            try await pull(unread: others, starred: none, existing: Set(Self.items.dropLast()))
        }
        try await pull(starred: none, existing: [])
        #expect(try await items(with: "is_saved") == ["abc"])
        #expect(try await push().map(\.mark) == [.saved])
    }

    @Test("that are undone before a sync aren't told at all, nor their opposites")
    func undone() async throws {
        try await mark(.read, Self.items)
        try await mark(.labelled("later"), ["abc"])
        _ = try await store.undoMarking()
        _ = try await store.undoMarking()
        #expect(try await push().isEmpty)
        // What was said before stays said.
        try await mark(.saved, ["abc"])
        try await mark(.unsaved, ["abc"])
        try await mark(.saved, ["abc"])
        _ = try await store.undoMarking()
        #expect(try await push().map(\.mark) == [.unsaved])
    }

    @Test("that are undone after a request that may have arrived are taken back there")
    func undoneLater() async throws {
        try await mark(.read, ["abc"])
        try await store.writeToDisk { try MarkQueue($0).noteSending(of: service) }
        _ = try await store.undoMarking()
        #expect(try await push().map(\.mark) == [.unread])
        try await pull()
        try await mark(.saved, ["abc"])
        _ = try await push()
        try await pull(starred: ServiceSet(ItemIDs(["abc"]), isWhole: true))
        _ = try await store.undoMarking()
        #expect(try await push().map(\.mark) == [.unsaved])
    }

    @Test("aren't shown by what sets lack if the server hasn't the items, and are told once it has them again")
    func restored() async throws {
        try await mark(.saved, ["abc"])
        try await mark(.labelled("later"), ["abc"])
        _ = try await push()
        let before = ServiceSet(ItemIDs(["abc"]), isWhole: true)
        try await pull(starred: before, labels: ["later": before])
        try await mark(.read, ["abc"])
        try await mark(.unsaved, ["abc"])
        try await mark(.unlabelled("later"), ["abc"])
        _ = try await push()
        let (others, none) = (
            ServiceSet(ItemIDs(Self.items.dropLast()), isWhole: true), ServiceSet(ItemIDs(), isWhole: true)
        )
        try await pull(unread: others, starred: none, labels: ["later": none], deleted: ["abc"])
        try await pull(unread: others, starred: none, labels: ["later": none], existing: [])
        #expect(try await push().isEmpty)
        try await pull(starred: before, labels: ["later": before])
        #expect(try await items(with: "is_read AND NOT is_saved AND labels IS NULL") == ["abc"])
        #expect(Set(try await push().map(\.mark)) == [.read, .unsaved, .unlabelled("later")])
    }

    @Test("aren't shown by what sets lack while the server fails to say whether it has the item")
    func unanswered() async throws {
        try await mark(.read, ["abc"])
        _ = try await push()
        let others = ServiceSet(ItemIDs(Self.items.dropLast()), isWhole: true)
        try await pull(unread: others, existing: [], isUnanswered: true)
        try await store.writeToDisk { try MarkQueue($0).beginSync(of: service) }
        try await pull(unread: others, existing: [], deleted: ["abc"])
        // It has the item again.
        try await store.writeToDisk { try MarkQueue($0).beginSync(of: service) }
        try await pull()
        #expect(try await items(with: "is_read") == ["abc"])
        #expect(try await push().map(\.mark) == [.read])
    }

    @Test("aren't taken back by a set that lacks an item whose contents have them, as one that is cut off")
    func contradicted() async throws {
        try await mark(.saved, Self.items)
        try await mark(.labelled("later"), Self.items)
        _ = try await push()
        let all = ServiceSet(ItemIDs(Self.items), isWhole: true)
        try await pull(starred: all, labels: ["later": all])
        let cut = ServiceSet(ItemIDs(["abc"]), isWhole: true)
        try await pull(
            unread: cut, starred: cut, labels: ["later": cut],
            contents: ["0000000000000001": [.saved, .labelled("Later")], "0000000000000002": [.read]])
        #expect(try await items(with: "is_saved") == ["0000000000000001", "abc"])
        #expect(try await items(with: "labels IS NOT NULL") == ["0000000000000001", "abc"])
        #expect(try await items(with: "NOT is_read") == ["0000000000000001", "abc"])
    }

    @Test("stay, and are told, if the server has an item again that it had no more")
    func returned() async throws {
        try await mark(.saved, ["abc"])
        _ = try await push()
        try await pull(starred: ServiceSet(ItemIDs(["abc"]), isWhole: true))
        try await store.writeToDisk { try ServiceItems($0, service: service).note(deleted: ["abc"], at: Date()) }
        let others = ServiceSet(ItemIDs(Self.items.dropLast()), isWhole: true)
        try await pull(unread: others, starred: ServiceSet(ItemIDs(), isWhole: true), existing: [])
        try await pull(unread: others, starred: ServiceSet(ItemIDs(), isWhole: true), existing: ["abc"])
        #expect(try await items(with: "is_saved") == ["abc"])
        #expect(try await push().map(\.mark) == [.saved])
        try await pull(starred: ServiceSet(ItemIDs(["abc"]), isWhole: true))
        try await pull(starred: ServiceSet(ItemIDs(), isWhole: true), existing: ["abc"])
        #expect(try await items(with: "is_saved") == [])
    }

    @Test("that remove a label wait while the server can't have it")
    func waitingRemoval() async throws {
        try await mark(.labelled("later"), ["abc"])
        _ = try await push()
        let set = ServiceSet(ItemIDs(["abc"]), isWhole: true)
        try await pull(labels: ["later": set])
        try await mark(.unlabelled("later"), ["abc"])
        let settled = try await store.settleRules()
        try await store.writeToDisk { database in
            let queue = MarkQueue(database)
            try queue.noteWaiting(try queue.unsent(of: service, settled), of: service)
        }
        try await pull(labels: ["later": .unknown])
        #expect(try await push().isEmpty)
        try await pull(labels: ["later": set])
        #expect(try await items(with: "labels NOT NULL") == [])
        #expect(try await push().map(\.mark) == [.unlabelled("later")])
    }

    @Test("that take something back are still told after an import of the same")
    func importedAgain() async throws {
        try await mark(.labelled("later"), ["abc"])
        _ = try await push()
        try await mark(.unlabelled("later"), ["abc"])
        try await mark(.saved, ["abc"])
        try await mark(.unsaved, ["abc"])
        let exported = try await store.exported()
        try await mark(.labelled("other"), ["abc"])
        _ = try await store.merge(exported)
        try await store.writeToDisk { try MarkQueue($0).dropImportedRemovals(of: service) }
        let marks = try await push().map(\.mark)
        #expect(Set(marks) == [.unlabelled("later"), .unsaved, .labelled("other")], "\(marks)")
    }

    @Test("that wait for their posts, and were never sent, aren't shown by what sets lack")
    func neverSent() async throws {
        try await mark(.saved, ["abc"])
        _ = try await push()
        let starred = ServiceSet(ItemIDs(["abc"]), isWhole: true)
        try await pull(starred: starred)
        try await mark(.read, ["abc"])
        try await store.writeToDisk { try MarkQueue($0).wait(for: ["abc"], of: service) }
        #expect(try await push().isEmpty)
        try await pull(unread: ServiceSet(ItemIDs(), isWhole: true), starred: starred, existing: [])
        try await store.writeToDisk { try MarkQueue($0).resume(["abc"], of: service) }
        #expect(try await push().map(\.mark) == [.read])
    }

    @Test("on a post that is kept without its item wait for that, the last ones of each kind")
    func keptWithoutItem() async throws {
        try await mark(.unsaved, ["abc"])
        try await store.writeToDisk { try ServiceItems($0, service: service).detach(["abc"]) }
        try await mark(.saved, ["abc"])
        try await mark(.read, ["abc"])
        #expect(try await push().isEmpty)
        let facts = try await store.read { try ServiceItems($0, service: service).facts() }
        #expect(facts.withoutPost == 2)
        let entry = try Self.entry("new", title: "abc", link: "https://a.example/abc")
        try await store.writeToDisk { database in
            let items = ServiceItems(database, service: service)
            _ = try items.save([entry], of: ["new"], at: Date())
            try MarkQueue(database).resume(["new"], of: service)
        }
        #expect(Set(try await push().map(\.mark)) == [.saved, .read])
    }

    @Test("for labels stay here while the server has none, and are told once it has some")
    func keptLabels() async throws {
        try await mark(.labelled("later"), ["abc"])
        let settled = try await store.settleRules()
        try await store.writeToDisk { database in
            let queue = MarkQueue(database)
            try queue.keep(try queue.unsent(of: service, settled), of: service)
        }
        try await pull(labels: nil)
        #expect(try await push().isEmpty)
        let facts = try await store.read { try ServiceItems($0, service: service).facts() }
        #expect(facts.unsent == 0 && facts.withoutPost == 0)
        // Another program has set the label on another post since.
        try await store.writeToDisk { try MarkQueue($0).resumeKept(of: service) }
        try await pull(labels: ["later": ServiceSet(ItemIDs([Self.items[0]]), isWhole: true)])
        #expect(try await items(with: "labels NOT NULL") == [Self.items[0], "abc"])
        #expect(try await push().map(\.mark) == [.labelled("later")])
    }

    @Test("read a story here if it was read there, but not by way of a link to it")
    func stories() async throws {
        let other = SourceID(kind: "blog", address: "https://b.example")
        try await store.list([sample(id: "1", postId: "x", link: "https://b.example/story")], of: other)
        let items = Self.items + ["link"]
        try await store.writeToDisk { database in
            let metadata = try sample(id: "", postId: "link", link: "https://b.example/story")
            let entry = ServiceEntry(
                Entry(metadata, numbering: Entry.Numbering(hasDate: true)), of: Self.feed, isRead: false,
                isStarred: false, labels: [])
            _ = try ServiceItems(database, service: service).save([entry], of: ["link"], at: Date())
        }
        try await pull(unread: ServiceSet(ItemIDs(Self.items), isWhole: true), existing: Set(items))
        #expect(try await self.items(with: "is_read") == ["link"])
    }

    @Test("that the server took back of an edited post stay so, though its story was read here")
    func editedStory() async throws {
        let other = SourceID(kind: "blog", address: "https://b.example")
        try await store.list([sample(id: "1", postId: "x", link: "https://b.example/story")], of: other)
        _ = try await store.mark(.read, ids: [PostID(source: other, local: "1")])
        func arrive(_ summary: String) async throws {
            try await store.writeToDisk { database in
                let metadata = try sample(id: "", postId: "link", summary: summary, link: "https://b.example/story")
                let entry = ServiceEntry(
                    Entry(metadata, numbering: Entry.Numbering(hasDate: true)), of: Self.feed, isRead: false,
                    isStarred: false, labels: [])
                _ = try ServiceItems(database, service: service).save([entry], of: ["link"], at: Date())
            }
        }
        try await arrive("First.")
        #expect(try await items(with: "is_read AND post_id = 'link'") == ["link"])
        _ = try await push()
        try await pull()
        // As FreshRSS does.
        try await pull(unread: ServiceSet(ItemIDs(["link"]), isWhole: true))
        try await arrive("Edited.")
        #expect(try await items(with: "NOT is_read AND post_id = 'link' AND summary = 'Edited.'") == ["link"])
    }

    @Test("are wanted of posts that a list lacked which was cut off")
    func cutList() async throws {
        func missing() async throws -> [String] {
            try await store.read { try ServiceItems($0, service: service).missing(nil, at: Date()) }
        }
        let none = ServiceSet(ItemIDs(), isWhole: true)
        try await pull(unread: ServiceSet(ItemIDs(Self.items + ["new"]), isWhole: true), starred: none)
        #expect(try await missing() == ["new"])
        try await pull(unread: ServiceSet(ItemIDs(Self.items), isWhole: false), starred: none)
        #expect(try await missing() == ["new"])
        try await pull(unread: ServiceSet(ItemIDs(Self.items), isWhole: true), starred: none)
        #expect(try await missing() == [])
    }

    @Test("that were sent before a sync broke off are asked for, as the server may have deleted their posts")
    func sentBeforeAbort() async throws {
        try await mark(.read, ["abc"])
        _ = try await push()
        let unnamed = try await store.writeToDisk {
            try MarkQueue($0).beginSync(of: service)
            let pull = try MarkQueue($0).beginPull(of: service)
            return try MarkQueue($0).itemsOfUnnamed(pull: pull, of: service, limit: 10)
        }
        #expect(unnamed == ["abc"])
    }

    @Test(
        "read the post of the same feed that is followed here, too, but of another only if it is the story",
        arguments: [("https://a.example/feed", true), ("https://planet.example/feed", false)])
    func sameFeed(address: String, isRead: Bool) async throws {
        let own = SourceID(kind: "feed", address: address)
        try await store.writeToDisk { database in
            _ = try Sources(database).follow(own, in: nil, site: nil, at: Date()) { _ in "own" }
            let arrived = try Self.entry("link", title: "Tides", link: "https://b.example/tides")
            _ = try ServiceItems(database, service: service).save([arrived], of: ["link"], at: Date())
            let entry = Entry(
                try sample(id: "", title: "Tides", postId: "guid", link: "https://b.example/tides"),
                numbering: Entry.Numbering(hasDate: true))
            _ = try Posts(database).addNumbered(entry, to: own, at: Date())
        }
        #expect(try await items(with: "NOT is_read AND title = 'Tides'").count == 2)
        try await pull(existing: ["link"])
        #expect(try await items(with: "is_read AND post_id = 'link'") == ["link"])
        #expect(try await items(with: "is_read AND post_id = 'guid'") == (isRead ? ["guid"] : []))
    }

    @Test("aren't given to one of two posts that are the same in all that identifies them")
    func alike() async throws {
        @Sendable func entry(_ item: String) throws -> ServiceEntry {
            try Self.entry(item, title: "Same", link: "https://a.example/changes")
        }
        let twins = ["0000000000000011", "0000000000000012"]
        try await store.writeToDisk { database in
            let services = ServiceItems(database, service: service)
            try services.note(account: "alice")
            _ = try services.save(try twins.map(entry), of: twins, at: Date())
        }
        let count = Int64(Self.items.count)
        #expect(try await store.read { try $0.integer("SELECT count(*) FROM posts") } == count + 2)
        _ = try await store.mark(.saved, ids: [PostID(source: Self.feed, local: "5")])
        _ = try await store.mark(.labelled("later"), ids: [PostID(source: Self.feed, local: "6")])
        try await store.writeToDisk { database in
            let services = ServiceItems(database, service: service)
            try services.forgetAccount()
            try services.beginAnew("alice")
            // The server has only one of both again.
            _ = try services.save([entry("0000000000000022")], of: ["0000000000000022"], at: Date())
        }
        #expect(try await store.read { try $0.integer("SELECT count(*) FROM posts") } == count + 3)
        #expect(try await store.read { try $0.texts("SELECT item || kind FROM mark_queue") } == [])
        #expect(
            try await store.read { try $0.texts("SELECT post_id FROM posts WHERE is_saved AND number IS NOT NULL") }
                == [])
    }
}

@Suite("The IDs of items") struct ItemIDTests {
    @Test("are each there once, in order, and found, whatever they are")
    func order() {
        let all = [
            "00000000000000ff", "abc", "0000000000000001", "abc", "00000000000000ff", "00000000000000FF", "1", "",
        ]
        let items = ItemIDs(all)
        var listed: [String] = []
        items.forEach { listed.append($0) }
        #expect(listed == ["00000000000000ff", "0000000000000001", "abc", "00000000000000FF", "1", ""])
        #expect(all.allSatisfy(items.contains) && items.count == 6)
        #expect(!items.contains("0000000000000002") && !items.contains("ab") && !ItemIDs().contains(""))
        #expect(items.hasSame(as: ItemIDs(listed.reversed())) && !items.hasSame(as: ItemIDs(listed.dropLast())))
        #expect(ItemIDs(joining: [ItemIDs(["b", "0000000000000002"]), items]).count == 8)
    }
}
