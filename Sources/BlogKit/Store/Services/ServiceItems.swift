import BlogEssentials
import BlogModel

/// The posts of a service's feeds, and the marks that its server has on them.
///
/// A post's ``PostMetadata/postId`` is the ID of its item at the server.
package struct ServiceItems {
    private let database: Database
    /// The key of the service's source.
    private let service: Int64

    package init(_ database: Database, service: Int64) {
        self.database = database
        self.service = service
    }

    /// The condition for posts of its feeds, also of those that it no longer follows.
    private var isOfService: String { "source IN (SELECT key FROM sources WHERE service = \(service))" }

    /// The condition for posts of feeds that a service follows: it forgets the marks on others, which are kept here.
    static func isFollowed(_ service: Int64) -> String {
        "source IN (SELECT key FROM sources WHERE service = \(service) AND followed_at IS NOT NULL)"
    }

    // MARK: The account

    /// Whether the server has another account than at the last sync, or another database: most feeds have other addresses than
    /// those with the same IDs had, or all are gone.
    package func isOther(_ account: String, _ feeds: [ServiceFeed]) throws -> Bool {
        let known = try SourceRow.all("key = ?", [.integer(service)], in: database).first?.account
        if let known, known != account { return true }
        let (same, other) = try addresses(of: feeds)
        if other > 1, other > same { return true }
        let followed = try self.feeds().filter(\.isFollowed)
        guard followed.count > 1 else { return false }
        let listed = Set(feeds.map(\.id)), addresses = Set(feeds.map { Entry.canonical($0.address) })
        return !followed.contains {
            listed.contains($0.id) || $0.feed.map { addresses.contains(Entry.canonical($0)) } == true
        }
    }

    /// Whether one of some feeds is known by its ID and its address, or none is followed at all.
    package func hasOne(of feeds: [ServiceFeed]) throws -> Bool {
        try addresses(of: feeds).same > 0 || !self.feeds().contains(where: \.isFollowed)
    }

    /// How many of some feeds have the address of the known one with the same ID, and how many another; those that only have
    /// each other's IDs, as after a new installation, don't count.
    private func addresses(of feeds: [ServiceFeed]) throws -> (same: Int, other: Int) {
        let listed = Set(feeds.map { Entry.canonical($0.address) })
        var (same, other) = (0, 0)
        for feed in feeds {
            guard let address = try SourceRow.find(feed.id, in: database)?.feed.map({ Entry.canonical($0) }) else {
                continue
            }
            if address == Entry.canonical(feed.address) { same += 1 } else if !listed.contains(address) { other += 1 }
        }
        return (same, other)
    }

    /// The newest stored items of its feeds, by their IDs at the server, also of those that it no longer follows, but without
    /// those that it wasn't found to have.
    package func newest(_ count: Int, skipping skipped: Int) throws -> [StoredItem] {
        try items(
            "post_id NOT IN (SELECT item FROM service_deleted WHERE service = \(service))", count, skipping: skipped)
    }

    /// Whether the IDs of its items are the times at which they arrived, in microseconds, as those of FreshRSS: other programs count
    /// from 1 on.
    package func haveTimes() throws -> Bool {
        try newest(1, skipping: 0).allSatisfy { $0.item >= Self.firstTime }
    }

    /// The year 2001, in hexadecimal digits.
    private static let firstTime = "00038d7ea4c68000"

    /// The items that have marks to be sent, the newest first.
    package func queued() throws -> [StoredItem] {
        try items("post_id IN (SELECT item FROM mark_queue WHERE service = \(service))", .max)
    }

    /// Those of some items that are stored.
    package func find(_ items: some Sequence<String>) throws -> [StoredItem] {
        try items.flatMap { try self.items("post_id = ?", 1, values: [.text($0)]) }
    }

    private func items(
        _ condition: String, _ count: Int, skipping skipped: Int = 0, values: [DatabaseValue] = []
    ) throws -> [StoredItem] {
        try database.all(
            """
            SELECT post_id, sources.kind, sources.address, link, posts.title, publish_date
            FROM posts JOIN sources ON sources.key = source
            WHERE \(isOfService) AND number IS NOT NULL AND \(condition) ORDER BY post_id DESC LIMIT ? OFFSET ?
            """, values + [.integer(Int64(count)), .integer(Int64(skipped))]
        ) {
            StoredItem(
                item: $0.text(0) ?? "", feed: $0.sourceID(1), link: $0.text(3), title: $0.text(4) ?? "",
                date: $0.text(5).flatMap { Timestamp($0) })
        }
    }

    package func note(account: String) throws {
        try database.run("UPDATE sources SET account = ? WHERE key = ?", [.text(account), .integer(service)])
    }

    /// Notes that any other account can take the place of this one, of which some posts are kept.
    package func forgetAccount() throws {
        try database.run("UPDATE sources SET is_forgotten = 1 WHERE key = ?", [.integer(service)])
    }

    /// Forgets what is known of the items, and unless the account is the same, of its feeds: another database is at the address
    /// now.
    package func beginAnew(_ account: String) throws {
        let isSame = try database.exists(
            "SELECT 1 FROM sources WHERE key = ? AND account = ?", [.integer(service), .text(account)])
        // Posts that are kept aren't those that have the same IDs in another database.
        if isSame {
            try detach(where: "1")
        } else {
            try database.run("UPDATE sources SET account = NULL WHERE key = ?", [.integer(service)])
            try database.run("UPDATE sources SET feed = NULL WHERE service = ?", [.integer(service)])
            try database.run("UPDATE posts SET number = NULL WHERE \(isOfService)")
        }
        for table in ["mark_queue", "service_items", "service_deleted"] {
            try database.run("DELETE FROM \(table) WHERE service = ?", [.integer(service)])
        }
    }

    /// Keeps the posts of items that are of other posts now; if the server has them again, under other IDs, they are those.
    package func detach(_ items: [String]) throws {
        for item in items {
            let former = try database.texts(
                "SELECT \(Self.formerIdentity) FROM posts WHERE \(isOfService) AND number IS NOT NULL AND post_id = ?",
                [.text(item)])
            try detach(where: "post_id = ?", [.text(item)])
            if let former = former.first { try MarkQueue(database).move(from: item, to: former, of: service) }
            try forget(item, in: "service_items", "service_deleted")
        }
    }

    /// Deletes the rows of an item in some tables.
    private func forget(_ item: String, in tables: String...) throws {
        for table in tables {
            try database.run("DELETE FROM \(table) WHERE service = ? AND item = ?", [.integer(service), .text(item)])
        }
    }

    private func detach(where condition: String, _ values: [DatabaseValue] = []) throws {
        try database.run(
            """
            UPDATE posts SET (number, post_id) = (NULL, \(Self.formerIdentity))
            WHERE \(isOfService) AND number IS NOT NULL AND \(condition)
            """, values)
    }

    // MARK: Feeds

    /// The feeds of the service, also those that it no longer follows.
    package func feeds() throws -> [StoredSource] {
        try SourceRow.all("service = ?", [.integer(service)], in: database)
    }

    /// Updates the feeds of the service; others are no longer followed, but their posts and marks stay.
    ///
    /// - Parameter name: returns the name of a new one, given the test for names of other sources.
    package func save(
        _ feeds: [ServiceFeed], at now: Date, name: (ServiceFeed, _ isTaken: (String) throws -> Bool) throws -> String
    ) throws {
        var isChanged = false
        try readdress(feeds)
        for feed in feeds {
            let key = try SourceRow.key(of: feed.id, in: database)
            let known = try SourceRow.find(feed.id, in: database)
            let chosen =
                try known?.name ?? name(feed) { try SourceRow.isNameTaken($0, except: key, in: database) }
            isChanged = isChanged || known?.followedAt == nil || known?.folder != feed.folder
            try database.run(
                """
                UPDATE sources SET (service, feed, name, folder, title, home, followed_at, refreshed_at, label)
                    = (?, ?, ?, ?, ?, ifnull(?, home), ifnull(followed_at, ?7), ?7, nullif(label, ?5))
                WHERE key = ?
                """,
                [
                    .integer(service), .text(feed.address), .text(chosen), .text(feed.folder), .text(feed.title),
                    DatabaseValue(feed.site), DatabaseValue(now), .integer(key),
                ])
        }
        let keys = try feeds.map { String(try SourceRow.key(of: $0.id, in: database)) }.joined(separator: ",")
        try database.run(
            """
            UPDATE sources SET followed_at = NULL
            WHERE service = ? AND followed_at IS NOT NULL AND key NOT IN (SELECT value FROM json_each('[\(keys)]'))
            """, [.integer(service)])
        let areFewer = database.changes > 0
        if areFewer { try noteUnfollowed() }
        if isChanged || areFewer { try Rules(database).noteChangedSources() }
        try database.run("UPDATE sources SET is_forgotten = 0 WHERE key = ? AND is_forgotten", [.integer(service)])
    }

    /// Gives feeds that the server has under other IDs now, as after a new installation, the sources that they had, with their
    /// names and their posts.
    private func readdress(_ feeds: [ServiceFeed]) throws {
        let stored = try self.feeds()
        let listed = Dictionary(feeds.map { ($0.id, Entry.canonical($0.address)) }) { first, _ in first }
        let known = Dictionary(stored.map { ($0.id, $0) }) { first, _ in first }
        func addressOf(_ source: StoredSource?) -> String? { source?.feed.map { Entry.canonical($0) } }
        var former: [String: StoredSource] = [:]
        for source in stored where listed[source.id] != addressOf(source) {
            if let address = addressOf(source) { former[address] = source }
        }
        var moves: [Int64: SourceID] = [:]
        for (id, address) in listed where addressOf(known[id]) != address {
            if let source = former.removeValue(forKey: address) { moves[source.key] = id }
        }
        // An ID is free if its source moves, too; of another one, the server may only have changed the address. Who stays keeps
        // its ID from another.
        let movers = Dictionary(moves.map { ($1, $0) }) { first, _ in first }
        let byKey = Dictionary(stored.map { ($0.key, $0) }) { first, _ in first }
        var staying = stored.filter { moves[$0.key] == nil }
        while let taken = staying.popLast() {
            guard let mover = movers[taken.id], moves.removeValue(forKey: mover) != nil else { continue }
            if let source = byKey[mover] { staying.append(source) }
        }
        // Another feed has the ID of one that the server has no more, as after a restored backup: that one keeps its posts.
        for feed in feeds {
            guard let source = known[feed.id], moves[source.key] == nil, movers[source.id] == nil,
                let address = source.feed, Entry.canonical(address) != Entry.canonical(feed.address),
                source.title != feed.title, StoryAddress(address)?.host != StoryAddress(feed.address)?.host
            else { continue }
            moves[source.key] = SourceID(kind: source.id.kind, address: source.id.address + "-former-\(source.key)")
        }
        for key in moves.keys {
            try noteDeleted("source = \(key)")
            try database.run("UPDATE sources SET address = 'moving ' || key WHERE key = ?", [.integer(key)])
        }
        for (key, id) in moves {
            try database.run("UPDATE sources SET address = ? WHERE key = ?", [.text(id.address), .integer(key)])
        }
    }

    /// Notes that the server may have deleted the items of feeds that it doesn't follow any more.
    func noteUnfollowed() throws {
        try noteDeleted("source IN (SELECT key FROM sources WHERE service = \(service) AND followed_at IS NULL)")
    }

    /// It is asked about them as about others, and if it follows the feeds again, new items can be those.
    private func noteDeleted(_ posts: String) throws {
        try database.run(
            """
            INSERT INTO service_deleted (service, item, asked_at, tries)
            SELECT ?, post_id, 0, \(Self.triesOfUnfollowed) FROM posts WHERE number IS NOT NULL AND \(posts)
            ON CONFLICT DO UPDATE SET tries = tries + excluded.tries
            """, [.integer(service)])
    }

    /// Stops following the service and its feeds.
    func unfollow() throws {
        try database.run(
            "UPDATE sources SET followed_at = NULL WHERE service = ?1 OR key = ?1", [.integer(service)])
        try Rules(database).noteChangedSources()
    }

    /// Renames the feeds along with their service.
    func rename(_ former: String, to name: String) throws {
        let feeds = try SourceRow.all("service = ? AND name IS NOT NULL", [.integer(service)], in: database)
        for feed in feeds {
            guard let old = feed.name, old.hasPrefix(former + "/") else { continue }
            let new = name + old.dropFirst(former.count)
            try database.run("UPDATE sources SET name = ? WHERE key = ?", [.text(new), .integer(feed.key)])
            try Sources(database).renameInSearches(.source(old), to: .source(new))
            try Rules(database).rename(old, to: new)
        }
    }

    // MARK: Contents

    /// Notes the items whose contents aren't stored, and forgets those that the server no longer names.
    ///
    /// - Parameter unconfirmed: the items that the server wasn't found to have, though it names them.
    func noteMissing(_ marks: ServiceMarks, except unconfirmed: Set<String> = []) throws {
        func items(_ sql: String) throws -> [String] { try database.texts(sql, [.integer(service)]) }
        for item in try items("SELECT item FROM service_deleted WHERE service = ?")
        where marks.items.contains(item) && !unconfirmed.contains(item) {
            try forget(item, in: "service_deleted")
        }
        let stored = try stored()
        let areWhole = marks.areWhole
        let settled = try database.all(
            "SELECT item FROM service_items WHERE service = ? AND place <> \(Self.placeOfEdited)", [.integer(service)]
        ) { row -> String? in
            let item = row.text(0) ?? ""
            return stored.contains(item) || areWhole && !marks.items.contains(item) ? item : nil
        }
        for case let item? in settled { try forget(item, in: "service_items") }
        var place: Int64 = 0
        try marks.items.forEach { item in
            place += 1
            if stored.contains(item) { return }
            try database.run(
                """
                INSERT INTO service_items (service, item, place) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET place = excluded.place
                """, [.integer(service), .text(item), .integer(place)])
        }
    }

    /// Notes posts that are stored, and to be fetched again.
    func note(edited items: [String]) throws {
        for item in items {
            try database.run(
                "INSERT OR IGNORE INTO service_items (service, item, place) VALUES (?, ?, \(Self.placeOfEdited))",
                [.integer(service), .text(item)])
        }
    }

    /// Notes items that the server didn't send: after three times it isn't asked about them for a week, unless it names them.
    package func note(deleted items: some Sequence<String>, at now: Date) throws {
        for item in items {
            try database.run(
                """
                INSERT INTO service_deleted (service, item, asked_at) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET (asked_at, tries) = (excluded.asked_at, tries + 1)
                """,
                [.integer(service), .text(item), DatabaseValue(now)])
        }
    }

    /// Notes items that the server didn't send, which proves nothing, except that those which it has later may be others.
    package func note(absent items: [String]) throws {
        for item in items {
            try database.run(
                "INSERT OR IGNORE INTO service_deleted (service, item, asked_at, tries) VALUES (?, ?, 0, 0)",
                [.integer(service), .text(item)])
        }
    }

    /// The stored items among some that the server wasn't found to have before.
    package func absent(where isAmong: (String) -> Bool) throws -> [StoredItem] {
        try items("post_id IN (SELECT item FROM service_deleted WHERE service = \(service))", .max).filter {
            isAmong($0.item)
        }
    }

    /// Those of some items that the server was found not to have before; that it once didn't list their feed proves nothing.
    func returned(where isAmong: (String) -> Bool) throws -> [String] {
        try database.texts(
            "SELECT item FROM service_deleted WHERE service = ? AND asked_at > 0", [.integer(service)]
        ).filter(isAmong)
    }

    /// The followed feeds of posts with these items.
    package func feeds(of items: Set<String>) throws -> [SourceID] {
        let feeds = try items.sorted().flatMap { item in
            try database.all(
                """
                SELECT kind, address FROM posts JOIN sources ON sources.key = source
                WHERE post_id = ? AND \(Self.isFollowed(service))
                """, [.text(item)]
            ) { $0.sourceID(0) }
        }
        return Set(feeds).sorted { $0.address < $1.address }
    }

    /// Those of some items that aren't stored, in their order.
    package func unknown(among items: some Sequence<String>) throws -> [String] {
        let stored = try stored()
        return items.filter { !stored.contains($0) }
    }

    /// The items whose posts are stored.
    private func stored() throws -> Set<String> {
        Set(try database.texts("SELECT post_id FROM posts WHERE \(isOfService) AND number IS NOT NULL"))
    }

    func forget(returned items: Set<String>) throws {
        for item in items { try forget(item, in: "service_deleted") }
    }

    /// The items that the server was lately found not to have.
    func lately(deleted now: Date) throws -> [String] {
        try database.texts(
            "SELECT item FROM service_deleted WHERE service = ? AND tries >= \(Self.maxTries) AND asked_at > ?",
            [.integer(service), DatabaseValue(now.addingTimeInterval(-Self.deletedLifetime))])
    }

    private static let deletedLifetime: TimeInterval = 7 * 86_400

    /// The items whose contents are to be requested next: those that matter most first, without those that the server
    /// didn't send several times, unless that was long ago or all are wanted.
    ///
    /// - Parameter limit: nil for all.
    package func missing(_ limit: Int?, at now: Date) throws -> [String] {
        try database.texts(
            """
            SELECT item FROM service_items
            WHERE service = ? AND (? OR tries < \(Self.maxTries) OR ifnull(asked_at, 0) < ?) ORDER BY place LIMIT ?
            """,
            [
                .integer(service), .bool(limit == nil), DatabaseValue(now.addingTimeInterval(-Self.lostLifetime)),
                .integer(Int64(limit ?? -1)),
            ])
    }

    /// The items that will be asked for again if they don't arrive this time.
    package func askedAgain() throws -> Set<String> {
        Set(
            try database.texts(
                "SELECT item FROM service_items WHERE service = ? AND tries < \(Self.maxTries - 1)", [.integer(service)]
            ))
    }

    /// Stores items that arrived, and counts the requests for those that didn't.
    ///
    /// - Parameter replaced: the stored items, which the server has no more, by those of the same posts that it has now.
    /// - Returns: the number of new posts.
    package func save(
        _ entries: [ServiceEntry], of requested: [String], replacing replaced: [String: String] = [:], at now: Date
    ) throws -> Int {
        var new = 0
        for (feed, entries) in Dictionary(grouping: entries, by: \.feed) {
            let sourceKey = try SourceRow.key(of: feed, in: database)
            var numbers = EntryNumbers(of: sourceKey, in: database, now: now)
            let identity = EntryIdentity(sourceKey: sourceKey, database: database)
            var writer = try PostWriter(database: database, sourceKey: sourceKey, now: now)
            writer.note(first: entries.lazy.map(\.entry.metadata))
            let kept = try takeKept(entries.filter { replaced[$0.entry.metadata.postId] == nil }, identity)
            for arrived in entries {
                var known = try identity.stored(as: arrived.entry.metadata.postId)
                // An edited post has its date.
                if let post = known, post.date != arrived.entry.metadata.publishDate,
                    !arrived.entry.metadata.resembles(title: post.title, link: post.link)
                {
                    try detach([post.identity])
                    known = nil
                }
                let item = arrived.entry.metadata.postId
                let former =
                    try kept[item] ?? (known == nil ? replaced[item].flatMap { try identity.stored(as: $0) } : nil)
                let (_, key, outcome) = try numbers.save(arrived.entry, as: known ?? former, with: writer)
                try Bodies(database).save(arrived.entry.content, ofPost: key, at: now)
                if let former { try merge(arrived, into: key, former.identity) }
                guard outcome == .new else { continue }
                new += 1
                // A story that was read elsewhere is read, which its server has yet to be told.
                let isQueued = try database.exists(
                    "SELECT 1 FROM mark_queue WHERE service = ? AND item = ? AND kind = 'read'",
                    [.integer(service), .text(arrived.entry.metadata.postId)])
                if !isQueued { try Marking.setUnqueued(arrived.isRead ? .read : .unread, [key], in: database) }
                if arrived.isStarred { try Marking.setUnqueued(.saved, [key], in: database) }
                for label in arrived.labels { try Marking.setUnqueued(.labelled(label), [key], in: database) }
            }
            try numbers.finish()
        }
        let arrived = Set(entries.map(\.entry.metadata.postId))
        for item in requested {
            try database.run(
                arrived.contains(item)
                    ? "DELETE FROM service_items WHERE service = ? AND item = ?"
                    : "UPDATE service_items SET (tries, asked_at) = (tries + 1, ?3) WHERE service = ?1 AND item = ?2",
                [.integer(service), .text(item)] + (arrived.contains(item) ? [] : [DatabaseValue(now)]))
        }
        return new
    }

    /// Gives the posts that were kept when their items became those of others to the items of some entries, if the server has them
    /// again under these; returns them by item.
    private func takeKept(_ entries: [ServiceEntry], _ identity: EntryIdentity) throws -> [String: EntryIdentity
        .Candidate]
    {
        guard try hasKept(identity.sourceKey) else { return [:] }
        let unknown = try entries.filter { try identity.stored(as: $0.entry.metadata.postId) == nil }
        return try posts(like: unknown, identity, where: Self.isKept).reduce(into: [:]) { taken, found in
            let (item, post) = found
            try MarkQueue(database).move(from: post.identity, to: item, of: service)
            try forget(post.identity, in: "service_deleted")
            try database.run(
                "UPDATE posts SET (number, post_id) = (CAST(id AS INTEGER), ?) WHERE key = ?",
                [.text(item), .integer(post.key)])
            taken[item] = try identity.stored(as: item)
        }
    }

    /// Whether posts of a feed are kept without items.
    private func hasKept(_ feed: Int64) throws -> Bool {
        try database.exists("SELECT 1 FROM posts WHERE source = ? AND \(Self.isKept)", [.integer(feed)])
    }

    private static let isKept = "number IS NULL AND post_id LIKE '\(formerItem)%'"

    /// The posts that are kept without items, with their feeds, in which they are to be searched for: after three times, not for a
    /// week.
    ///
    /// - Parameter now: nil to search for all.
    package func kept(at now: Date?) throws -> [String: SourceID] {
        let kept = try database.all(
            """
            SELECT post_id, kind, address FROM posts JOIN sources ON sources.key = source
            WHERE \(Self.isFollowed(service)) AND \(Self.isKept)
            """
        ) { ($0.text(0) ?? "", $0.sourceID(1)) }
        if kept.isEmpty { return [:] }
        let lately = Set(try now.map(lately) ?? [])
        return Dictionary(kept.filter { !lately.contains($0.0) }) { first, _ in first }
    }

    /// Those of some entries that are posts which are kept without items.
    package func kept(among entries: [ServiceEntry]) throws -> Set<String> {
        try Dictionary(grouping: entries, by: \.feed).reduce(into: []) { items, group in
            guard let key = try SourceRow.find(group.key, in: database)?.key else { return }
            let identity = EntryIdentity(sourceKey: key, database: database)
            items.formUnion(try posts(like: group.value, identity, where: Self.isKept).keys)
        }
    }

    /// The stored posts that all new entries of a feed are, by their items, each of one entry only.
    ///
    /// One with another date may be next year's announcement. But a server that dates posts by their arrival gives most of those
    /// that it had of a feed others, of one hour.
    private func posts(
        like entries: [ServiceEntry], _ identity: EntryIdentity, where condition: String
    ) throws -> [String: EntryIdentity.Candidate] {
        let (dated, undated) = try matches(of: entries, identity, where: condition)
        let dates = undated.compactMap(\.0.entry.metadata.publishDate.date)
        guard undated.count > 1, Set(undated.map(\.1.key)).count == undated.count,
            let first = dates.min(), let last = dates.max(), last.timeIntervalSince(first) <= Self.arrivalTime
        else { return dated }
        let newest = try database.all(
            "SELECT key FROM posts WHERE source = ? AND \(condition) ORDER BY date_key DESC LIMIT \(Self.newestOfFeed)",
            [.integer(identity.sourceKey)]
        ) { $0.integer(0) }
        guard 2 * newest.count(where: Set(undated.map(\.1.key)).contains) >= newest.count else { return dated }
        return dated.merging(undated.map { ($0.entry.metadata.postId, $1) }) { first, _ in first }
    }

    /// The stored posts that entries of a feed are by their dates, by their items, and those that they may be without them.
    private func matches(
        of entries: [ServiceEntry], _ identity: EntryIdentity, where condition: String
    ) throws -> (
        dated: [String: EntryIdentity.Candidate], undated: [(ServiceEntry, EntryIdentity.Candidate)]
    ) {
        var (dated, undated): ([String: EntryIdentity.Candidate], [(ServiceEntry, EntryIdentity.Candidate)]) = ([:], [])
        var taken: Set<Int64> = []
        for arrived in entries {
            let (metadata, text) = (arrived.entry.metadata, arrived.entry.text)
            if let post = try identity.post(like: metadata, text: text, where: condition) {
                if taken.insert(post.key).inserted { dated[metadata.postId] = post }
            } else if let post = try identity.post(
                like: metadata, text: text, where: condition, isDatedByArrival: true)
            {
                undated.append((arrived, post))
            }
        }
        return (dated, undated.filter { !taken.contains($0.1.key) })
    }

    /// As many as feeds have at least.
    private static let newestOfFeed = 10
    /// How long a server needs for all posts of a feed that it reads for the first time.
    private static let arrivalTime: TimeInterval = 3600

    /// Begins the ID of a post that is kept, though its item is of another one now.
    static let formerItem = "former "
    /// The ID in SQL: several posts may have had an item one after the other.
    private static let formerIdentity = "'\(formerItem)' || posts.key || ' ' || post_id"

    /// The stored items, by those that seem to be others of the same posts, unless the server still has the stored ones.
    ///
    /// - Parameter areOfFeeds: whether the entries are all new ones of their feeds.
    /// - Returns: also the items that can only be told from others along with the rest of their feeds, by these; none if they are.
    package func former(
        of entries: [ServiceEntry], areOfFeeds: Bool
    ) throws -> (former: [String: String], undecided: [SourceID: [String]]) {
        var (former, undecided): ([String: String], [SourceID: [String]]) = ([:], [:])
        for (feed, entries) in Dictionary(grouping: entries, by: \.feed) {
            guard let key = try SourceRow.find(feed, in: database)?.key else { continue }
            let identity = EntryIdentity(sourceKey: key, database: database)
            let unknown = try entries.filter { try identity.stored(as: $0.entry.metadata.postId) == nil }
            if areOfFeeds {
                let posts = try posts(like: unknown, identity, where: Self.hasItem)
                former.merge(posts.mapValues(\.identity)) { $1 }
                continue
            }
            let (dated, undated) = try matches(of: unknown, identity, where: Self.hasItem)
            former.merge(dated.mapValues(\.identity)) { $1 }
            // Those that are posts which are kept by their dates, too, are taken when they are stored.
            let ofKept = try hasKept(key) ? matches(of: unknown, identity, where: Self.isKept).undated : []
            let items = (undated + ofKept).map(\.0.entry.metadata.postId)
            if !items.isEmpty { undecided[feed] = items }
        }
        return (former, undecided)
    }

    private static let hasItem = "number IS NOT NULL"

    /// Gives a post the marks that its new item has, and queues those that it lacks: either's stay, but for what was taken back
    /// here and not yet sent.
    private func merge(_ arrived: ServiceEntry, into post: Int64, _ formerItem: String) throws {
        let queued = try MarkQueue(database).marks(of: formerItem, service)
        try forget(formerItem, in: "service_deleted", "mark_queue")
        let theirs =
            (arrived.isRead ? [.read] : []) + (arrived.isStarred ? [.saved] : [])
            + arrived.labels.map { Mark.labelled($0) }
        let ours = try database.first("SELECT is_read, is_saved, labels FROM posts WHERE key = ?", [.integer(post)]) {
            ($0.bool(0) ? [.read] : []) + ($0.bool(1) ? [.saved] : [])
                + ($0.text(2).map(TagLines.tags) ?? []).map { Mark.labelled($0) }
        }
        for mark in theirs where !queued.contains(mark.opposite) {
            try Marking.setUnqueued(mark, [post], in: database)
        }
        let untold = (ours ?? []).filter { !theirs.contains($0) } + queued.filter { theirs.contains($0.opposite) }
        for mark in untold { try MarkQueue.add(mark, to: post, in: database) }
    }

    /// The place of posts that are stored, and to be fetched again; those of others begin at 1.
    private static let placeOfEdited = 0
    /// After so many requests, contents that the server doesn't send are no longer asked for, but for once a day.
    private static let maxTries = 3
    /// From so many on, the item is of a feed that was unfollowed, or has another ID now.
    private static let triesOfUnfollowed = 1000
    private static let lostLifetime: TimeInterval = 86_400

    /// What is waiting.
    package func facts() throws -> ServiceFacts {
        let queue = try database.first(
            """
            SELECT count(*) FILTER (WHERE NOT is_sent), min(queued_at) FILTER (WHERE NOT is_sent),
                count(*) FILTER (WHERE is_sent IN (\(MarkQueue.withoutItem)))
            FROM mark_queue WHERE service = ?
            """, [.integer(service)]
        ) { (Int($0.integer(0)), $0.date(1), Int($0.integer(2))) }
        let items = try database.first(
            """
            SELECT count(*) FILTER (WHERE tries < \(Self.maxTries)), count(*) FILTER (WHERE tries >= \(Self.maxTries))
            FROM service_items WHERE service = ?
            """, [.integer(service)]
        ) { (Int($0.integer(0)), Int($0.integer(1))) }
        let feeds =
            try database.first(
                """
                SELECT count(*), ifnull(sum(post_count), 0), ifnull(sum(unread_count), 0), ifnull(sum(body_count), 0)
                FROM sources WHERE service = ? AND followed_at IS NOT NULL
                """, [.integer(service)]
            ) { row in (0..<4).map { Int(row.integer($0)) } } ?? [0, 0, 0, 0]
        return ServiceFacts(
            feeds: feeds[0], posts: feeds[1], unread: feeds[2], bodies: feeds[3], unsent: queue?.0 ?? 0,
            unsentSince: queue?.1, withoutPost: queue?.2 ?? 0, missing: items?.0 ?? 0, lost: items?.1 ?? 0,
            heldLabels: try heldLabels())
    }

    /// The labels of marks that were there to be sent by a sync, and weren't: there is a folder of the name, or it is too long.
    private func heldLabels() throws -> [String] {
        try database.texts(
            """
            SELECT DISTINCT mark_queue.label FROM mark_queue JOIN sources ON sources.key = mark_queue.service
            WHERE mark_queue.service = ? AND mark_queue.label NOT NULL AND NOT is_sent AND queued_at < refreshed_at
                AND changes IS NULL
            ORDER BY mark_queue.label
            """, [.integer(service)])
    }
}

