import BlogEssentials
import BlogModel

/// Writes the posts of one source inside a transaction.
struct PostWriter {
    private let database: Database
    private let sourceKey: Int64
    private let now: Int64
    private let index: SearchIndex
    private let insertion: Statement
    /// Records changed posts; nil to record none.
    private let changes: PostChanges?
    private var site: Stories.Site
    /// The deleted posts of the source; nil if there are none.
    let pruned: PrunedPosts?

    /// - Parameters:
    ///   - now: when the posts were fetched.
    ///   - home: the site that their list says it is of; nil for what is stored.
    ///   - notesChanges: whether to record that the words of posts have changed.
    init(database: Database, sourceKey: Int64, now: Date, home: String? = nil, notesChanges: Bool = true) throws {
        self.database = database
        self.sourceKey = sourceKey
        self.now = now.millisecondsSince1970
        index = SearchIndex(database)
        changes = notesChanges ? PostChanges(database: database, now: now) : nil
        site = try Stories.Site(of: sourceKey, home: home, in: database)
        let pruned = PrunedPosts(of: sourceKey, in: database)
        self.pruned = try pruned.isEmpty ? nil : pruned
        insertion = try database.prepared(PostRow.insert)
    }

    private var stories: Stories { Stories(database) }

    /// Learns from the first posts of a source whether it is of the site that it says it is of.
    mutating func note(first posts: some Sequence<PostMetadata>) {
        site.confirm(by: posts.lazy.compactMap(\.link))
    }

    enum Outcome {
        case new
        case updated
        case unchanged
    }

    /// Inserts or updates a post.
    ///
    /// - Parameters:
    ///   - content: its text, if that came along, which the caller stores; nil if not.
    ///   - sortKey: nil for the default one.
    ///   - isListed: whether to list the post; false leaves a stored post as it is.
    ///   - digest: of the entry that a new post is stored from; nil if unknown.
    @discardableResult
    func save(
        _ metadata: PostMetadata, _ content: Entry.Content?, _ sortKey: SortKey? = nil, isListed: Bool,
        digest: Int64? = nil
    ) throws -> (key: Int64, outcome: Outcome) {
        guard let (key, stored, wasListed, known) = try find(metadata.id) else {
            return (try add(metadata, content, sortKey ?? SortKey(metadata), isListed: isListed, digest: digest), .new)
        }
        if stored?.reads(as: metadata) != true, known != HistoryWriter.digest { try changes?.note(key) }
        if isListed && !wasListed { try setListed(key, true) }
        if stored != metadata {
            // Scores and replies change all the time, words hardly ever.
            let hasSameWords = stored?.hasSameWords(as: metadata) == true
            if !hasSameWords { try index.noteChange(of: key) }
            let update = try database.prepared(PostRow.update)
            let next = try PostRow.bind(metadata, sortKey ?? SortKey(metadata), to: update, from: 1)
            try update.bind(now, at: next)
            try update.bind(key, at: next + 1)
            try update.run()
            // The validators belong to the old address.
            if stored?.postId != metadata.postId {
                try database.run("UPDATE bodies SET etag = NULL, last_modified = NULL WHERE post = ?", [.integer(key)])
            }
            if stored?.link != metadata.link { try Articles(database).forgetRequest(of: key) }
            if !hasSameWords || stored?.postId != metadata.postId {
                try stories.note(Stories.story(of: metadata, content, site), of: key, sourceKey)
            }
            return (key, .updated)
        }
        return (key, .unchanged)
    }

    /// Inserts and counts a new post, and returns its key.
    private func add(
        _ metadata: PostMetadata, _ content: Entry.Content?, _ sortKey: SortKey, isListed: Bool, digest: Int64?
    ) throws -> Int64 {
        _ = try insert(metadata, content, sortKey, isListed: isListed, digest: digest)
        let key = database.lastInsertedKey
        var counts = PostCounts()
        counts.note(metadata, content, isListed: isListed)
        try counts.add(to: sourceKey, in: database)
        return key
    }

    func setListed(_ key: Int64, _ isListed: Bool) throws {
        try database.run(
            "UPDATE posts SET listed = ?, changed_at = ? WHERE key = ?",
            [.bool(isListed), .integer(now), .integer(key)])
    }

    /// Notes the digest of the entry that a post is stored from.
    func setDigest(_ digest: Int64?, of key: Int64) throws {
        try database.run("UPDATE posts SET digest = ? WHERE key = ?", [DatabaseValue(digest), .integer(key)])
    }

    /// Inserts a new post, which the caller counts; returns false if its id exists already.
    ///
    /// - Parameters:
    ///   - content: its text, if that came along, which the caller stores; nil if not.
    ///   - number: nil for a post with an ID of its source.
    ///   - digest: of the entry that it is stored from; nil if unknown.
    func insert(
        _ metadata: PostMetadata, _ content: Entry.Content?, _ key: SortKey, isListed: Bool, number: Int64? = nil,
        digest: Int64?
    ) throws -> Bool {
        let place = try stories.place(Stories.story(of: metadata, content, site), of: nil, sourceKey)
        insertion.reset()
        try insertion.bind(sourceKey, at: 1)
        let next = try PostRow.bind(metadata, key, to: insertion, from: 2)
        try insertion.bind(now, at: next)
        try insertion.bind(isListed ? 1 : 0, at: next + 1)
        try insertion.bind(place.story, at: next + 2)
        try insertion.bind(place.twin, at: next + 3)
        try insertion.bind(number, at: next + 4)
        try insertion.bind(digest, at: next + 5)
        // That of a new post.
        try insertion.bind(content == nil ? nil : 1, at: next + 6)
        try insertion.run()
        guard database.changes == 1 else { return false }
        let post = database.lastInsertedKey
        try pruned?.restore(post, of: metadata)
        try stories.join(place, of: post)
        return true
    }

    /// The post with an id; nil if it isn't stored.
    ///
    /// Its metadata is nil if it can't be read.
    func find(_ id: String) throws -> (key: Int64, metadata: PostMetadata?, isListed: Bool, digest: Int64?)? {
        let sql = "SELECT \(PostRow.columns), key, listed, digest FROM posts WHERE source = ? AND id = ?"
        return try database.first(sql, [.integer(sourceKey), .text(id)]) { row in
            (
                row.integer(PostRow.columnCount), try? PostRow.metadata(of: row), row.bool(PostRow.columnCount + 1),
                row.optionalInteger(PostRow.columnCount + 2)
            )
        }
    }
}

extension PostMetadata {
    fileprivate func hasSameWords(as other: PostMetadata) -> Bool {
        (title, summary, author.name) == (other.title, other.summary, other.author.name)
            && (link, entry?.tags ?? []) == (other.link, other.entry?.tags ?? [])
            && SearchedPhoto.words(photo) == SearchedPhoto.words(other.photo)
            && (discussion == nil, discussion?.parent == nil) == (
                other.discussion == nil, other.discussion?.parent == nil
            )
    }

    /// Whether a reader would see the same words; scores and replies change all the time.
    func reads(as other: PostMetadata) -> Bool {
        (title, summary, author.name, entry?.tags ?? [])
            == (other.title, other.summary, other.author.name, other.entry?.tags ?? [])
    }
}
