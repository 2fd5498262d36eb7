import Essentials
import HTTP
import Model
import SQLite

/// The sources in the store, and which of them are followed.
extension PostStore {
    /// The stored facts about a source; nil if nothing of it was ever stored.
    package func source(_ source: SourceID) throws -> StoredSource? {
        try read { try SourceRow.find(source, in: $0) }
    }

    /// Every source that has a row.
    package func sources() throws -> [StoredSource] { try read { try SourceRow.all("1", in: $0) } }

    /// The stored facts about some sources, without those of which nothing was ever stored.
    package func sources(_ ids: [SourceID]) throws -> [StoredSource] {
        try read { database in try ids.compactMap { try SourceRow.find($0, in: database) } }
    }

    /// The sources at an address in one of its spellings.
    package func sources(at spellings: [String]) throws -> [StoredSource] {
        try read { database in
            try spellings.flatMap { try SourceRow.all("address = ?", [.text($0)], in: database) }
        }
    }

    /// The sources that are followed; with a folder, those in it or in a folder of it.
    package func followedSources(in folder: String? = nil) throws -> [StoredSource] {
        try read { database in
            guard let folder else { return try SourceRow.all("followed_at IS NOT NULL", in: database) }
            return try SourceRow.all(
                "followed_at IS NOT NULL AND (folder = ?1 OR substr(folder, 1, length(?1) + 1) = ?1 || '/')",
                [.text(folder)], in: database)
        }
    }

    /// The sources that have a name: those that are followed, and those that were.
    package func namedSources() throws -> [StoredSource] {
        try read { try SourceRow.all("name IS NOT NULL", in: $0) }
    }

    /// The names of the sources that are or were followed.
    package func sourceNames() throws -> [SourceID: String] {
        try texts("SELECT source, address, name FROM blogs WHERE name IS NOT NULL")
    }

    /// The titles of followed sources: the user's, or else their own.
    package func titles() throws -> [SourceID: String] {
        try texts(
            """
            SELECT source, address, ifnull(label, title) FROM blogs
            WHERE followed_at IS NOT NULL AND ifnull(label, title) <> ''
            """)
    }

    private func texts(_ sql: String) throws -> [SourceID: String] {
        let found = try read { database in
            try database.all(sql) { row in
                (SourceID(kind: row.text(0) ?? "", address: row.text(1) ?? ""), row.text(2) ?? "")
            }
        }
        return Dictionary(found) { first, _ in first }
    }

    /// How many characters the longest id of the numbered posts has, with the source's name; 0 where none is numbered.
    package func widestID(in scope: SourceScope) throws -> Int {
        try read { database in
            try database.first(
                """
                SELECT ifnull(max(length(ifnull(name || ':', '')) + length(last_number)), 0) FROM blogs
                WHERE last_number > 0 AND \(scope.condition(on: "key"))
                """
            ) { Int($0.integer(0)) } ?? 0
        }
    }

    /// The source of a name, followed or not any more.
    package func source(named name: String) throws -> StoredSource? {
        try read { try SourceRow.all("name = ?", [.text(name)], in: $0).first }
    }

    /// Whether any post of a source is stored, listed or not.
    package func hasPosts(of source: StoredSource) throws -> Bool {
        try read { database in
            try database.first("SELECT 1 FROM posts WHERE blog = ? LIMIT 1", [.integer(source.key)]) { _ in true }
                ?? false
        }
    }

    /// The sources of a scope's ids that have a post of a local id.
    package func sources(withPost id: String, among keys: [StoredSource]) throws -> [StoredSource] {
        try read { database in
            try keys.filter { source in
                try database.first(
                    "SELECT 1 FROM posts WHERE blog = ? AND id = ?", [.integer(source.key), .text(id)]
                ) { _ in true } ?? false
            }
        }
    }

    /// The post that is about a link or lives there; of several the one that came last.
    package func post(withLink link: String) throws -> PostID? {
        try read { database in
            try database.first(
                """
                SELECT source, address, posts.id FROM posts JOIN blogs ON blogs.key = posts.blog
                WHERE link = ? ORDER BY followed_at IS NULL, posts.key DESC LIMIT 1
                """, [.text(link)]
            ) { row in
                PostID(
                    source: SourceID(kind: row.text(0) ?? "", address: row.text(1) ?? ""), local: row.text(2) ?? "")
            }
        }
    }

    /// A name for a source; `choose` returns it, given which names others have.
    package func name(
        of source: SourceID, _ choose: (_ isTaken: (String) throws -> Bool) throws -> String
    ) throws -> String {
        try read { database in
            let sourceKey = try SourceRow.find(source, in: database)?.key
            return try choose { try SourceRow.isNamed($0, besides: sourceKey, in: database) }
        }
    }