/// A feed that a service follows.
package struct ServiceFeed: Sendable {
    package let id: SourceID
    /// Its own address.
    package let address: String
    package let title: String
    /// The path of its folder; "" for none.
    package let folder: String
    /// The address of its site; nil if unknown.
    package let site: String?

    package init(id: SourceID, address: String, title: String, folder: String, site: String?) {
        (self.id, self.address, self.title, self.folder, self.site) = (id, address, title, folder, site)
    }
}

/// An item as it is stored.
package struct StoredItem: Sendable {
    package let item: String
    package let feed: SourceID
    fileprivate let link: String?
    fileprivate let title: String
    fileprivate let date: Timestamp?

    /// Whether an item that has its ID now is of the same post, which may have been edited.
    package func isSame(as entry: ServiceEntry) -> Bool {
        feed == entry.feed && entry.entry.metadata.isVersion(ofTitle: title, link: link, date: date)
    }
}

extension PostMetadata {
    /// Whether a post has the title or the link of another version of it.
    fileprivate func resembles(title: String, link: String?) -> Bool {
        self.title == title || self.link != nil && self.link == link
    }

    /// Whether a post is the same as one that has the same ID in another database, or had it before: both may have been edited.
    ///
    /// All posts of a feed may have one title or one link, but then each has a date of its own.
    func isVersion(ofTitle title: String, link: String?, date: Timestamp?) -> Bool {
        guard resembles(title: title, link: link) else { return false }
        return self.title == title && self.link == link || publishDate == date
    }
}

