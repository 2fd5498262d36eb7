import BlogEssentials
import BlogModel

extension PostStore {
    package func source(_ source: SourceID) throws -> StoredSource? {
        try read { try SourceRow.find(source, in: $0) }
    }

    /// All sources that are or were followed or read.
    package func sources() throws -> [StoredSource] { try read { try SourceRow.all("1", in: $0) } }

    package func sources(_ ids: [SourceID]) throws -> [StoredSource] {
        try read { database in try ids.compactMap { try SourceRow.find($0, in: database) } }
    }

    /// The sources with any of several spellings of an address.
    package func sources(at spellings: [String]) throws -> [StoredSource] {
        try read { database in
            try spellings.flatMap { try SourceRow.all("address = ?", [.text($0)], in: database) }
        }
    }

    /// The followed sources, all of them or those in a folder and its subfolders.
    package func followedSources(in folder: String? = nil) throws -> [StoredSource] {
        try read { database in
            guard let folder else { return try SourceRow.all("followed_at IS NOT NULL", in: database) }
            return try SourceRow.all(
                "followed_at IS NOT NULL AND (folder = ?1 OR substr(folder, 1, length(?1) + 1) = ?1 || '/')",
                [.text(folder)], in: database)
        }
    }

    /// The sources that are or were followed.
    package func namedSources() throws -> [StoredSource] {
        try read { try SourceRow.all("name IS NOT NULL", in: $0) }
    }

    package func sourceNames() throws -> [SourceID: String] {
        try texts("SELECT kind, address, name FROM sources WHERE name IS NOT NULL")
    }

    /// The titles of followed sources: the user's, if there is one, or the source's own.
    package func titles() throws -> [SourceID: String] {
        try texts(
            """
            SELECT kind, address, ifnull(label, title) FROM sources
            WHERE followed_at IS NOT NULL AND ifnull(label, title) <> ''
            """)
    }

    private func texts(_ sql: String) throws -> [SourceID: String] {
        let found = try read { database in
            try database.all(sql) { row in (row.sourceID(0), row.text(2) ?? "") }
        }
        return Dictionary(found) { first, _ in first }
    }

    /// The length of the longest numbered post ID with its source's name, in characters; 0 if no post is numbered.
    package func widestID(in scope: SourceScope) throws -> Int {
        try read { database in
            let sql = """
                SELECT max(length(ifnull(name || ':', '')) + length(last_number)) FROM sources
                WHERE last_number > 0 AND \(scope.condition(on: "key"))
                """
            return Int(try database.integer(sql) ?? 0)
        }
    }

    /// The source with a name that is or was followed.
    package func source(named name: String) throws -> StoredSource? {
        try read { try SourceRow.all("name = ?", [.text(name)], in: $0).first }
    }

    package func hasPosts(of source: StoredSource) throws -> Bool {
        try read { try SourceRow.hasPosts(source.key, in: $0) }
    }

    package func sources(withPost id: String, among sources: [StoredSource]) throws -> [StoredSource] {
        try read { database in
            try sources.filter { source in
                try PostRow.key(of: id, source.key, in: database) != nil
            }
        }
    }

    /// The post with a link, preferably of a followed source; of several, the newest in the store.
    package func post(withLink link: String) throws -> PostID? {
        try read { database in
            try database.first(
                """
                SELECT kind, address, posts.id FROM posts JOIN sources ON sources.key = posts.source
                WHERE link = ? ORDER BY followed_at IS NULL, posts.key DESC LIMIT 1
                """, [.text(link)]
            ) { $0.postID(0) }
        }
    }

    /// A name for a source that `choose` returns, given the test for names of other sources.
    package func name(
        of source: SourceID, _ choose: (_ isTaken: (String) throws -> Bool) throws -> String
    ) throws -> String {
        try read { database in
            let sourceKey = try SourceRow.find(source, in: database)?.key
            return try choose { try SourceRow.isNameTaken($0, except: sourceKey, in: database) }
        }
    }

    /// Follows a source and returns its new state.
    ///
    /// - Parameters:
    ///   - folder: the folder to move it to; nil to keep the current one.
    ///   - site: the base address of its relative links; nil to keep the current one.
    ///   - label: the user's title for it; nil to keep the current one.
    ///   - name: returns a name, given the test for names of other sources.
    package func follow(
        _ source: SourceID, in folder: String?, site: String?, label: String? = nil, at now: Date,
        as name: (_ isTaken: (String) throws -> Bool) throws -> String
    ) async throws -> StoredSource {
        try await writeToDisk { database in
            let sourceKey = try SourceRow.key(of: source, in: database)
            let chosen = try name { try SourceRow.isNameTaken($0, except: sourceKey, in: database) }
            try database.run(
                """
                UPDATE sources SET (name, folder, site, label, followed_at)
                    = (?, ifnull(?, folder), ifnull(?, site), nullif(ifnull(?, label), title), ifnull(followed_at, ?))
                WHERE key = ?
                """,
                [
                    .text(chosen), DatabaseValue(folder), DatabaseValue(site), DatabaseValue(label),
                    DatabaseValue(now), .integer(sourceKey),
                ])
            guard let stored = try SourceRow.find(source, in: database) else { throw StoreError.Reason.damaged }
            return stored
        }
    }

