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

        /// Whether the dates are the same, or the entry has none.
        fileprivate func mayHaveDate(of entry: Entry) -> Bool {
            entry.numbering?.hasDate != true || date?.milliseconds == entry.metadata.publishDate.milliseconds
        }

        fileprivate func hasLink(of entry: Entry) -> Bool {
            link.map(Entry.canonical) == entry.metadata.link.map(Entry.canonical)
        }

        fileprivate func hasFacts(of entry: Entry) -> Bool {
            title == entry.metadata.title && mayHaveDate(of: entry) && hasLink(of: entry)
        }
    }

    /// The post with the identity of an entry: its GUID, else its link, unless other entries have the same; these are
    /// told apart by title, date and link, and at last by their text.
    func post(of entry: Entry) throws -> Candidate? {
        let distinction = entry.numbering?.distinction ?? .identity
        if distinction == .address { return try stored(as: entry.metadata.postId) }
        let candidates = try candidates(entry.metadata.postId)
        if distinction == .identity, let only = candidates.first, candidates.count == 1 {
            return try isOther(only, than: entry) ? nil : only
        }
        if let post = try stored(as: Self.sharedIdentity(of: entry)) { return post }
        let similar = candidates.filter { $0.hasFacts(of: entry) }
        // The date of an entry without one can't be compared.
        if distinction != .text, entry.numbering?.hasDate == true, similar.count <= 1 { return similar.first }
        // Episodes may differ only in their files.
        guard entry.metadata.article?.enclosures.isEmpty != false else { return nil }
        return try similar.first { try hasText(of: entry, $0) }
    }

    /// Whether everything but the GUID or link that an entry shares with a post is different.
    private func isOther(_ post: Candidate, than entry: Entry) throws -> Bool {
        let (metadata, numbering) = (entry.metadata, entry.numbering)
        let hasOtherLink =
            numbering?.isByLink == true || post.link != nil && metadata.link != nil && !post.hasLink(of: entry)
        guard post.title != metadata.title, hasOtherLink else { return false }
        if numbering?.hasDate == true { return !post.mayHaveDate(of: entry) }
        return try !entry.text.isEmpty && !hasText(of: entry, post)
    }

    /// The identity under which a new post is stored.
    ///
    /// - Parameter isFirst: whether nothing of its source was stored before its list.
    func identity(ofNew entry: Entry, isFirst: Bool) throws -> String {
        let identity = entry.metadata.postId
        switch entry.numbering?.distinction {
        case .address: return identity
        case .identity where try isFirst || candidates(identity).isEmpty: return identity
        default: return Self.sharedIdentity(of: entry)
        }
    }

    private static func sharedIdentity(of entry: Entry) -> String {
        let metadata = entry.metadata
        let facts =
            [metadata.title, metadata.publishDate.text, metadata.link ?? "", entry.text]
            + (metadata.article?.enclosures.map(\.url) ?? [])
        return metadata.postId + " " + ContentDigest.of(Data(facts.joined(separator: "\0").utf8))
    }

    private func stored(as identity: String) throws -> Candidate? {
        let sql = "SELECT \(Candidate.columns) FROM posts WHERE source = ? AND post_id = ? AND number IS NOT NULL"
        return try database.first(sql, [.integer(sourceKey), .text(identity)], Candidate.init)
    }

    fileprivate func posts(withLink link: String) throws -> [Candidate] {
        // The limit comes first, because posts of other sources may have the same link.
        let sql = """
            SELECT \(Candidate.columns) FROM (SELECT * FROM posts WHERE link = ? LIMIT \(Self.maxCandidates)) AS posts
            WHERE source = ? AND number IS NOT NULL
            """
        return try database.all(sql, [.text(link), .integer(sourceKey)], Candidate.init)
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
        let rest = stored.utf8.dropFirst(identity.utf8.count)
        let parts = rest.dropFirst().split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return rest.first == .space && parts.count == 2 && parts[0].allSatisfy(\.isDigit) && !parts[0].isEmpty
            && parts[1].allSatisfy { $0.isDigit || (0x61...0x66).contains($0) } && (1...16).contains(parts[1].count)
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

    /// The post of an entry with another GUID or link, unless it belongs to another entry.
    mutating func post(
        of entry: Entry, isTaken: (Int64) -> Bool
    ) throws -> EntryIdentity.Candidate? {
        guard entry.numbering?.distinction == .identity else { return nil }
        let metadata = entry.metadata
        for link in metadata.link.map(Entry.spellings) ?? [] where entry.numbering?.hasDate == true {
            let posts = try identity.posts(withLink: link)
            if let post = posts.first(where: {
                $0.title == metadata.title && $0.mayHaveDate(of: entry) && !isTaken($0.key)
            }) {
                return post
            }
        }
        guard !entry.text.utf8.allSatisfy(\.isASCIIWhitespace) else { return nil }
        return try lastPosts[metadata.title]?.prefix(EntryIdentity.maxCandidates).first {
            try $0.mayHaveDate(of: entry) && !isTaken($0.key) && identity.hasText(of: entry, $0)
        }
    }
}
