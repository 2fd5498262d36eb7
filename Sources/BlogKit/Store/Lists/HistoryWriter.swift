import BlogEssentials
import BlogModel

/// An entry that another reader has stored, with its marks.
package struct KeptEntry: Sendable {
    package let entry: Entry
    package let isRead: Bool
    package let isSaved: Bool
    /// Whether the other reader no longer lists it.
    package let isDeleted: Bool

    package init(_ entry: Entry, isRead: Bool, isSaved: Bool, isDeleted: Bool) {
        (self.entry, self.isRead, self.isSaved, self.isDeleted) = (entry, isRead, isSaved, isDeleted)
    }
}

/// Adds the posts that another reader has stored of a source, oldest first.
///
/// Posts that are stored already stay as they are, and get the marks.
struct HistoryWriter {
    let database: Database

    func add(_ kept: [KeptEntry], to source: SourceID, at now: Date) throws -> HistoryReport {
        let sourceKey = try SourceRow.key(of: source, in: database)
        let isFirst = try !SourceRow.hasPosts(sourceKey, in: database)
        let writer = try PostWriter(database: database, sourceKey: sourceKey, now: now, notesChanges: false)
        let numbers = EntryNumbers(of: sourceKey, in: database, now: now)
        let identity = EntryIdentity(sourceKey: sourceKey, database: database)
        let stored = try isFirst ? [:] : identity.posts(of: kept.map(\.entry)) { _ in false }
        var report = HistoryReport()
        var list = CurrentList()
        for (index, post) in kept.enumerated() {
            if let known = stored[index] {
                report.marked += try mark(known.key, as: post) ? 1 : 0
            } else if !post.isDeleted {
                let (id, key, _) = try numbers.save(post.entry, as: nil, with: writer, isFirst: isFirst)
                try Bodies(database).save(post.entry.content, ofNewPost: key, at: now)
                try writer.setDigest(Self.digest, of: key)
                list.add(id)
                _ = try mark(key, as: post)
                report.added += 1
            }
        }
        // As the last list of its feed, so that entries without GUID and link are found again.
        if isFirst { try list.save(of: sourceKey, in: database, at: now) }
        return report
    }

    /// Stands for the digest of an entry that another reader has decoded: what its feed says otherwise isn't a change.
    static let digest: Int64 = -1

    /// Adds marks, and removes none; false if that changes nothing.
    private func mark(_ post: Int64, as kept: KeptEntry) throws -> Bool {
        let (isRead, isSaved) = (kept.isRead || kept.isDeleted, kept.isSaved)
        try database.run(
            "UPDATE posts SET (is_read, is_saved) = (is_read OR ?1, is_saved OR ?2) WHERE key = ?3 AND (is_read < ?1 OR is_saved < ?2)",
            [.bool(isRead), .bool(isSaved), .integer(post)])
        return database.changes > 0
    }
}
