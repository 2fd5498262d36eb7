import BlogEssentials
import BlogModel

/// Writes a source's list inside a transaction.
///
/// Posts that are missing from it are delisted but stay readable.
struct ListWriter {
    private let database: Database
    private let bodies: Bodies
    private let sourceKey: Int64
    private var writer: PostWriter
    private let coverage: Coverage
    private let now: Date
    /// Whether the source has no stored posts.
    private let isNew: Bool
    /// Inserted posts that the source's counts don't include yet.
    private var uncounted = PostCounts()
    private var seen: Set<Int64> = []
    private var written: Set<Int64> = []
    /// New and changed posts that have yet to be written.
    private var pending: [Entry] = []
    /// The index in ``pending`` of each post that is stored already, by its key.
    private var pendingIndexes: [Int64: Int] = [:]
    /// The digests of entries whose bytes changed, but not what they say.
    private var newDigests: [(digest: Int64?, post: Int64)] = []
    /// The current list, if the source lists only its newest posts.
    private var currentList: CurrentList?
    /// Whether an entry that was left out because it was stored no longer is: the list must be read again.
    private var lacksEntries = false
    private var changes = ListChanges()
    private var flaws = ListFlaws()

    init(_ source: SourceID, _ coverage: Coverage, _ mark: RefreshMark, in database: Database) throws {
        self.database = database
        bodies = Bodies(database)
        self.coverage = coverage
        now = mark.refreshedAt
        currentList = coverage == .window ? CurrentList() : nil
        sourceKey = try SourceRow.key(of: source, in: database)
        writer = try PostWriter(database: database, sourceKey: sourceKey, now: now, home: mark.checkpoint.home)
        isNew = try !SourceRow.hasPosts(sourceKey, in: database)
    }

    /// Whether the list is of the same blog as the posts up to a key: it has one of them, or two of their titles.
    func isKnown(besides lastKey: Int64) throws -> Bool {
        if isNew || changes.unchanged + changes.updated > 0 { return true }
        let titles = try database.integer(
            """
            SELECT count(DISTINCT title_key) FROM posts WHERE source = ?1 AND key > ?2 AND title <> ''
                AND title_key IN (SELECT title_key FROM posts WHERE source = ?1 AND key <= ?2)
            """, [.integer(sourceKey), .integer(lastKey)])
        return titles ?? 0 >= 2
    }

    mutating func add(_ batch: EntryBatch) throws {
        if isNew { writer.note(first: batch.entries.lazy.map(\.metadata)) }
        // A post without a number may be stored already.
        let isInserted = isNew && batch.entries.allSatisfy { $0.numbering == nil }
        // Their posts don't belong to other entries.
        if !batch.unchanged.isEmpty { try confirm(batch.unchanged) }
        if isInserted {
            try insert(batch.entries)
        } else {
            for entry in batch.entries { try compare(entry) }
        }
        for record in batch.rejected { try store(record) }
        if pending.count >= Self.maxPending { try writePending() }
    }

    /// Writes the rest and records the response's validators.
    ///
    /// The validators of a flawed list are dropped: it is read again next time, so that its warnings are repeated.
    mutating func finish(_ mark: RefreshMark) throws -> (changes: ListChanges, flaws: ListFlaws) {
        try uncounted.add(to: sourceKey, in: database)
        try writePending()
        for (digest, post) in newDigests { try writer.setDigest(digest, of: post) }
        if !isNew, coverage == .complete, !flaws.hasUnknownRecord {
            changes.delisted = try delist()
        }
        try currentList?.save(of: sourceKey, in: database, at: now)
        try SourceRow.save(flaws.isEmpty && !lacksEntries ? mark : mark.withoutValidators, of: sourceKey, in: database)
        return (changes, flaws)
    }

    /// Inserts records of a new source, which need no comparison.
    private mutating func insert(_ entries: [Entry]) throws {
        for entry in entries {
            let sortKey = SortKey(entry.metadata)
            if try writer.insert(entry.metadata, entry.content, sortKey, isListed: true, digest: entry.digest) {
                changes.new += 1
                uncounted.note(entry.metadata, entry.content, isListed: true)
                try bodies.save(entry.content, ofNewPost: database.lastInsertedKey, at: now)
            } else {
                flaws.note(duplicate: entry.metadata.id)
                let key = try writer.save(entry.metadata, entry.content, isListed: true).key
                try bodies.save(entry.content, ofPost: key, at: now)
            }
        }
    }

    /// Counts entries that were left out because they are stored.
    private mutating func confirm(_ digests: [Int64]) throws {
        let stored = try CurrentList.entries(of: sourceKey, in: database, at: now)
        for digest in digests {
            guard let post = stored[digest] else {
                lacksEntries = true
                continue
            }
            currentList?.add(post.id)
            if seen.insert(post.key).inserted { changes.unchanged += 1 }
        }
    }