/// Items that a server lists.
package struct ServiceSet: Sendable {
    package let items: ItemIDs
    /// Whether it is certain that others don't belong to it.
    package let isWhole: Bool

    package init(_ items: ItemIDs, isWhole: Bool) { (self.items, self.isWhole) = (items, isWhole) }

    /// One of which nothing is known.
    package static let unknown = ServiceSet(ItemIDs(), isWhole: false)

    package func contains(_ item: String) -> Bool { items.contains(item) }

    /// This set after the server was asked once more: unless both answers agree, neither is whole.
    package func confirmed(by again: ServiceSet) -> ServiceSet {
        ServiceSet(again.items, isWhole: isWhole && again.isWhole && items.hasSame(as: again.items))
    }

    /// The items of both sets.
    package func joined(with other: ServiceSet) -> ServiceSet {
        ServiceSet(ItemIDs(joining: [items, other.items]), isWhole: isWhole && other.isWhole)
    }
}

/// The marks that a server has.
package struct ServiceMarks: Sendable {
    package let unread: ServiceSet
    package let starred: ServiceSet
    /// The items by labels; nil for a server that has no labels.
    package let labels: [String: ServiceSet]?
    /// Whether the server has no other labels than these: others don't list those without posts, or have none at all.
    package let areLabelsComplete: Bool
    /// All items that it names, each once, those first that matter most.
    package let items: ItemIDs

    package init(
        unread: ServiceSet, starred: ServiceSet, labels: [String: ServiceSet]?, areLabelsComplete: Bool = true
    ) {
        (self.unread, self.starred, self.labels) = (unread, starred, labels)
        self.areLabelsComplete = areLabelsComplete
        items = ItemIDs(
            joining: [unread.items, starred.items] + (labels ?? [:]).sorted { $0.key < $1.key }.map(\.value.items))
    }

    /// Those of which nothing is known.
    package static let unknown = ServiceMarks(unread: .unknown, starred: .unknown, labels: nil)

    /// These after the server was asked once more: sets are whole only if both answers agree, and a label that only one of them
    /// has is unknown, as FreshRSS lists everything for one that it doesn't know any more.
    package func confirmed(by other: ServiceMarks) -> ServiceMarks {
        var sets: [String: ServiceSet]?
        if let labels, let others = other.labels {
            sets = labels.mapValues { _ in .unknown }.merging(others.mapValues { _ in .unknown }) { first, _ in first }
            for (name, set) in labels { sets?[name] = others[name].map(set.confirmed) ?? .unknown }
        }
        return ServiceMarks(
            unread: unread.confirmed(by: other.unread), starred: starred.confirmed(by: other.starred), labels: sets,
            areLabelsComplete: areLabelsComplete && sets != nil)
    }

    /// These with nothing known of some labels.
    package func without(labels names: Set<String>) -> ServiceMarks {
        if names.isEmpty { return self }
        let rest = labels?.reduce(into: [String: ServiceSet]()) {
            $0[$1.key] = names.contains($1.key) ? .unknown : $1.value
        }
        return ServiceMarks(unread: unread, starred: starred, labels: rest, areLabelsComplete: areLabelsComplete)
    }

    /// Whether the items that they don't name have no marks; a folder's name has an empty set of which nothing is known.
    var areWhole: Bool {
        unread.isWhole && starred.isWhole && (labels ?? [:]).values.allSatisfy { $0.isWhole || $0.items.isEmpty }
    }
}

/// An item with the marks that its server has on it.
package struct ServiceEntry: Sendable {
    package let entry: Entry
    package let feed: SourceID
    package let isRead: Bool
    package let isStarred: Bool
    package let labels: [String]

    package init(_ entry: Entry, of feed: SourceID, isRead: Bool, isStarred: Bool, labels: [String]) {
        (self.entry, self.feed) = (entry, feed)
        (self.isRead, self.isStarred, self.labels) = (isRead, isStarred, labels)
    }
}

/// The numbers of a service.
package struct ServiceFacts: Hashable, Sendable {
    package let feeds: Int
    package let posts: Int
    package let unread: Int
    package let bodies: Int
    /// How many marks its server has yet to be told, and since when the oldest of them waits.
    package let unsent: Int
    package let unsentSince: Date?
    /// How many marks wait until the server has their posts again.
    package let withoutPost: Int
    /// How many items have yet to be fetched.
    package let missing: Int
    /// How many items the server lists but doesn't send.
    package let lost: Int
    /// The labels of marks that wait because the server has folders of these names.
    package let heldLabels: [String]
}
