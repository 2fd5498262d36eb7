import BlogEssentials
import BlogModel

/// Merges posts and sources of another store, in a transaction.
package struct Importing {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// The last post that is stored.
    func lastPost() throws -> Int64 { try database.integer("SELECT max(key) FROM posts") ?? 0 }

    /// Merges some posts of an archive, except for those that seem to be stored posts with other IDs: as the archive may have these,
    /// too, they are left in `progress`, to be merged after all others.
    func merge(_ posts: [ExportedPost], _ progress: inout ImportProgress) throws -> MergeReport {
        try merge(posts, &progress, areLast: false)
    }

    /// Merges the posts that were left.
    func mergeRest(_ progress: inout ImportProgress) throws -> MergeReport {
        let rest = progress.takeRest()
        return try merge(rest, &progress, areLast: true)
    }

    private func merge(_ posts: [ExportedPost], _ progress: inout ImportProgress, areLast: Bool) throws -> MergeReport {
        var report = MergeReport()
        let arriving = Dictionary(grouping: posts, by: \.sourceID)
        var keys: [SourceID: Int64] = [:]
        for imported in posts {
            let source = imported.sourceID
            let sourceKey = if let key = keys[source] { key } else { try key(of: source) }
            keys[source] = sourceKey
            guard let post = try renumbered(imported, sourceKey: sourceKey, &progress, isLast: areLast) else {
                progress.leave(imported)
                continue
            }
            let stored = try Exporting(database).find(post.metadata.id, of: sourceKey)
            var merged = stored?.merged(with: post) ?? post
            // Whether a server knows it by its ID is a fact of this store.
            if let stored, source.service != nil { merged.numbered = stored.numbered }
            report.comments += post.metadata.discussion?.parent == nil ? 0 : 1
            guard merged != stored else {
                report.unchanged += 1
                continue
            }
            try save(merged, sourceKey: sourceKey, isNew: stored == nil, among: arriving[source] ?? [])
            try queue(merged, besides: stored, sourceKey: sourceKey)
            if stored == nil { report.new += 1 } else { report.changed += 1 }
            // So that the next list is compared with the posts.
            try SourceRow.forgetValidators(of: sourceKey, in: database)
        }
        return report
    }

    /// The key of a source; the feed of a service belongs to that from now on, so that its server is told of marks.
    private func key(of source: SourceID) throws -> Int64 {
        let key = try SourceRow.key(of: source, in: database)
        if let service = source.service {
            try database.run(
                "UPDATE sources SET service = ? WHERE key = ? AND service IS NULL",
                [.integer(try SourceRow.key(of: service, in: database)), .integer(key)])
        }
        return key
    }

    /// Queues the marks that the server of a post has yet to be told: those that weren't sent from the other store, and
    /// those that a stored post gets.
    private func queue(_ post: ExportedPost, besides stored: ExportedPost?, sourceKey: Int64) throws {
        guard post.sourceID.service != nil, let key = try PostRow.key(of: post.metadata.id, sourceKey, in: database)
        else { return }
        let added = stored.map { Set(post.marks).subtracting($0.marks) } ?? []
        // The merge keeps every mark, so the server isn't told to take one back that either store has.
        let unsent = (post.unsent ?? []).compactMap { Mark(text: $0) }.filter { $0.isPossible && post.agrees(with: $0) }
        let marks = added.union(unsent)
        for mark in marks { try MarkQueue.add(mark, to: key, isImported: true, in: database) }
    }

    /// A numbered post with its number in this store, which may differ from the one in another store; nil if it is to be merged
    /// last, and isn't.
    private func renumbered(
        _ post: ExportedPost, sourceKey: Int64, _ progress: inout ImportProgress, isLast: Bool
    ) throws -> ExportedPost? {
        // The posts of a service have numbers of this store, also those that the server knows by no ID.
        // An archive may say otherwise of a post that this store has numbered.
        let isNumbered = try post.numbered == true || post.sourceID.service != nil || hasNumber(post, sourceKey)
        guard isNumbered else { return post }
        var post = try distinguished(post, sourceKey: sourceKey)
        if let here = try identity(of: post, sourceKey: sourceKey, progress) {
            guard isLast else { return nil }
            post.metadata.postId = here
        }
        var numbers = EntryNumbers(of: sourceKey, in: database, now: Date(millisecondsSince1970: post.changedAt))
        let known = try database.first(
            "SELECT id, key FROM posts WHERE source = ? AND post_id = ?",
            [.integer(sourceKey), .text(post.metadata.postId)]
        ) { (id: $0.text(0) ?? "", key: $0.integer(1)) }
        let id: String
        if let known {
            id = known.id
            progress.note(known.key)
        } else if let number = EntryNumbers.number(post.metadata.id), try !numbers.isTaken(post.metadata.id) {
            id = post.metadata.id
            try numbers.note(number)
        } else {
            id = String(try numbers.nextNumber())
        }
        try numbers.finish()
        var renumbered = post
        renumbered.metadata.mapIDs { _ in id }
        return renumbered
    }

    /// Whether the stored post with the ID of another one is numbered.
    private func hasNumber(_ post: ExportedPost, _ sourceKey: Int64) throws -> Bool {
        try database.exists(
            "SELECT 1 FROM posts WHERE source = ? AND id = ? AND number IS NOT NULL",
            [.integer(sourceKey), .text(post.metadata.id)])
    }

    /// The ID that a post has here, if its source has given it another one since: a sync server that was restored or installed
    /// anew, or a feed with new GUIDs; nil if it has its own, isn't stored, or another one of the archive is that post.
    private func identity(
        of post: ExportedPost, sourceKey: Int64, _ progress: ImportProgress
    ) throws -> String? {
        let isKnown = try database.exists(
            "SELECT 1 FROM posts WHERE source = ? AND post_id = ?",
            [.integer(sourceKey), .text(post.metadata.postId)])
        if isKnown { return nil }
        let here = try EntryIdentity(sourceKey: sourceKey, database: database).post(
            like: post.metadata, text: post.body?.text ?? "", where: "posts.key <= ?", [.integer(progress.lastPost)])
        return here.flatMap { progress.has($0.key) ? nil : $0.identity }
    }

    /// A post with an ID of its own if another one, with another title and link, has its GUID here: feeds that begin anew give
    /// the same ones again, and so do the databases of sync servers.
    private func distinguished(_ post: ExportedPost, sourceKey: Int64) throws -> ExportedPost {
        let own = post.metadata.postId
        // A sync server knows it by no ID.
        let isOfService = post.sourceID.service != nil
        let another = isOfService ? "\(ServiceItems.formerItem)0 \(own)" : own
        let stored = try database.all(
            """
            SELECT post_id, title, link, publish_date FROM posts
            WHERE source = ?1 AND (post_id = ?2 OR post_id BETWEEN ?3 AND ?4)
            """,
            [
                .integer(sourceKey), .text(own), .text(another),
                .text(another + String(Entry.separator) + "\u{7F}"),
            ]
        ) { row in
            (
                id: row.text(0) ?? "",
                isSame: post.metadata.isVersion(
                    ofTitle: row.text(1) ?? "", link: row.text(2), date: row.text(3).flatMap { Timestamp($0) })
            )
        }
        .filter { [own, another].contains($0.id) || $0.id.unicodeScalars.contains(Entry.separator) }
        guard let other = stored.first(where: { $0.id == own }), !other.isSame else { return post }
        var distinct = post
        if let same = stored.first(where: \.isSame) {
            distinct.metadata.postId = same.id
        } else {
            distinct.metadata.postId = another
            while stored.contains(where: { $0.id == distinct.metadata.postId }) {
                distinct.metadata.postId.unicodeScalars.append(Entry.separator)
            }
        }
        if isOfService { (distinct.numbered, distinct.unsent) = (nil, nil) }
        return distinct
    }

    /// - Parameter isNew: whether it isn't stored; if it was before and was read, it still is.
    private func save(_ post: ExportedPost, sourceKey: Int64, isNew: Bool, among arriving: [ExportedPost]) throws {
        let changed = Date(millisecondsSince1970: post.changedAt)
        var writer = try PostWriter(database: database, sourceKey: sourceKey, now: changed, notesChanges: false)
        writer.note(first: arriving.lazy.map(\.metadata))
        let content = post.body.map { body in
            Entry.Content(body.text, body.format.flatMap { BodyFormat(rawValue: $0) })
        }
        let number = post.numbered == true ? Int64(post.metadata.id) : nil
        let date = post.metadata.publishDate.milliseconds
        let sortKey = number.map {
            SortKey(post.metadata, date: EntryNumbers.sortDate(date, of: $0, arrivingAt: post.changedAt))
        }
        // Saving it uses that up.
        let wasRead = try isNew && PrunedPosts(of: sourceKey, in: database).wasRead(post.metadata)
        let key = try writer.save(post.metadata, content, sortKey, isListed: post.listed).key
        try database.run(
            """
            UPDATE posts SET (number, listed, is_read, is_saved, labels, changed_at, words_changed_at, is_archived, digest)
                = (?, ?, ?, ?, ?, ?, ?, iif(?, 1, iif(is_archived, 2, 0)), NULL)
            WHERE key = ?
            """,
            [
                DatabaseValue(number), .bool(post.listed), .bool(post.read || wasRead), .bool(post.saved),
                DatabaseValue(TagLines(Label.sorted(post.labels ?? []))?.text), .integer(post.changedAt),
                DatabaseValue(post.wordsChangedAt), .bool(post.archived == true), .integer(key),
            ])
        let articles = Articles(database)
        if let article = post.article, try articles.find(key)?.article != article {
            try articles.save(article, CacheValidators(), of: key)
        }
        guard let body = post.body else { return }
        try SearchIndex(database).noteChange(of: key)
        // Older versions stored the HTML of discussions without a format.
        let format = body.format.flatMap { BodyFormat(rawValue: $0) } ?? (post.metadata.discussion == nil ? nil : .html)
        let fetchedAt = Date(millisecondsSince1970: body.fetchedAt)
        try Bodies(database).insert(
            FetchedBody(text: body.text, format: format, fetchedAt: fetchedAt), of: key)
        // No metadata has the revision 0, so the body is outdated.
        try database.run(
            "UPDATE posts SET body_revision = \(body.isCurrent ? "revision" : "0") WHERE key = ?", [.integer(key)])
    }

    /// Merges a source; existing values are kept.
    ///
    /// - Parameter name: returns a name, given the test for names of other sources.
    /// - Returns: whether anything changed.
    package func merge(
        _ source: ExportedSource, as name: (_ isTaken: (String) throws -> Bool) throws -> String
    ) throws -> Bool {
        let id = source.id
        let known = try SourceRow.find(id, in: database)
        let key = try self.key(of: id)
        let folder = known?.folder.isEmpty == false ? known?.folder : source.folder
        let followedAt = known?.followedAt?.millisecondsSince1970 ?? source.followedAt
        try database.run(
            """
            UPDATE sources SET (
                name, folder, title, followed_at, site, keep, label, article, article_body, article_drop,
                every, home, feed, account
            ) = (
                ?, ?, ifnull(title, nullif(?, ?)), ?, ?, ?, ?, ?, ?, ?, ?, ifnull(home, ?), ifnull(feed, ?),
                ifnull(account, ?)
            ) WHERE key = ?
            """,
            [
                .text(try known?.name ?? name { try SourceRow.isNameTaken($0, except: key, in: database) }),
                // An export has the user's title for a source twice, and not the source's own.
                .text(folder ?? ""), DatabaseValue(source.title), DatabaseValue(source.label),
                DatabaseValue(followedAt), DatabaseValue(known?.site ?? source.site),
                // What is here already isn't deleted because of an import.
                DatabaseValue(known?.name == nil ? source.keep.flatMap { Retention($0) }?.text : known?.keep?.text),
                DatabaseValue(known?.label ?? source.label),
                DatabaseValue((known?.article ?? source.article.flatMap { ArticleChoice(rawValue: $0) })?.rawValue),
                DatabaseValue(known?.articleBody ?? source.articleBody),
                DatabaseValue(known?.articleDrop ?? source.articleDrop),
                DatabaseValue((known?.every ?? source.every.flatMap { RefreshInterval($0) })?.text),
                DatabaseValue(source.home),
                // By which the first sync sees whether the login is for the same account.
                DatabaseValue(id.service == nil ? nil : source.feed),
                DatabaseValue(id.isService ? source.account : nil), .integer(key),
            ])
        try Rules(database).noteChangedSources()
        return known?.name == nil || known?.followedAt == nil && source.followedAt != nil
    }
}

