import BlogEssentials
import BlogModel

/// The sources that are or were followed or read.
package struct Sources {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    package func find(_ source: SourceID) throws -> StoredSource? { try SourceRow.find(source, in: database) }

    package func find(_ ids: [SourceID]) throws -> [StoredSource] { try ids.compactMap { try find($0) } }

    package func all() throws -> [StoredSource] { try SourceRow.all("1", in: database) }

    /// The date of the newest post of each source; of a service, that of its feeds.
    package func latestDates() throws -> [SourceID: Date] {
        let dates = try database.all(
            """
            SELECT kind, address, max((SELECT max(date_key) FROM posts WHERE source = feeds.key AND parent IS NULL))
            FROM (SELECT kind, address, key FROM sources
                UNION ALL SELECT services.kind, services.address, sources.key
                    FROM sources JOIN sources AS services ON services.key = sources.service) AS feeds
            GROUP BY kind, address
            """
        ) { row in row.date(2).map { (row.sourceID(0), $0) } }
        return Dictionary(dates.compactMap(\.self)) { first, _ in first }
    }

    /// The sources that have posts.
    package func withPosts() throws -> [SourceID] {
        try database.all(
            "SELECT kind, address FROM sources WHERE EXISTS (SELECT 1 FROM posts WHERE source = sources.key)"
        ) { SourceID(kind: $0.text(0) ?? "", address: $0.text(1) ?? "") }
    }

    /// The sources with any of several spellings of an address.
    package func find(at spellings: [String]) throws -> [StoredSource] {
        try spellings.flatMap {
            try SourceRow.all("address = ? AND kind <> ?", [.text($0), .text(SourceID.searchKind)], in: database)
        }
    }

    /// The followed sources, all of them or those in a folder and its subfolders.
    package func followed(in folder: String? = nil) throws -> [StoredSource] {
        let (condition, values) = Self.isFollowed(in: folder)
        return try SourceRow.all(condition, values, areNamed: true, in: database)
    }

    /// The same sources as they are listed.
    package func listed(in folder: String? = nil) throws -> [ListedSource] {
        let (condition, values) = Self.isFollowed(in: folder)
        return try SourceRow.listed(condition, values, in: database)
    }

    /// The condition that a source is followed, and in a folder or its subfolders; nil for any.
    static func isFollowed(in folder: String?) -> (condition: String, values: [DatabaseValue]) {
        guard let folder else { return (isFollowed, []) }
        return ("\(isFollowed) AND instr(folder || '/', ? || '/') = 1", [.text(folder)])
    }

    /// What others link to is none of the sources; a saved search has no such date.
    private static let isFollowed = "followed_at IS NOT NULL AND kind <> '\(SourceID.linkedKind)'"

    /// The lists that have the posts of others: nothing has to be requested for them.
    package func listingOthers() throws -> [StoredSource] {
        try SourceRow.all(
            "kind IN (\(SourceID.kindsListingOthers)) AND (kind = '\(SourceID.searchKind)' OR followed_at IS NOT NULL)",
            in: database)
    }

    private func searches() throws -> [StoredSource] { try listingOthers().filter(\.id.isSearch) }

    /// The sources that are or were followed.
    package func named() throws -> [StoredSource] { try SourceRow.all("1", areNamed: true, in: database) }

    /// The same sources as they are listed, or only those that are or aren't followed any more.
    package func names(areFollowed: Bool? = nil) throws -> [ListedSource] {
        try SourceRow.listed(areFollowed.map { "(\(Self.isFollowed)) = \($0)" } ?? "1", in: database)
    }

    /// The length of the longest numbered post ID with its source's name, in characters; 0 if no post is numbered.
    package func widestID(in scope: SourceScope) throws -> Int {
        let sql = """
            SELECT max(length(ifnull(name || ':', '')) + length(last_number)) FROM sources
            WHERE last_number > 0 AND \(scope.condition(on: "key"))
            """
        return Int(try database.integer(sql) ?? 0)
    }

    /// The source with a name that is or was followed.
    package func find(named name: String) throws -> StoredSource? {
        try SourceRow.all("name = ?", [.text(name)], in: database).first
    }

    package func hasPosts(_ source: StoredSource) throws -> Bool {
        try SourceRow.hasPosts(source.key, in: database)
    }

    /// Those of some sources that have a post with an id.
    package func filter(_ sources: [ListedSource], withPost id: String) throws -> [ListedSource] {
        try sources.filter { try PostRow.key(of: id, $0.key, in: database) != nil }
    }

    /// A name for a source that `choose` returns, given the test for names of other sources.
    package func name(
        of source: SourceID, _ choose: (_ isTaken: (String) throws -> Bool) throws -> String
    ) throws -> String {
        let sourceKey = try SourceRow.find(source, in: database)?.key
        return try choose { try SourceRow.isNameTaken($0, except: sourceKey, in: database) }
    }

    /// Follows a source and returns its new state.
    ///
    /// - Parameters:
    ///   - folder: the folder to move it to; nil to keep the current one.
    ///   - site: the base address of its relative links; nil to keep the current one.
    ///   - label: the user's title for it; "" for none, nil to keep the current one.
    ///   - name: returns a name, given the test for names of other sources.
    package func follow(
        _ source: SourceID, in folder: String?, site: String?, label: String? = nil, at now: Date,
        as name: (_ isTaken: (String) throws -> Bool) throws -> String
    ) throws -> StoredSource {
        let sourceKey = try SourceRow.key(of: source, in: database)
        let former = try SourceRow.find(source, in: database)
        let chosen = try name { try SourceRow.isNameTaken($0, except: sourceKey, in: database) }
        try database.run(
            """
            UPDATE sources SET (name, folder, site, label, followed_at)
                = (?, ifnull(?, folder), ifnull(?, site), nullif(nullif(ifnull(?, label), title), ''),
                    ifnull(followed_at, ?))
            WHERE key = ?
            """,
            [
                .text(chosen), DatabaseValue(folder), DatabaseValue(site), DatabaseValue(label),
                DatabaseValue(source.isSearch ? nil : now), .integer(sourceKey),
            ])
        if let former = former?.name, former != chosen {
            try renameInSearches(.source(former), to: .source(chosen))
            try Rules(database).rename(former, to: chosen)
            try ServiceItems(database, service: sourceKey).rename(former, to: chosen)
        }
        guard let stored = try SourceRow.find(source, in: database) else { throw StoreError.Reason.damaged }
        if stored.folder != former?.folder || former?.followedAt == nil || former?.name == nil {
            try Rules(database).noteChangedSources()
        }
        return stored
    }

    /// Gives a source or a label in saved searches its new name.
    func renameInSearches(_ former: SearchCondition, to new: SearchCondition) throws {
        for search in try searches() {
            let words = Search(search.id.address).renaming { $0.isSame(as: former) ? new : nil }
            guard words != search.id.address else { continue }
            try database.run(
                "UPDATE OR IGNORE sources SET address = ? WHERE key = ?", [.text(words), .integer(search.key)])
        }
    }

    /// Sets how long the posts of a source are kept; nil for the global setting.
    package func setRetention(_ keep: Retention?, of source: SourceID) throws {
        try database.run(
            "UPDATE sources SET (keep, pruned_at) = (?, NULL) WHERE kind = ? AND address = ?",
            [DatabaseValue(keep?.text)] + source.values)
    }

    /// Sets how often a source is refreshed, which counts from its last refresh; nil for the default.
    package func setInterval(_ every: RefreshInterval?, dueAt: Date?, of source: SourceID) throws {
        try database.run(
            "UPDATE sources SET (every, due_at) = (?, ?) WHERE kind = ? AND address = ?",
            [DatabaseValue(every?.text), DatabaseValue(dueAt)] + source.values)
    }

    /// Unfollows a source; its posts and its name are kept.
    ///
    /// A saved search, which has no posts of its own, is deleted.
    package func unfollow(_ source: SourceID) throws {
        if source.isSearch {
            return try database.run("DELETE FROM sources WHERE kind = ? AND address = ?", source.values)
        }
        if source.isService, let key = try find(source)?.key {
            return try ServiceItems(database, service: key).unfollow()
        }
        try database.run("UPDATE sources SET followed_at = NULL WHERE kind = ? AND address = ?", source.values)
        if let service = try source.service.flatMap({ try find($0) })?.key {
            try ServiceItems(database, service: service).noteUnfollowed()
        }
        // A folder's sources are those that are followed.
        try Rules(database).noteChangedSources()
    }

    /// Records that a source's list is unchanged, unless another process has refreshed it since.
    package func confirm(_ known: StoredSource, mark: RefreshMark) throws {
        let isSame = try database.exists(
            "SELECT 1 FROM sources WHERE etag IS ? AND last_modified IS ? AND digest IS ? AND key = ?",
            [
                DatabaseValue(known.validators.etag), DatabaseValue(known.validators.lastModified),
                DatabaseValue(known.digest), .integer(known.key),
            ])
        if isSame { try SourceRow.save(mark, of: known.key, in: database) }
    }

    /// Records how a request for a stored source went that failed.
    package func save(_ requests: RequestRecord, of source: SourceID) throws {
        let problem = requests.problem.map { problem in
            requests.reason.map { "\(problem.rawValue) \($0)" } ?? problem.rawValue
        }
        try database.run(
            "UPDATE sources SET asked_at = ?, problem = ?, failures = ?, due_at = ? WHERE kind = ? AND address = ?",
            [
                DatabaseValue(requests.lastFailure), DatabaseValue(problem), .integer(Int64(requests.failures)),
                DatabaseValue(requests.dueAt),
            ] + source.values)
    }

    /// Prevents a source from ever moving to the address that its server has just named for the first time, because it
    /// belongs to another source.
    package func doubtMove(of source: SourceID) throws {
        try database.run(
            """
            UPDATE sources SET moved_at = ?
            WHERE kind = ? AND address = ? AND moved_to IS NOT NULL AND moved_count = 1
            """, [.integer(.max)] + source.values)
    }

    /// Gives a source its new address if its server has named it in at least three responses over a week and no other
    /// source has it; returns whether it was changed.
    package func adoptMove(of source: SourceID, at now: Date) throws -> Bool {
        let key = try find(source)?.key
        try database.run(
            """
            UPDATE OR IGNORE sources SET (address, moved_to, moved_at, moved_count, archive)
                = (moved_to, NULL, NULL, 0, NULL)
            WHERE kind = ? AND address = ? AND moved_to IS NOT NULL AND moved_count >= 3 AND moved_at <= ?
            """, source.values + [DatabaseValue(now.addingTimeInterval(-7 * 86_400))])
        guard database.changes == 1 else { return false }
        try note(formerAddress: source, of: key)
        return true
    }

    /// The source that had the address of one that isn't stored.
    package func find(formerlyAt id: SourceID) throws -> StoredSource? {
        try SourceRow.all(
            """
            key = (SELECT source FROM former_addresses WHERE (kind, address) = (?1, ?2))
            AND NOT EXISTS (SELECT 1 FROM sources WHERE (kind, address) = (?1, ?2))
            """, id.values, in: database
        ).first
    }

    private func note(formerAddress: SourceID, of key: Int64?) throws {
        guard let key else { return }
        try database.run(
            "INSERT OR REPLACE INTO former_addresses (kind, address, source) VALUES (?, ?, ?)",
            formerAddress.values + [.integer(key)])
    }

    /// Gives a source another address, which no source must have, and forgets what is known about the old one.
    package func move(_ source: SourceID, to address: String) throws {
        let key = try find(source)?.key
        try note(formerAddress: source, of: key)
        // They are for the server that sent them.
        try database.run(
            """
            UPDATE bodies SET (etag, last_modified) = (NULL, NULL)
            WHERE (etag NOT NULL OR last_modified NOT NULL) AND post IN (SELECT key FROM posts WHERE source = ?)
            """, [DatabaseValue(key)])
        try database.run(
            """
            UPDATE sources SET (address, etag, last_modified, digest, problem, failures, asked_at, due_at, moved_to, archive)
                = (?3, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL), moved_at = NULL, moved_count = 0
            WHERE kind = ?1 AND address = ?2
            """, source.values + [.text(address)])
        // The feeds of a service are at its address.
        guard source.isService, let key else { return }
        try database.run(
            """
            UPDATE sources SET address = ?1 || substr(address, length(?2) + 1)
            WHERE service = ?3 AND substr(address, 1, length(?2) + 1) = ?2 || '/'
            """, [.text(address), .text(source.address), .integer(key)])
    }
}

extension SearchCondition {
    /// Whether it is the same, also if a label is spelt in another way.
    fileprivate func isSame(as other: SearchCondition) -> Bool {
        guard case .label(let one) = self, case .label(let two) = other else { return self == other }
        return Label.isSame(one, two)
    }
}