    /// Compares a record with the stored post; if it differs, adds it to ``pending``.
    private mutating func compare(_ arrived: Entry) throws {
        if isNew, written.isEmpty { return pending.append(arrived) }
        var metadata = arrived.metadata
        if arrived.numbering != nil {
            func isTaken(_ post: Int64) -> Bool { seen.contains(post) || pendingIndexes[post] != nil }
            guard let post = try EntryIdentity(sourceKey: sourceKey, database: database).samePost(arrived, isTaken)
            else {
                return pending.append(arrived)
            }
            // A copy of another entry.
            if isTaken(post.key) { return }
            metadata = try EntryNumbers(of: sourceKey, in: database, now: now).known(arrived, as: post).metadata
        }
        guard let stored = try writer.find(metadata.id) else { return pending.append(arrived) }
        let isFirst = seen.insert(stored.key).inserted
        currentList?.add(metadata.id)
        if !isFirst { flaws.note(duplicate: metadata.id) }
        // If a post occurs twice, the last record wins; the first may have differed from the stored post.
        if let index = pendingIndexes[stored.key] {
            pending[index] = arrived
        } else if isFirst, stored.isListed, stored.metadata == metadata, try isStored(arrived.content, of: stored.key) {
            changes.unchanged += 1
            if arrived.digest != stored.digest { newDigests.append((arrived.digest, stored.key)) }
        } else {
            pendingIndexes[stored.key] = pending.count
            pending.append(arrived)
        }
    }

    private mutating func writePending() throws {
        guard !pending.isEmpty else { return }
        var numbers = EntryNumbers(of: sourceKey, in: database, now: now)
        let identity = EntryIdentity(sourceKey: sourceKey, database: database)
        let posts =
            try isNew ? [:] : identity.posts(of: pending) { seen.contains($0) && pendingIndexes[$0] == nil }
        for (index, entry) in pending.enumerated() {
            var (id, key, outcome) = (entry.metadata.id, Int64(0), PostWriter.Outcome.unchanged)
            if entry.numbering != nil {
                (id, key, outcome) = try numbers.save(entry, as: posts[index], with: writer, isFirst: isNew)
            } else {
                (key, outcome) = try writer.save(entry.metadata, entry.content, isListed: true, digest: entry.digest)
            }
            if outcome == .new {
                try bodies.save(entry.content, ofNewPost: key, at: now)
            } else {
                try bodies.save(entry.content, ofPost: key, at: now)
                if entry.digest != nil { try writer.setDigest(entry.digest, of: key) }
            }
            seen.insert(key)
            currentList?.add(id)
            guard written.insert(key).inserted else {
                flaws.note(duplicate: id)
                continue
            }
            switch outcome {
            case .new: changes.new += 1
            case .updated: changes.updated += 1
            case .unchanged: changes.unchanged += 1
            }
        }
        try numbers.finish()
        pending = []
        pendingIndexes = [:]
    }

    private func isStored(_ content: Entry.Content?, of post: Int64) throws -> Bool {
        guard let content else { return true }
        return try StoredText.isStored(content.text, in: content.format, ofPost: post, in: database)
    }

    /// Notes a record that can't be read; its post stays listed.
    private mutating func store(_ record: RejectedRecord) throws {
        flaws.note(record)
        if let id = record.id, let key = try writer.find(id)?.key { seen.insert(key) }
    }

    private func delist() throws -> Int {
        let rows = try database.statement(
            "SELECT key FROM posts WHERE source = ? AND listed = 1", [.integer(sourceKey)])
        var gone: [Int64] = []
        while try rows.step() {
            if !seen.contains(rows.integer(0)) { gone.append(rows.integer(0)) }
        }
        rows.reset()
        for key in gone { try writer.setListed(key, false) }
        return gone.count
    }

    /// How many new and changed posts are compared with each other before they are written.
    private static let maxPending = 8192
}

extension PostStore {
    /// Stores a source's list and its mark, all of it or nothing; rethrows the errors of its entries.
    ///
    /// - Parameter error: thrown, and nothing is stored, if the list has neither one of the stored posts nor two of their
    ///   titles; nil to store it anyway.
    package func storeList(
        of source: SourceID, _ coverage: Coverage = .complete, mark: RefreshMark, _ entries: any EntryBatches,
        ifUnknown error: (any Error)? = nil
    ) async throws -> (changes: ListChanges, flaws: ListFlaws) {
        try await connection.write { database in
            let lastKey = error == nil ? nil : try database.integer("SELECT max(key) FROM posts") ?? 0
            var writer = try ListWriter(source, coverage, mark, in: database)
            var entries = entries
            while let batch = try entries.next() { try writer.add(batch) }
            let list = try writer.finish(mark)
            if let error, let lastKey, try !writer.isKnown(besides: lastKey) { throw error }
            return list
        }
    }
}
