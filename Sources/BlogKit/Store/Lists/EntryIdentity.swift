import BlogEssentials
import BlogMarkup
import BlogModel

/// Finds the stored post that an entry of a feed belongs to.
///
/// Feeds change GUIDs and links, and give several entries the same ones. In doubt an entry is a new post: a doubled post
/// is a nuisance, a lost one is a loss.
struct EntryIdentity {
    let sourceKey: Int64
    let database: Database

    /// A stored post, as far as it tells entries apart.
    struct Candidate {
        let key: Int64
        let id: String
        let identity: String
        let title: String
        let date: Timestamp?
        let sortDate: Int64
        let link: String?

        fileprivate init(_ row: Statement) {
            (key, id, identity) = (row.integer(0), row.text(1) ?? "", row.text(2) ?? "")
            (title, date) = (row.text(3) ?? "", row.text(4).flatMap { Timestamp($0) })
            (sortDate, link) = (row.integer(5), row.text(6))
        }

        fileprivate static let columns = "posts.key, posts.id, post_id, title, publish_date, date_key, link"

        fileprivate func hasDate(of entry: Entry) -> Bool {
            entry.numbering?.hasDate != true || date?.milliseconds == entry.metadata.publishDate.milliseconds
        }

        private func hasLink(of entry: Entry) -> Bool {
            link.map(Entry.canonical) == entry.metadata.link.map(Entry.canonical)
        }

        fileprivate func hasFacts(of entry: Entry) -> Bool {
            title == entry.metadata.title && hasDate(of: entry) && hasLink(of: entry)
        }

        /// Whether everything but the GUID or link that an entry shares with it is different.
        fileprivate func isOther(than entry: Entry) -> Bool {
            let isLink = entry.metadata.postId == entry.metadata.link
            let hasOtherLink = isLink || link != nil && entry.metadata.link != nil && !hasLink(of: entry)
            return title != entry.metadata.title && !hasDate(of: entry) && hasOtherLink
        }
    }

    /// The post with the identity of an entry: its GUID, else its link, unless other entries have the same; these are
    /// told apart by title, date and link, and at last by their text.
    func post(of entry: Entry) throws -> Candidate? {
        let distinction = entry.numbering?.distinction ?? .identity
        if distinction != .identity, let post = try find("post_id", Self.sharedIdentity(of: entry)).first {
            return post
        }
        let candidates = try candidates(entry.metadata.postId)
        if distinction == .identity, let only = candidates.first, candidates.count == 1 {
            return only.isOther(than: entry) ? nil : only
        }
        let similar = candidates.filter { $0.hasFacts(of: entry) }
        // The date of an entry without one can't be compared.
        if distinction != .text, entry.numbering?.hasDate == true, similar.count <= 1 { return similar.first }
        return try similar.first { try hasText(of: entry, $0) }
    }

    /// The identity under which a new post is stored.
    ///
    /// - Parameter isFirst: whether nothing of its source was stored before its list.
    func identity(ofNew entry: Entry, isFirst: Bool) throws -> String {
        let identity = entry.metadata.postId
        let isOwn = try entry.numbering?.distinction == .identity && (isFirst || candidates(identity).isEmpty)
        return isOwn ? identity : Self.sharedIdentity(of: entry)
    }

    private static func sharedIdentity(of entry: Entry) -> String {
        let metadata = entry.metadata
        let facts = [metadata.title, metadata.publishDate.text, metadata.link ?? "", entry.text]
        return metadata.postId + " " + ContentDigest.of(Data(facts.joined(separator: "\0").utf8))
    }

    fileprivate func find(_ column: String, _ value: String) throws -> [Candidate] {
        let sql = """
            SELECT \(Candidate.columns) FROM posts
            WHERE source = ? AND number IS NOT NULL AND \(column) = ? LIMIT \(Self.maxCandidates)
            """
        return try database.all(sql, [.integer(sourceKey), .text(value)], Candidate.init)
    }

    /// Keeps the time linear if all entries of a feed have the same GUID or link.
    fileprivate static let maxCandidates = 32

    /// The posts with a GUID or link in any spelling, and those of other entries that had the same.
    private func candidates(_ identity: String) throws -> [Candidate] {
        // "!" is the character after the space.
        let sql = """
            SELECT \(Candidate.columns) FROM posts
            WHERE source = ? AND number IS NOT NULL AND post_id >= ? AND post_id < ? || '!'
            LIMIT \(Self.maxCandidates)
            """
        return try Entry.spellings(of: identity).flatMap { spelling in
            try database.all(sql, [.integer(sourceKey), .text(spelling), .text(spelling)], Candidate.init)
                .filter { $0.identity == spelling || Self.isShared($0.identity, by: spelling) }
        }
    }

    /// Whether a stored identity is a GUID or link followed by a digest.
    private static func isShared(_ stored: String, by identity: String) -> Bool {
        guard stored.utf8.starts(with: identity.utf8) else { return false }
        let digest = stored.utf8.dropFirst(identity.utf8.count)
        return digest.first == .space
            && digest.dropFirst().allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") || (0x61...0x66).contains($0) }
    }

    fileprivate func hasText(of entry: Entry, _ candidate: Candidate) throws -> Bool {
        try StoredText.isStored(entry.text, ofPost: candidate.key, in: database)
    }
}

/// Finds the stored posts of entries whose GUIDs or links have changed.
struct MovedEntries {
    private let identity: EntryIdentity
    /// The posts of the stored list by title.
    private lazy var lastPosts: [String: [EntryIdentity.Candidate]] = {
        let posts = try? identity.database.all(
            """
            SELECT \(EntryIdentity.Candidate.columns)
            FROM ranks JOIN posts ON posts.source = ranks.source AND posts.id = ranks.id
            WHERE ranks.source = ? AND section = '' AND number IS NOT NULL
            """, [.integer(identity.sourceKey)], EntryIdentity.Candidate.init)
        return Dictionary(grouping: posts ?? [], by: \.title)
    }()

    init(of sourceKey: Int64, in database: Database) {
        identity = EntryIdentity(sourceKey: sourceKey, database: database)
    }

    private var database: Database { identity.database }

    /// The post of an entry with another GUID or link, unless it belongs to another entry.
    mutating func post(
        of entry: Entry, isTaken: (Int64) -> Bool
    ) throws -> EntryIdentity.Candidate? {
        guard entry.numbering?.distinction == .identity else { return nil }
        let metadata = entry.metadata
        for link in metadata.link.map(Entry.spellings) ?? [] where entry.numbering?.hasDate == true {
            let posts = try identity.find("link", link)
            if let post = posts.first(where: {
                $0.title == metadata.title && $0.hasDate(of: entry) && !isTaken($0.key)
            }) {
                return post
            }
        }
        guard !entry.text.utf8.allSatisfy(\.isASCIIWhitespace) else { return nil }
        return try lastPosts[metadata.title]?.prefix(EntryIdentity.maxCandidates).first {
            try $0.hasDate(of: entry) && !isTaken($0.key) && identity.hasText(of: entry, $0)
        }
    }
}
