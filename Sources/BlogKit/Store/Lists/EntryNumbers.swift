import BlogEssentials
import BlogModel

/// Numbers the posts of a source whose IDs aren't suitable for typing, in order of arrival.
///
/// A post keeps its number forever, and the date that it had when it was first seen, unless the clock was wrong then. A post
/// with a future date is sorted by when it was first seen.
///
/// ``finish()`` stores the last number and counts the new posts, because changing the row of their source takes as long
/// as inserting a post.
struct EntryNumbers {
    private let database: Database
    private let sourceKey: Int64
    private let now: Date
    /// The last number that was given; nil if none was.
    private var last: Int64?
    private var counts = PostCounts()

    /// - Parameter now: when the list was fetched.
    init(of sourceKey: Int64, in database: Database, now: Date) {
        self.database = database
        self.sourceKey = sourceKey
        self.now = now
    }

    private var identity: EntryIdentity { EntryIdentity(sourceKey: sourceKey, database: database) }

    /// The metadata of an entry with the number of the stored post that it belongs to.
    func known(_ entry: Entry, as post: EntryIdentity.Candidate) throws -> (metadata: PostMetadata, sortKey: SortKey) {
        var metadata = entry.metadata
        (metadata.id, metadata.postId) = (post.id, try identity.identity(of: post, as: entry))
        guard isOfWrongClock(post) else {
            if let date = post.date { metadata.publishDate = date }
            return (metadata, SortKey(metadata, date: post.sortDate))
        }
        if entry.numbering?.hasDate != true {
            metadata.publishDate = Timestamp(secondsSince1970: Int(now.timeIntervalSince1970))
        }
        return (metadata, SortKey(metadata, date: sortDate(metadata, of: Int64(post.id) ?? 0)))
    }

    /// Whether the date of a post is that of its arrival under a wrong clock: one in the future, or one that began in 1970,
    /// as clocks without a battery do.
    private func isOfWrongClock(_ post: EntryIdentity.Candidate) -> Bool {
        !Self.plausibleDates(at: now).contains(post.sortDate)
    }

    /// The dates by which posts are sorted, in milliseconds since 1970, unless the clock was wrong when they arrived.
    static func plausibleDates(at now: Date) -> ClosedRange<Int64> {
        let year: Int64 = 365 * 86_400_000
        // Those of the same second differ by their numbers.
        return year...max(year, now.millisecondsSince1970 + 1000)
    }

    /// The metadata of an entry with the next number, or its old number if its post was deleted.
    private mutating func next(
        _ entry: Entry, besides pruned: PrunedPosts?, isFirst: Bool
    ) throws -> (metadata: PostMetadata, sortKey: SortKey, number: Int64) {
        var metadata = entry.metadata
        metadata.postId = try identity.identity(ofNew: entry, isFirst: isFirst)
        let pruned = try pruned?.find(
            PrunedPosts.identity(guid: metadata.postId, title: metadata.title, link: metadata.link))
        let number = try pruned?.number.flatMap { try isFree($0) ? $0 : nil } ?? nextNumber()
        metadata.id = String(number)
        if entry.numbering?.hasDate != true {
            let seenAt = pruned.map { $0.seenAt / 1000 } ?? Int64(now.timeIntervalSince1970)
            metadata.publishDate = Timestamp(secondsSince1970: Int(seenAt))
        }
        return (metadata, SortKey(metadata, date: sortDate(metadata, of: number)), number)
    }

    /// The date by which a post with a number is sorted, in milliseconds since 1970.
    ///
    /// Posts of a feed without dates, or with days only, often have the same date. Its feed lists the newest first, so
    /// they are numbered in the opposite order, and a higher number is a later millisecond of the same second.
    /// One with a later date than its arrival, such as an event, is sorted by its arrival; within the same second, those of
    /// later dates come after the others.
    static func sortDate(_ date: Int64, of number: Int64, arrivingAt now: Int64) -> Int64 {
        guard date > now else { return date % 1000 == 0 ? date + number % 1000 : date }
        let year: Int64 = 366 * 86_400_000
        return now - now % 1000 + min(date - now, year) * 998 / year
    }

    private func sortDate(_ metadata: PostMetadata, of number: Int64) -> Int64 {
        Self.sortDate(metadata.publishDate.milliseconds, of: number, arrivingAt: now.millisecondsSince1970)
    }

    /// Stores a listed entry as a stored post, or with the next number.
    ///
    /// - Parameter isFirst: whether nothing of its source was stored before its list.
    mutating func save(
        _ entry: Entry, as post: EntryIdentity.Candidate?, with writer: PostWriter, isFirst: Bool = false
    ) throws -> (id: String, key: Int64, outcome: PostWriter.Outcome) {
        if let post {
            let (metadata, sortKey) = try known(entry, as: post)
            let (key, outcome) = try writer.save(metadata, entry.content, sortKey, isListed: true, digest: entry.digest)
            return (metadata.id, key, outcome)
        }
        let (metadata, sortKey, number) = try next(entry, besides: writer.pruned, isFirst: isFirst)
        _ = try writer.insert(
            metadata, entry.content, sortKey, isListed: true, number: number, digest: entry.digest)
        counts.note(metadata, entry.content, isListed: true)
        return (metadata.id, database.lastInsertedKey, .new)
    }

    /// Whether no post has a number: an import may have brought one.
    private func isFree(_ number: Int64) throws -> Bool {
        try Self.range.contains(number) && !isTaken(String(number))
    }

    /// The next number that no post of the source has.
    mutating func nextNumber() throws -> Int64 {
        let sql = "SELECT last_number FROM sources WHERE key = ?"
        var number = try last ?? database.integer(sql, [.integer(sourceKey)]) ?? 0
        repeat {
            guard Self.range.contains(number &+ 1) else { throw StoreError.Reason.damaged }
            number += 1
            // A post without a number may have this id.
        } while try isTaken(String(number))
        last = number
        return number
    }

    /// Reserves the numbers up to one that an import has used.
    func note(_ number: Int64) throws {
        let sql = "UPDATE sources SET last_number = max(last_number, ?) WHERE key = ?"
        try database.run(sql, [.integer(number), .integer(sourceKey)])
    }

    /// Stores the last number, and counts the new posts.
    func finish() throws {
        try counts.add(to: sourceKey, in: database)
        if let last { try note(last) }
    }

    func isTaken(_ id: String) throws -> Bool {
        try PostRow.key(of: id, sourceKey, in: database) != nil
    }

    static let range: ClosedRange<Int64> = 1...1_000_000_000_000
    /// The numbers that imported posts may keep: this leaves more numbers than a feed will ever need.
    private static let importable: ClosedRange<Int64> = 1...1_000_000_000

    /// The number of an imported post; nil if its id isn't a number that it may keep.
    static func number(_ id: String) -> Int64? {
        Int64(id).flatMap { importable.contains($0) && String($0) == id ? $0 : nil }
    }
}