    /// Sets how long the posts of a source are kept; nil for the global setting.
    package func setRetention(_ keep: Retention?, of source: SourceID) async throws {
        try await writeToDisk { database in
            try database.run(
                "UPDATE sources SET (keep, pruned_at) = (?, NULL) WHERE kind = ? AND address = ?",
                [DatabaseValue(keep?.text)] + source.values)
        }
    }

    /// Unfollows a source; its posts and its name are kept.
    package func unfollow(_ source: SourceID) async throws {
        try await writeToDisk { database in
            try database.run("UPDATE sources SET followed_at = NULL WHERE kind = ? AND address = ?", source.values)
        }
    }

    /// Records that a source's list is unchanged, unless another process has refreshed it since.
    package func confirm(_ known: StoredSource, mark: RefreshMark) async throws {
        try await writeIfFree { database in
            let isSame = try database.exists(
                "SELECT 1 FROM sources WHERE etag IS ? AND last_modified IS ? AND digest IS ? AND key = ?",
                [
                    DatabaseValue(known.validators.etag), DatabaseValue(known.validators.lastModified),
                    DatabaseValue(known.digest), .integer(known.key),
                ])
            if isSame { try SourceRow.save(mark, of: known.key, in: database) }
        }
    }

    /// Records a failed refresh of a stored source.
    ///
    /// - Parameter wait: returns the number of seconds until its next automatic refresh, given the number of
    ///   consecutive failures; nil for no delay.
    package func note(
        _ problem: RefreshProblem, of source: SourceID, at date: Date,
        wait: (_ failures: Int) -> TimeInterval? = { _ in nil }
    ) async throws {
        try await writeIfFree { database in
            guard let stored = try SourceRow.find(source, in: database) else { return }
            // Requests that the user sends during the delay don't extend it.
            let isEarly = stored.problem != nil && stored.dueAt.map { date < $0 } == true
            let failures = isEarly ? stored.failures : stored.failures + 1
            let dueAt = wait(failures).map { date.addingTimeInterval($0) }
            try database.run(
                "UPDATE sources SET asked_at = ?, problem = ?, failures = ?, due_at = ? WHERE key = ?",
                [
                    DatabaseValue(date), .text(problem.rawValue), .integer(Int64(failures)), DatabaseValue(dueAt),
                    .integer(stored.key),
                ])
        }
    }

    /// Prevents a source from ever moving to the address that its server has just named for the first time, because it
    /// belongs to another source.
    package func doubtMove(of source: SourceID) async throws {
        try await writeIfFree { database in
            try database.run(
                """
                UPDATE sources SET moved_at = ?
                WHERE kind = ? AND address = ? AND moved_to IS NOT NULL AND moved_count = 1
                """, [.integer(.max)] + source.values)
        }
    }

    /// Gives a source its new address if its server has named it in at least three responses over a week and no other
    /// source has it; returns whether it was changed.
    package func adoptMove(of source: SourceID, at now: Date) async throws -> Bool {
        try await write { database in
            try database.run(
                """
                UPDATE OR IGNORE sources SET (address, moved_to, moved_at, moved_count) = (moved_to, NULL, NULL, 0)
                WHERE kind = ? AND address = ? AND moved_to IS NOT NULL AND moved_count >= 3 AND moved_at <= ?
                """, source.values + [DatabaseValue(now.addingTimeInterval(-7 * 86_400))])
            return database.changes == 1
        }
    }
}

/// The hosts that get no requests for a while: rate-limited ones (`Retry-After`), and unresponsive ones, which
/// refreshes of several sources skip. The names of the latter have the prefix `silent`.
extension PostStore: HostWaits {
    package func wait(of host: String) -> Date? {
        let until = try? read { try $0.integer("SELECT until FROM waits WHERE host = ?", [.text(host)]) }
        return until.map { Date(millisecondsSince1970: $0) }
    }

    package func remember(wait: Date, of host: String) async {
        try? await writeIfFree { database in
            try database.run(
                "INSERT INTO waits (host, until) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET until = excluded.until",
                [.text(host), DatabaseValue(wait)])
        }
    }

    /// The unresponsive hosts, with their ports, and until when to skip them.
    package func silences() -> [String: Date] {
        let found = try? read { database in
            try database.all(
                "SELECT host, until FROM waits WHERE substr(host, 1, 7) = ?", [.text(Self.silent)]
            ) { row in
                (String((row.text(0) ?? "").dropFirst(Self.silent.count)), Date(millisecondsSince1970: row.integer(1)))
            }
        }
        return Dictionary(found ?? []) { first, _ in first }
    }

    /// Records an unresponsive host and until when to skip it.
    package func remember(silence until: Date, of host: String) async {
        await remember(wait: until, of: Self.silent + host)
    }

    /// Removes the record of an unresponsive host that has responded.
    package func forgetSilence(of host: String) async {
        guard wait(of: Self.silent + host) != nil else { return }
        try? await writeIfFree { try $0.run("DELETE FROM waits WHERE host = ?", [.text(Self.silent + host)]) }
    }

    /// A prefix that can't be part of a host name.
    private static let silent = "silent "
}
