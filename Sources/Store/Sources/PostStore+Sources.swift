import Foundation
import HTTP
import Model
import SQLite

/// The sources in the store, and which of them are followed.
extension PostStore {
    /// What is known of a source, or nil if nothing of it was ever stored.
    package func source(_ id: SourceID) throws -> StoredSource? {
        try read { try SourceRow.find(id, in: $0) }
    }

    /// Every source that has a row.
    package func sources() throws -> [StoredSource] { try read { try SourceRow.all("1", in: $0) } }

    /// What is known of some sources, without those of which nothing was ever stored.
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

    /// The ids of the sources that are followed, in the order of their names.
    package func followedIDs() throws -> [SourceID] {
        try ids("SELECT source, address FROM blogs WHERE followed_at IS NOT NULL ORDER BY name") { _ in }
    }

    /// The names of the sources that are or were followed.
    package func sourceNames() throws -> [SourceID: String] {
        var names: [String] = []
        let ids = try ids("SELECT source, address, name FROM blogs WHERE name IS NOT NULL") {
            names.append($0.text(2) ?? "")
        }
        return Dictionary(zip(ids, names)) { first, _ in first }
    }

    /// What people or they themselves call the sources that are followed.
    package func titles() throws -> [SourceID: String] {
        var titles: [String] = []
        let ids = try ids(
            """
            SELECT source, address, ifnull(label, title) FROM blogs
            WHERE followed_at IS NOT NULL AND ifnull(label, title) <> ''
            """
        ) { titles.append($0.text(2) ?? "") }
        return Dictionary(zip(ids, titles)) { first, _ in first }
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

    private func ids(_ sql: String, _ take: (Statement) -> Void) throws -> [SourceID] {
        try read { database in
            let rows = try database.statement(sql)
            defer { rows.reset() }
            var ids: [SourceID] = []
            while try rows.step() {
                ids.append(SourceID(kind: rows.text(0) ?? "", address: rows.text(1) ?? ""))
                take(rows)
            }
            return ids
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
        of id: SourceID, _ choose: (_ isTaken: (String) throws -> Bool) throws -> String
    ) throws -> String {
        try read { database in
            let key = try SourceRow.find(id, in: database)?.key
            return try choose { try SourceRow.isNamed($0, besides: key, in: database) }
        }
    }

    /// Follows a source from a moment on, and returns it as it is then.
    ///
    /// - Parameters:
    ///   - folder: the folder to put it in; nil for the one that it is in.
    ///   - site: the address that its relative links are of; nil for the one that it has.
    ///   - label: what people call it; nil for what they called it so far.
    ///   - name: returns a name, given which names others have.
    package func follow(
        _ id: SourceID, in folder: String?, site: String?, label: String? = nil, at now: Date,
        as name: (_ isTaken: (String) throws -> Bool) throws -> String
    ) async throws -> StoredSource {
        try await writeToDisk { database in
            let key = try SourceRow.key(of: id, in: database)
            let chosen = try name { try SourceRow.isNamed($0, besides: key, in: database) }
            try database.run(
                """
                UPDATE blogs SET (name, folder, site, label, followed_at)
                    = (?, ifnull(?, folder), ifnull(?, site), nullif(ifnull(?, label), title), ifnull(followed_at, ?))
                WHERE key = ?
                """,
                [
                    .text(chosen), DatabaseValue(folder), DatabaseValue(site), DatabaseValue(label),
                    .integer(now.millisecondsSince1970), .integer(key),
                ])
            guard let source = try SourceRow.find(id, in: database) else { throw StoreError.Reason.damaged }
            return source
        }
    }

    /// Sets how long the posts of a source are kept; nil for as long as all others.
    package func setRetention(_ keep: Retention?, of id: SourceID) async throws {
        try await writeToDisk { database in
            try database.run(
                "UPDATE blogs SET (keep, pruned_at) = (?, NULL) WHERE source = ? AND address = ?",
                [DatabaseValue(keep?.text), .text(id.kind), .text(id.address)])
        }
    }

    /// No longer follows a source; its posts and its name are kept.
    package func unfollow(_ id: SourceID) async throws {
        try await writeToDisk { database in
            try database.run(
                "UPDATE blogs SET followed_at = NULL WHERE source = ? AND address = ?",
                [.text(id.kind), .text(id.address)])
        }
    }

    /// Notes that a source still lists what it listed, as it was known before the request.
    package func confirm(_ known: StoredSource, mark: RefreshMark) async throws {
        try await writeIfFree { try SourceRow.confirm(mark, after: known, in: $0) }
    }

    /// Notes that a source gave no list; nothing for a source of which nothing is stored.
    ///
    /// - Parameter wait: for how many seconds it is left alone unless it is named, given how often it has
    ///   failed in a row; nil for not at all.
    package func note(
        _ problem: RefreshProblem, of id: SourceID, at date: Date,
        wait: (_ failures: Int) -> TimeInterval? = { _ in nil }
    ) async throws {
        try await writeIfFree { database in
            guard let source = try SourceRow.find(id, in: database) else { return }
            // A request that somebody sends before its time makes the wait no longer.
            let isEarly = source.problem != nil && source.dueAt.map { date < $0 } == true
            let failures = isEarly ? source.failures : source.failures + 1
            let dueAt = wait(failures).map { date.addingTimeInterval($0) }
            try SourceRow.save(problem, failures: failures, at: date, dueAt: dueAt, of: source.key, in: database)
        }
    }

    /// Notes that what is at the place to which a source has just moved is another source.
    package func doubtMove(of id: SourceID) async throws {
        guard let source = try source(id), source.movedTo != nil else { return }
        try await writeIfFree { try SourceRow.doubtMove(of: source.key, in: $0) }
    }

    /// Gives a source the address to which it has moved, where that is certain enough; whether it did.
    package func adoptMove(of id: SourceID, at now: Date) async throws -> Bool {
        guard let source = try source(id), source.movedTo != nil else { return false }
        return try await write { try SourceRow.adoptMove(of: source.key, at: now, in: $0) }
    }
}

/// Until when hosts are left alone: by every request where they say so themselves (`Retry-After`), and, as a host that
/// begins with `silent`, by lists where they didn't respond in time.
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
            let rows = try database.statement(
                "SELECT host, until FROM waits WHERE substr(host, 1, 7) = ?", [.text(Self.silent)])
            defer { rows.reset() }
            var silences: [String: Date] = [:]
            while try rows.step() {
                let host = String((rows.text(0) ?? "").dropFirst(Self.silent.count))
                silences[host] = Date(millisecondsSince1970: rows.integer(1))
            }
            return silences
        }
        return found ?? [:]
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