extension Mark {
    /// Whether its label, if it has one, could have been typed.
    fileprivate var isPossible: Bool {
        switch self {
        case .labelled(let label), .unlabelled(let label): Label.typed(label) == label
        default: true
        }
    }
}

extension ExportedPost {
    /// Whether a mark that is yet to be sent is what the post has.
    fileprivate func agrees(with mark: Mark) -> Bool {
        switch mark {
        case .read: read
        case .unread: !read
        case .saved: saved
        case .unsaved: !saved
        case .labelled(let label): labels?.contains { Label.isSame($0, label) } == true
        case .unlabelled(let label): labels?.contains { Label.isSame($0, label) } != true
        }
    }

    /// The marks that aren't those of a new post.
    fileprivate var marks: [Mark] {
        (read ? [.read] : []) + (saved ? [.saved] : []) + (labels ?? []).map { .labelled($0) }
    }
}

extension PostStore {
    /// Merges posts of another store, some of which may be left for ``mergeRest(_:)``.
    package func merge(_ posts: [ExportedPost], _ progress: inout ImportProgress) async throws -> MergeReport {
        try await advance(&progress) { try $0.merge(posts, &$1) }
    }

    /// Merges the posts that were left.
    package func mergeRest(_ progress: inout ImportProgress) async throws -> MergeReport {
        try await advance(&progress) { try $0.mergeRest(&$1) }
    }

