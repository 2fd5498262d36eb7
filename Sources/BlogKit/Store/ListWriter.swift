import Foundation

/// Writes what a blog lists while the list arrives, all of it or nothing.
///
/// Posts that are not in it leave the list but stay readable. Nothing is written, and nobody else is kept from writing,
/// until there is a difference to what is stored.
struct ListWriter {
    private let database: Database
    private let address: BlogAddress
    private let now: Date
    /// The blog's row; nil until there is one.
    private var blog: Int64?
    /// Writes the posts of ``blog``.
    private var writer: PostWriter?
    /// Whether nothing of the blog is stored.
    private var isNew: Bool
    private var isWriting = false
    private var resumeCounting: ((_ posts: Int, _ blog: Int64) throws -> Void)?
    private var seen = KeySet()
    /// Posts that differ from what is stored and are still to be written.
    private var pending: [PostMetadata] = []
    private(set) var report = StoredList()

    /// A writer; `now` is when the list was learnt.
    init(_ address: BlogAddress, in database: Database, now: Date) throws {
        self.database = database
        self.address = address
        self.now = now
        blog = try BlogRow.find(address, in: database)?.key
        writer = try blog.map { try PostWriter(database: database, blog: $0, now: now) }
        isNew = try !Self.hasPosts(blog, in: database)
    }

    private static func hasPosts(_ blog: Int64?, in database: Database) throws -> Bool {
        guard let blog else { return false }
        return try database.first("SELECT 1 FROM posts WHERE blog = ? LIMIT 1", [.integer(blog)]) { _ in true } ?? false
    }

    /// Takes the next records of the list.
    mutating func add(_ batch: PreparedBatch) throws {
        if isNew { _ = try begin() }
        if isNew {
            try insert(batch)
        } else {
            for metadata in batch.records { try compare(metadata) }
        }
        for record in batch.rejected { try keep(record) }
        if pending.count >= Self.maxPending { try writePending() }
    }

    /// Writes the rest and notes the response.
    ///
    /// A list with flaws is read again next time, so that its warnings don't fall silent.
    mutating func finish(_ mark: RefreshMark) throws -> StoredList {
        let (blog, _) = try begin()
        try writePending()
        if !isNew, !report.hasUnknownRejected { report.changes.delisted = try delist(blog) }
        try BlogRow.save(report.isFlawed ? mark.withoutValidators : mark, of: blog, in: database)
        try resumeCounting?(report.changes.new, blog)
        try database.execute("COMMIT")
        return report
    }

    /// Takes back what was written.
    func abandon() {
        database.rollBack()
    }

    private mutating func preparedWriter(of blog: Int64) throws -> PostWriter {
        if let writer { return writer }
        let made = try PostWriter(database: database, blog: blog, now: now)
        writer = made
        return made
    }

    private mutating func begin() throws -> (blog: Int64, writer: PostWriter) {
        if !isWriting {
            try database.execute("BEGIN IMMEDIATE")
            isWriting = true
            // Another process may have stored the list while this one was waited for.
            blog = try BlogRow.key(of: address, in: database)
            isNew = try isNew && !Self.hasPosts(blog, in: database)
        }
        let key = try blog ?? BlogRow.key(of: address, in: database)
        blog = key
        return (key, try preparedWriter(of: key))
    }

    /// Inserts records of a blog that is new, where nothing need be compared.
    private mutating func insert(_ batch: PreparedBatch) throws {
        let (_, writer) = try begin()
        if resumeCounting == nil { resumeCounting = try PostIndexes(database: database).suspendCounting() }
        for (metadata, key) in zip(batch.records, batch.keys) {
            if try writer.insert(metadata, key ?? SortKey(metadata), isListed: true) {
                report.changes.new += 1
            } else {
                report.note(duplicate: metadata.id)
                try writer.save(metadata, isListed: true)
            }
        }
    }

    /// Compares a record with what is stored; one that differs waits to be written with others.
    private mutating func compare(_ metadata: PostMetadata) throws {
        guard let stored = try writer?.find(metadata.id) else { return pending.append(metadata) }
        let isFirst = seen.insert(stored.key)
        if !isFirst { report.note(duplicate: metadata.id) }
        // Of a post that comes twice the last record stands, and the first may have differed.
        if isFirst, stored.isListed, stored.metadata == metadata {
            report.changes.unchanged += 1
        } else {
            pending.append(metadata)
        }
    }

    private mutating func writePending() throws {
        guard !pending.isEmpty else { return }
        let (_, writer) = try begin()
        var inserted: Set<Int64> = []
        for metadata in pending {
            let (key, outcome) = try writer.save(metadata, isListed: true)
            switch outcome {
            case .new:
                report.changes.new += 1
                inserted.insert(key)
            case .updated: report.changes.updated += 1
            case .unchanged: report.changes.unchanged += 1
            }
            seen.insert(key)
            if outcome != .new, inserted.contains(key) { report.note(duplicate: metadata.id) }
        }
        pending = []
    }

    /// Keeps a post on the list whose record can't be read.
    private mutating func keep(_ record: RejectedRecord) throws {
        report.note(record)
        if let id = record.id, let key = try writer?.find(id)?.key { seen.insert(key) }
    }

    private mutating func delist(_ blog: Int64) throws -> Int {
        let rows = try database.statement("SELECT key FROM posts WHERE blog = ? AND listed = 1", [.integer(blog)])
        var gone: [Int64] = []
        while try rows.step() {
            if !seen.contains(rows.integer(0)) { gone.append(rows.integer(0)) }
        }
        rows.reset()
        let writer = try preparedWriter(of: blog)
        for key in gone { try writer.list(key, false) }
        return gone.count
    }

    /// How many posts wait to be written before the others are kept from writing.
    private static let maxPending = 8192
}

/// A set of rows by their keys, a bit each: keys are dense, and a list may have a million.
private struct KeySet {
    private var words: [UInt64] = []

    func contains(_ key: Int64) -> Bool {
        let word = Int(key >> 6)
        return word < words.count && words[word] & bit(key) != 0
    }

    /// Adds a key; false where it is there already.
    @discardableResult
    mutating func insert(_ key: Int64) -> Bool {
        let word = Int(key >> 6)
        if word >= words.count { words += Array(repeating: 0, count: word + 1 - words.count + words.count / 2) }
        defer { words[word] |= bit(key) }
        return words[word] & bit(key) == 0
    }

    private func bit(_ key: Int64) -> UInt64 { 1 << UInt64(key & 63) }
}
