import BlogEssentials
import BlogModel

/// Posts and comments of a source that serves them one by one, each with its text.
package struct Items {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// The items with these ids whose bodies are stored, by id.
    package func find(_ ids: some Collection<String>, of source: SourceID) throws -> [String: Entry.Stored] {
        guard let sourceKey = try SourceRow.find(source, in: database)?.key else { return [:] }
        var found: [String: Entry.Stored] = [:]
        for id in ids {
            // An unreadable item is fetched again and replaced.
            do { found[id] = try find(id, sourceKey) } catch StoreError.Reason.damaged {}
        }
        return found
    }

    /// Stores posts and comments with their texts.
    ///
    /// Posts and comments that were deleted at the source keep their stored text.
    package func save(_ items: [Entry], of source: SourceID, at now: Date) throws {
        let sourceKey = try SourceRow.key(of: source, in: database)
        let writer = try PostWriter(database: database, sourceKey: sourceKey, now: now)
        for item in items.flatMap({ [$0] + $0.comments }) {
            let stored = item.hasLostText ? try? find(item.metadata.id, sourceKey) : nil
            let entry = item.keepingLostText(of: stored)
            let post = try writer.save(entry.metadata, entry.content, isListed: entry.metadata.isStory).key
            let body = FetchedBody(text: entry.text, format: entry.content?.format, fetchedAt: now)
            try Bodies(database).save(body, ofPost: post, isDiscussion: entry.metadata.discussion != nil)
        }
    }

    /// Records that comments were seen, so that later ones count as new.
    ///
    /// This can't be undone like a marking.
    func noteSeen(_ ids: [String], of source: SourceID) throws {
        guard let sourceKey = try SourceRow.find(source, in: database)?.key else { return }
        for id in ids {
            try database.run(
                "UPDATE posts SET is_read = 1 WHERE source = ? AND id = ? AND parent IS NOT NULL",
                [.integer(sourceKey), .text(id)])
        }
    }

    private func find(_ id: String, _ sourceKey: Int64) throws -> Entry.Stored? {
        let sql = """
            SELECT \(PostRow.listColumns), body, fetched_at, format FROM posts JOIN bodies ON bodies.post = posts.key
            WHERE source = ? AND id = ?
            """
        return try database.first(sql, [.integer(sourceKey), .text(id)]) { row in
            Result {
                let next = PostRow.listColumnCount
                let content = Entry.Content(row.text(next) ?? "", row.format(next + 2))
                return Entry.Stored(
                    Entry(try PostRow.metadata(of: row), content: content),
                    fetchedAt: Date(millisecondsSince1970: row.integer(next + 1)), state: PostRow.state(of: row))
            }
        }?.get()
    }
}

extension Entry {
    fileprivate var hasLostText: Bool { metadata.discussion?.removal != nil && text.isEmpty }

    /// A removed entry with its stored text, which stays readable; others as they are.
    package func keepingLostText(of stored: Entry.Stored?) -> Entry {
        guard hasLostText, let stored, !stored.entry.text.isEmpty else { return self }
        let kept = stored.entry.metadata
        let discussion = Discussion(
            parent: kept.discussion?.parent, replies: metadata.discussion?.replies ?? [],
            removal: metadata.discussion?.removal, type: kept.discussion?.type)
        return Entry(kept.with(.discussion(discussion)), content: stored.entry.content)
    }
}

extension PostMetadata {
    fileprivate var isStory: Bool { isDiscussed && discussion?.parent == nil }
}

extension Entry {
    /// An entry as the store has it: with the user's marks.
    package struct Stored: Sendable {
        package let entry: Entry
        package let fetchedAt: Date
        package let state: PostState

        package init(_ entry: Entry, fetchedAt: Date, state: PostState) {
            self.entry = entry
            self.fetchedAt = fetchedAt
            self.state = state
        }
    }
}

extension PostStore {
    /// Records that comments were seen: ``Items/noteSeen(_:of:)``.
    package func noteSeen(_ ids: [String], of source: SourceID) async throws {
        guard notice == nil, !ids.isEmpty else { return }
        try await write { try Items($0).noteSeen(ids, of: source) }
    }
}