    /// Merges posts in a transaction, and takes note of the progress once they are stored.
    private func advance(
        _ progress: inout ImportProgress,
        _ merge: @escaping @Sendable (Importing, inout ImportProgress) throws -> MergeReport
    ) async throws -> MergeReport {
        let (report, changed) = try await writeToDisk { [progress] in
            var changed = progress
            return (try merge(Importing($0), &changed), changed)
        }
        progress = changed
        return report
    }

    /// Merges posts that are all of an archive.
    package func merge(_ posts: [ExportedPost]) async throws -> MergeReport {
        try await writeToDisk {
            let importing = Importing($0)
            var progress = ImportProgress(after: try importing.lastPost())
            var report = try importing.merge(posts, &progress)
            report.add(try importing.mergeRest(&progress))
            return report
        }
    }
}

/// How far an import of an archive has got.
package struct ImportProgress: Sendable {
    /// The last post that was stored before.
    let lastPost: Int64
    /// The stored posts that the export has.
    private var posts: Set<Int64> = []
    /// The posts that seem to be stored ones with other IDs, unless the archive has these, too.
    private var rest: [ExportedPost] = []
    private var restBytes = 0

    init(after lastPost: Int64) { self.lastPost = lastPost }

    /// Whether there are so many that they have to be merged before the end, to bound memory.
    package var isFull: Bool { restBytes > Self.maxBytes }

    func has(_ key: Int64) -> Bool { posts.contains(key) }
    mutating func note(_ key: Int64) { posts.insert(key) }
    /// After several exports, each speaks for itself.
    package mutating func endExport() { posts = [] }

    mutating func leave(_ post: ExportedPost) {
        rest.append(post)
        restBytes += post.metadata.title.utf8.count + (post.body?.text.utf8.count ?? 0) + Self.bytesOfFacts
    }

    mutating func takeRest() -> [ExportedPost] {
        defer { (rest, restBytes) = ([], 0) }
        return rest
    }

    private static let maxBytes = 16 << 20
    private static let bytesOfFacts = 1000
}