    /// Follows a source from a moment on, and returns it as it is then.
    ///
    /// - Parameters:
    ///   - folder: the folder to put it in; nil for the one that it is in.
    ///   - site: the address that its relative links are of; nil for the one that it has.
    ///   - label: the user's title for it; nil to keep the one it has.
    ///   - name: returns a name, given which names others have.
    package func follow(
        _ source: SourceID, in folder: String?, site: String?, label: String? = nil, at now: Date,
        as name: (_ isTaken: (String) throws -> Bool) throws -> String
    ) async throws -> StoredSource {
        try await writeToDisk { database in
            let sourceKey = try SourceRow.key(of: source, in: database)
            let chosen = try name { try SourceRow.isNamed($0, besides: sourceKey, in: database) }
            try database.run(
                """
                UPDATE blogs SET (name, folder, site, label, followed_at)
                    = (?, ifnull(?, folder), ifnull(?, site), nullif(ifnull(?, label), title), ifnull(followed_at, ?))
                WHERE key = ?
                """,
                [
                    .text(chosen), DatabaseValue(folder), DatabaseValue(site), DatabaseValue(label),
                    .integer(now.millisecondsSince1970), .integer(sourceKey),
                ])
            guard let stored = try SourceRow.find(source, in: database) else { throw StoreError.Reason.damaged }
            return stored
        }
    }

    /// Sets how long the posts of a source are kept; nil for as long as all others.
    package func setRetention(_ keep: Retention?, of source: SourceID) async throws {
        try await writeToDisk { database in
            try database.run(
                "UPDATE blogs SET (keep, pruned_at) = (?, NULL) WHERE source = ? AND address = ?",
                [DatabaseValue(keep?.text), .text(source.kind), .text(source.address)])
        }
    }

    /// No longer follows a source; its posts and its name are kept.
    package func unfollow(_ source: SourceID) async throws {
        try await writeToDisk { database in
            try database.run(
                "UPDATE blogs SET followed_at = NULL WHERE source = ? AND address = ?",
                [.text(source.kind), .text(source.address)])
        }
    }

    /// Records that a source's list hasn't changed since it was looked up.
    package func confirm(_ known: StoredSource, mark: RefreshMark) async throws {
        try await writeIfFree { try SourceRow.confirm(mark, after: known, in: $0) }
    }

    /// Records a failed refresh of a source of which something is stored.
    ///
    /// - Parameter wait: for how many seconds it is left alone unless it is named, given how often it has
    ///   failed in a row; nil for not at all.
    package func note(
        _ problem: RefreshProblem, of source: SourceID, at date: Date,
        wait: (_ failures: Int) -> TimeInterval? = { _ in nil }
    ) async throws {
        try await writeIfFree { database in
            guard let stored = try SourceRow.find(source, in: database) else { return }
            // A request that somebody sends before its time makes the wait no longer.
            let isEarly = stored.problem != nil && stored.dueAt.map { date < $0 } == true
            let failures = isEarly ? stored.failures : stored.failures + 1
            let dueAt = wait(failures).map { date.addingTimeInterval($0) }
            try SourceRow.save(problem, failures: failures, at: date, dueAt: dueAt, of: stored.key, in: database)
        }
    }

    /// Notes that another source is at the place to which a source has just moved.
    package func doubtMove(of source: SourceID) async throws {
        try await writeIfFree { try SourceRow.doubtMove(of: source, in: $0) }
    }

    /// Gives a source its new address, if that is certain enough; whether it did.
    package func adoptMove(of source: SourceID, at now: Date) async throws -> Bool {
        try await write { try SourceRow.adoptMove(of: source, at: now, in: $0) }
    }
}

/// Until when hosts aren't requested: at all, if they say so themselves (`Retry-After`), or by lists, under a name that
/// begins with `silent`, if they didn't respond in time.
extension PostStore: HostWaits {
    package func wait(of host: String) -> Date? {
        let sql = "SELECT until FROM waits WHERE host = ?"
        let found = try? read { try $0.first(sql, [.text(host)]) { $0.integer(0) } }
        return found.flatMap { $0 }.map { Date(millisecondsSince1970: $0) }
    }

    package func remember(wait: Date, of host: String) async {
        try? await writeIfFree { database in
            try database.run(
                "INSERT INTO waits (host, until) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET until = excluded.until",
                [.text(host), .integer(wait.millisecondsSince1970)])
        }
    }

    /// Until when lists leave hosts alone that were silent, by host with its port.
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

    /// Remembers until when lists leave a silent host alone.
    package func remember(silence until: Date, of host: String) async {
        await remember(wait: until, of: Self.silent + host)
    }

    /// Forgets that a host was silent: it has responded.
    package func forgetSilence(of host: String) async {
        guard wait(of: Self.silent + host) != nil else { return }
        try? await writeIfFree { try $0.run("DELETE FROM waits WHERE host = ?", [.text(Self.silent + host)]) }
    }

    /// No host has a space in it.
    private static let silent = "silent "
}
