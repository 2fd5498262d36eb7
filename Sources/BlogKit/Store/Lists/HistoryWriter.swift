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
package struct HistoryWriter {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// - Parameter title: the source's title, unless it has one; nil if it is unknown.
    package func add(_ kept: [KeptEntry], to source: SourceID, title: String?, at now: Date) throws -> HistoryReport {
        let sourceKey = try SourceRow.key(of: source, in: database)
        try database.run(
            "UPDATE sources SET title = ifnull(title, ?) WHERE key = ?", [DatabaseValue(title), .integer(sourceKey)])
        let isFirst = try !SourceRow.hasPosts(sourceKey, in: database)
        var writer = try PostWriter(database: database, sourceKey: sourceKey, now: now, notesChanges: false)
        writer.note(first: kept.lazy.map(\.entry.metadata))
        var numbers = EntryNumbers(of: sourceKey, in: database, now: now)
        let identity = EntryIdentity(sourceKey: sourceKey, database: database)
        let stored = try isFirst ? [:] : identity.posts(of: kept.map(\.entry)) { _ in false }
        var report = HistoryReport()
        var list = CurrentList()
        for (index, post) in kept.enumerated() {
            if let known = stored[index] {
                try mark(known.key, as: post, &report)
            } else if post.isDeleted, !post.isSaved {
                try PrunedPosts(of: sourceKey, in: database).note(deleted: post.entry.metadata, at: now)
            } else {
                let (id, key, _) = try numbers.save(post.entry, as: nil, with: writer, isFirst: isFirst)
                try Bodies(database).save(post.entry.content, ofNewPost: key, at: now)
                try writer.setDigest(Self.digest, of: key)
                list.add(id)
                try mark(key, as: post, &report)
                report.added += 1
            }
        }
        try numbers.finish()
        // As the last list of its feed, so that entries without GUID and link are found again.
        if isFirst { try list.save(of: sourceKey, in: database, at: now) }
        return report
    }

    /// Stands for the digest of an entry that another reader has decoded: what its feed says otherwise isn't a change.
    static let digest: Int64 = -1

    /// Adds marks, and removes none.
    private func mark(_ post: Int64, as kept: KeptEntry, _ report: inout HistoryReport) throws {
        if kept.isRead || kept.isDeleted {
            report.read += try Marking.set(.read, [post], in: database) { _ in }
        }
        if kept.isSaved {
            report.saved += try Marking.set(.saved, [post], in: database) { _ in }
        }
    }
}
