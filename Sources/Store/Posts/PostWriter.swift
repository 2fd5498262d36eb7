import Foundation
import Model
import SQLite

/// Writes the posts of one blog inside a transaction.
struct PostWriter {
    private let database: Database
    private let blog: Int64
    private let now: Int64
    private let index: SearchIndex
    private let insertion: Statement
    /// Notes which posts have changed; nil where that is not recorded.
    private let changes: PostChanges?
    /// Of which posts of the blog something is left; nil for none.
    private let pruned: PrunedPosts?

    /// A writer; `now` is when the posts were fetched.
    ///
    /// - Parameter notesChanges: whether posts with other words than before are noted as changed.
    init(database: Database, blog: Int64, now: Date, notesChanges: Bool = true) throws {
        self.database = database
        self.blog = blog
        self.now = now.millisecondsSince1970
        index = SearchIndex(database: database)
        changes = notesChanges ? PostChanges(database: database, now: now) : nil
        let pruned = PrunedPosts(of: blog, in: database)
        self.pruned = try pruned.isEmpty ? nil : pruned
        insertion = try database.prepared(PostRow.insert)
    }

    enum Outcome {
        case new
        case updated
        case unchanged
    }

    /// Stores one post; its sort keys are computed here and nowhere else.
    ///
    /// - Parameter isListed: whether it is on the list from now on; if not, it stays where it is.
    @discardableResult
    func save(
        _ metadata: PostMetadata, _ sortKey: SortKey? = nil, isListed: Bool
    ) throws -> (key: Int64, outcome: Outcome) {
        guard let (key, stored, wasListed) = try find(metadata.id) else {
            _ = try insert(metadata, sortKey ?? SortKey(metadata), isListed: isListed)
            return (database.lastInsertedKey, .new)
        }
        if stored?.reads(as: metadata) != true { try changes?.note(key) }
        if isListed && !wasListed { try list(key, true) }
        if stored != metadata {
            // Points and replies change all the time, words hardly ever.
            if stored?.hasSameWords(as: metadata) != true { try index.noteChange(of: key) }
            let update = try database.prepared(PostRow.update)
            let next = try PostRow.bind(metadata, sortKey ?? SortKey(metadata), to: update, from: 1)
            try update.bind(now, at: next)
            try update.bind(key, at: next + 1)
            try update.run()
            // Validators don't apply to another address.
            if stored?.postId != metadata.postId {
                try database.run("UPDATE bodies SET etag = NULL, last_modified = NULL WHERE post = ?", [.integer(key)])
            }
            return (key, .updated)
        }
        return (key, .unchanged)
    }

    /// Puts a post on the list or takes it off.
    func list(_ key: Int64, _ isListed: Bool) throws {
        try database.run(
            "UPDATE posts SET listed = ?, changed_at = ? WHERE key = ?",
            [.integer(isListed ? 1 : 0), .integer(now), .integer(key)])
    }

    /// Inserts a post of which nothing is stored; false if there is one of its id.
    func insert(_ metadata: PostMetadata, _ key: SortKey, isListed: Bool) throws -> Bool {
        insertion.reset()
        try insertion.bind(blog, at: 1)
        let next = try PostRow.bind(metadata, key, to: insertion, from: 2)
        try insertion.bind(now, at: next)
        try insertion.bind(isListed ? 1 : 0, at: next + 1)
        try insertion.run()
        guard database.changes == 1 else { return false }
        try pruned?.restore(
            database.lastInsertedKey, knownBy: [.id(metadata.id), .guid(metadata.postId)])
        return true
    }

    /// The post of an id; nil if none is stored, and without metadata if that can't be read.
    func find(_ id: String) throws -> (key: Int64, metadata: PostMetadata?, isListed: Bool)? {
        let sql = "SELECT \(PostRow.columns), key, listed FROM posts WHERE blog = ? AND id = ?"
        return try database.first(sql, [.integer(blog), .text(id)]) { row in
            (
                row.integer(PostRow.columnCount), try? PostRow.metadata(of: row),
                row.integer(PostRow.columnCount + 1) == 1
            )
        }
    }
}

extension PostMetadata {
    fileprivate func hasSameWords(as other: PostMetadata) -> Bool {
        (title, summary, author.name) == (other.title, other.summary, other.author.name)
            && SearchedPhoto.words(photo) == SearchedPhoto.words(other.photo)
            && (discussion == nil, discussion?.parent == nil) == (
                other.discussion == nil, other.discussion?.parent == nil
            )
    }
}
