import BlogEssentials
import BlogModel

/// The marks on posts of services that their servers have yet to be told.
///
/// A row is written in the transaction that changes the mark. It is sent, and stays until the server was asked for its marks
/// after that: before, its answer may be older. What the server doesn't show in the same sync it hasn't taken, as some say OK
/// and do nothing. After a sync that broke off, another program may have changed it since: then read, saved and labels that
/// either has stay, as between two stores.
package struct MarkQueue {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// Adds a mark that was changed, unless the post is of no service, or of an account that was forgotten.
    ///
    /// - Parameter isImported: whether it isn't known if it was sent from the store that it comes from, unless it was queued here
    ///   before.
    static func add(_ mark: Mark, to post: Int64, isImported: Bool = false, in database: Database) throws {
        let (kind, value) = parts(of: mark)
        try database.run(
            """
            INSERT INTO mark_queue (service, item, kind, value, label, version, queued_at, is_sent, is_imported, changes)
            SELECT service, post_id, ?1, ?2, ?3, random(), unixepoch() * 1000,
                iif(number IS NULL, \(Self.unsentWithoutItem), 0), ?4, iif(?4, NULL, 1)
            FROM posts JOIN sources ON sources.key = source
            WHERE posts.key = ?5 AND service IS NOT NULL
                AND (number IS NOT NULL OR post_id LIKE '\(ServiceItems.formerItem)%')
            ON CONFLICT DO UPDATE SET (value, label, version, queued_at, is_sent, pull, is_imported, changes)
                = (excluded.value, excluded.label, excluded.version,
                    iif(is_sent, excluded.queued_at, queued_at), excluded.is_sent, NULL,
                    is_imported AND excluded.is_imported,
                    iif(excluded.is_imported AND value = excluded.value, changes, changes + 1))
            """, [.text(kind), .bool(value), DatabaseValue(mark.label), .bool(isImported), .integer(post)])
    }

    /// Takes back a mark that is undone: what no request has carried needn't be told at all.
    ///
    /// Its opposite would take back what another program has set meanwhile.
    static func takeBack(_ mark: Mark, of post: Int64, in database: Database) throws {
        let isOfPost = """
            (service, item) = (
                SELECT sources.service, post_id FROM posts JOIN sources ON sources.key = source WHERE posts.key = ?
            ) AND kind = ? AND NOT is_sent
            """
        let (kind, value) = parts(of: mark)
        let values: [DatabaseValue] = [.integer(post), .text(kind)]
        try database.run(
            "DELETE FROM mark_queue WHERE \(isOfPost) AND value = ? AND changes = 1", values + [.bool(value)])
        if database.changes > 0 { return }
        try add(mark.opposite, to: post, in: database)
        try database.run("UPDATE mark_queue SET changes = changes - 2 WHERE \(isOfPost) AND changes > 2", values)
    }

    /// Notes that the marks which wait may be told from now on, whatever comes of the request.
    package func noteSending(of service: Int64) throws {
        try database.run(
            "UPDATE mark_queue SET changes = NULL WHERE service = ? AND NOT is_sent", [.integer(service)])
    }

    /// Whether there is any service, so that marks have to be queued.
    static func isNeeded(in database: Database) throws -> Bool {
        try database.exists("SELECT 1 FROM sources WHERE kind = ? LIMIT 1", [.text(SourceID.serviceKind)])
    }

    /// The marks to send to a service, those of rules among them, in the order of their posts.
    ///
    /// Of those whose posts are lost, it can't be told what has their items now.
    package func unsent(of service: Int64, _: SettledRules) throws -> [QueuedMark] {
        try database.all(
            """
            SELECT item, kind, value, label, version FROM mark_queue
            WHERE service = ?1 AND NOT is_sent AND item IN (
                SELECT post_id FROM posts WHERE source IN (SELECT key FROM sources WHERE service = ?1)
            )
            ORDER BY kind, value, label, item
            """, [.integer(service)]
        ) { row in
            Self.mark(row.text(1) ?? "", row.bool(2), row.text(3)).map {
                QueuedMark(item: row.text(0) ?? "", mark: $0, version: row.integer(4))
            }
        }.compactMap(\.self)
    }

    /// Forgets that imported marks are to be taken back at the server: an import only adds marks, and what the other store
    /// had yet to send may have been sent, and set again, since.
    package func dropImportedRemovals(of service: Int64) throws {
        try database.run(
            "DELETE FROM mark_queue WHERE service = ? AND is_imported AND NOT value", [.integer(service)])
    }

    /// The marks on a post that its server has yet to be told, or hasn't confirmed.
    package func unsent(ofPost post: Int64) throws -> [Mark] {
        try database.all(
            """
            SELECT mark_queue.kind, value, mark_queue.label FROM posts JOIN sources ON sources.key = source
            JOIN mark_queue ON mark_queue.service = sources.service AND item = post_id
            WHERE posts.key = ? AND number IS NOT NULL
            """, [.integer(post)]
        ) { Self.mark($0.text(0) ?? "", $0.bool(1), $0.text(2)) }.compactMap(\.self)
    }

    /// Whether a mark of the same kind on an item has yet to be told, or confirmed.
    func has(_ mark: Mark, onItem item: String, of service: Int64) throws -> Bool {
        try database.exists(
            "SELECT 1 FROM mark_queue WHERE service = ? AND item = ? AND kind = ?",
            [.integer(service), .text(item), .text(Self.parts(of: mark).kind)])
    }

    /// Notes that a server has accepted marks, except those that were changed since.
    package func noteSent(_ marks: some Sequence<QueuedMark>, to service: Int64) throws {
        try run("UPDATE mark_queue SET is_sent = \(Self.justSent)", marks, of: service)
    }

    /// Lets marks wait for items that the server doesn't have, or for labels that it can't have now.
    package func noteWaiting(_ marks: some Sequence<QueuedMark>, of service: Int64) throws {
        try run("UPDATE mark_queue SET is_sent = \(Self.sentWithoutItem)", marks, of: service)
    }

    /// Lets marks on items wait that the server wasn't found to have.
    package func wait(for items: [String], of service: Int64) throws {
        for item in items {
            try database.run(
                "UPDATE mark_queue SET is_sent = \(Self.unsentWithoutItem) WHERE service = ? AND item = ? AND NOT is_sent",
                [.integer(service), .text(item)])
        }
    }

    /// Lets marks be sent that have waited for items which the server has.
    package func resume(_ items: [String], of service: Int64) throws {
        for item in items {
            try database.run(
                """
                UPDATE mark_queue SET (is_sent, pull) = (0, NULL)
                WHERE service = ? AND item = ? AND is_sent IN (\(Self.withoutItem))
                """, [.integer(service), .text(item)])
        }
    }

    /// Lets the marks that wait on an item wait on another one, which is of the same post, until the server has it.
    func move(from item: String, to other: String, of service: Int64) throws {
        try database.run(
            """
            UPDATE OR REPLACE mark_queue SET (item, is_sent, pull) = (?, \(Self.unsentWithoutItem), NULL)
            WHERE service = ? AND item = ?
            """, [.text(other), .integer(service), .text(item)])
    }

    /// Keeps the marks for labels of a server that has none: they aren't to be sent, unless it has labels some day.
    package func keep(_ marks: some Sequence<QueuedMark>, of service: Int64) throws {
        try run("UPDATE mark_queue SET is_sent = \(Self.kept)", marks, of: service)
    }

    /// Lets the marks for labels be sent that were kept while the server had no labels.
    package func resumeKept(of service: Int64) throws {
        try database.run(
            "UPDATE mark_queue SET is_sent = 0 WHERE service = ? AND is_sent = \(Self.kept)", [.integer(service)])
    }

    /// Runs a statement for each of some marks that wasn't changed since.
    private func run(_ sql: String, _ marks: some Sequence<QueuedMark>, of service: Int64) throws {
        for mark in marks {
            try database.run(
                "\(sql) WHERE service = ? AND item = ? AND kind = ? AND version = ?",
                [
                    .integer(service), .text(mark.item), .text(Self.parts(of: mark.mark).kind), .integer(mark.version),
                ])
        }
    }

    /// Notes that the marks on a server are about to be asked for, and returns a number for ``end(pull:of:)``.
    package func beginPull(of service: Int64) throws -> Int64 {
        let pull = Int64.random(in: 1...Int64.max)
        try database.run(
            "UPDATE mark_queue SET pull = ? WHERE service = ? AND is_sent BETWEEN 1 AND \(Self.sentWithoutItem)",
            [.integer(pull), .integer(service)])
        return pull
    }

    /// The items of marks that a server shows by not naming them, as it does if it has the items no more: the latest first.
    ///
    /// - Parameter pull: from ``beginPull(of:)``.
    package func itemsOfUnnamed(pull: Int64, of service: Int64, limit: Int) throws -> [String] {
        try database.texts(
            """
            SELECT DISTINCT item FROM mark_queue WHERE service = ? AND pull = ? AND is_sent IN (\(Self.justSent), \(Self.sentBefore)) AND value = (kind = 'read')
            ORDER BY item DESC LIMIT ?
            """, [.integer(service), .integer(pull), .integer(Int64(limit))])
    }

    /// What a server says of a mark that it was told.
    enum Confirmation {
        case shown
        case notShown
        /// It doesn't have the item.
        case withoutItem
        /// It was asked whether it has the item, and failed to answer.
        case unanswered
    }

    /// Forgets the marks that had been sent when the server was asked, and that it shows; those that it has not taken are sent
    /// again.
    ///
    /// - Parameter confirmation: what the server says of a mark on an item, which it may have been found not to have.
    /// - Returns: how many of the marks that were just sent the server hasn't taken, or are for items that it doesn't have.
    func end(
        pull: Int64, of service: Int64,
        confirmation: (_ mark: Mark, _ item: String, _ wasMissing: Bool) -> Confirmation
    ) throws -> Int {
        let sent = try database.all(
            "SELECT item, kind, value, label, is_sent FROM mark_queue WHERE service = ? AND pull = ? AND is_sent",
            [.integer(service), .integer(pull)]
        ) { row in
            Self.mark(row.text(1) ?? "", row.bool(2), row.text(3)).map {
                (item: row.text(0) ?? "", mark: $0, state: row.integer(4))
            }
        }.compactMap(\.self)
        var waiting = 0
        for (item, mark, state) in sent {
            let confirmation = confirmation(mark, item, state == Self.sentWithoutItem)
            if [.withoutItem, .notShown].contains(confirmation), state == Self.justSent { waiting += 1 }
            let sql =
                switch confirmation {
                case .shown: "DELETE FROM mark_queue"
                // Another program may have set it since.
                case .notShown where state == Self.sentBefore && !Self.parts(of: mark).value: "DELETE FROM mark_queue"
                case .notShown: "UPDATE mark_queue SET (is_sent, pull) = (0, NULL)"
                case .withoutItem: "UPDATE mark_queue SET (is_sent, pull) = (\(Self.sentWithoutItem), NULL)"
                case .unanswered: "UPDATE mark_queue SET pull = NULL"
                }
            try database.run(
                "\(sql) WHERE service = ? AND item = ? AND kind = ?",
                [.integer(service), .text(item), .text(Self.parts(of: mark).kind)])
        }
        return waiting
    }

    /// Notes that marks which were sent in a sync that didn't end are older than the one that begins.
    package func beginSync(of service: Int64) throws {
        try database.run(
            "UPDATE mark_queue SET is_sent = \(Self.sentBefore) WHERE service = ? AND is_sent = \(Self.justSent)",
            [.integer(service)])
    }

    /// What `is_sent` is for marks that were sent in this sync, in an earlier one, and on items that the server didn't have.
    private static let (justSent, sentBefore): (Int64, Int64) = (1, 2)
    static let sentWithoutItem: Int64 = 3
    /// That of marks which a server can't have, and of those on items that it doesn't have and that it was never told: it can't
    /// show these.
    private static let (kept, unsentWithoutItem): (Int64, Int64) = (4, 5)
    static let withoutItem = "\(sentWithoutItem), \(unsentWithoutItem)"

    /// The marks of an item that its server has yet to be told.
    func marks(of item: String, _ service: Int64) throws -> [Mark] {
        try database.all(
            "SELECT kind, value, label FROM mark_queue WHERE service = ? AND item = ?",
            [.integer(service), .text(item)]
        ) { Self.mark($0.text(0) ?? "", $0.bool(1), $0.text(2)) }.compactMap(\.self)
    }

    /// The items of marks that were sent, and that the server may not have.
    package func itemsInDoubt(of service: Int64, at now: Date) throws -> [String] {
        let items = try database.texts(
            """
            SELECT DISTINCT item FROM mark_queue
            WHERE service = ? AND is_sent IN (\(Self.withoutItem)) AND item NOT LIKE '\(ServiceItems.formerItem)%'
            """, [.integer(service)])
        return items.isEmpty
            ? []
            : items.filter { [deleted = Set(try ServiceItems(database, service: service).lately(deleted: now))] in
                !deleted.contains($0)
            }
    }

    /// Lets the marks for a label wait, which the server didn't take, though it said so; returns how many there are.
    package func takeBack(label: String, of service: Int64) throws -> Int {
        try database.run(
            """
            UPDATE mark_queue SET (is_sent, pull) = (0, NULL)
            WHERE service = ? AND kind = ? AND value AND is_sent IN (\(Self.justSent), \(Self.sentBefore))
            """,
            [.integer(service), .text(Self.kind(ofLabel: label))])
        return database.changes
    }

    /// The kind of a mark, of which an item has one, and its value; case and accents of a label don't count.
    private static func parts(of mark: Mark) -> (kind: String, value: Bool) {
        switch mark {
        case .read: ("read", true)
        case .unread: ("read", false)
        case .saved: ("saved", true)
        case .unsaved: ("saved", false)
        case .labelled(let label): (kind(ofLabel: label), true)
        case .unlabelled(let label): (kind(ofLabel: label), false)
        }
    }

    /// The kind of the marks for a label.
    private static func kind(ofLabel label: String) -> String { "label " + Folding.searchable(label) }

    private static func mark(_ kind: String, _ value: Bool, _ label: String?) -> Mark? {
        switch kind {
        case "read": value ? .read : .unread
        case "saved": value ? .saved : .unsaved
        default: label.map { value ? .labelled($0) : .unlabelled($0) }
        }
    }
}

/// A mark that a server has yet to be told.
package struct QueuedMark: Hashable, Sendable {
    /// The ID of the item at the server.
    package let item: String
    package let mark: Mark
    /// Changes with the mark.
    package let version: Int64
}
