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

    /// The stored posts of entries, by their index: a post belongs to one entry only, and the surest are found first.
    ///
    /// - Parameter isTaken: whether a post belongs to another entry of the list.
    func posts(of entries: [Entry], isTaken: (Int64) -> Bool) throws -> [Int: Candidate] {
        var posts: [Int: Candidate] = [:]
        var taken: Set<Int64> = []
        lazy var lastPosts = lastPosts()
        func isNotFree(_ post: Int64) -> Bool { taken.contains(post) || isTaken(post) }
        for step in Step.allCases {
            for (index, entry) in entries.enumerated() where entry.numbering != nil && posts[index] == nil {
                let post =
                    switch step {
                    case .same: try samePost(entry, isNotFree)
                    case .moved: try movedPost(entry, isNotFree) { lastPosts }
                    case .edited: try editedPost(entry, isNotFree)
                    }
                guard let post else { continue }
                posts[index] = post
                taken.insert(post.key)
            }
        }
        return posts
    }

    private enum Step: CaseIterable { case same, moved, edited }

    /// The post with the GUID or link of an entry, its title, its date, and if that isn't enough its text.
    ///
    /// If it is taken, the entry is a copy of another one.
    func samePost(_ entry: Entry, _ isTaken: (Int64) -> Bool) throws -> Candidate? {
        guard let numbering = entry.numbering, numbering.distinction != .address else {
            return try stored(as: entry.metadata.postId)
        }
        let shared = SharedIdentity(of: entry)
        let candidates = try candidates(of: entry, shared)
        let similar = candidates.filter { $0.hasFacts(of: entry, shared) }
        // First those whose facts are known to be the same.
        let free =
            similar.filter { $0.sharesIdentity && !isTaken($0.key) }
            + similar.filter { !$0.sharesIdentity && !isTaken($0.key) }
        if numbering.distinction == .identity, candidates.count == 1, let post = candidates.first, !isTaken(post.key),
            try !free.isEmpty || post.hasHeading(of: entry) && hasContent(of: entry, post)
        {
            return post
        }
        if let same = try free.first(where: { try hasContent(of: entry, $0) }) { return same }
        let copied = try similar.first { post in
            try isTaken(post.key) && post.hasDate(of: entry) == true && hasContent(of: entry, post)
        }
        if let copied { return copied }
        guard numbering.distinction != .text, numbering.hasFixedDate || entry.metadata.link != nil else { return nil }
        return free.count == 1 || free.count { $0.sharesIdentity } == 1 ? free[0] : nil
    }

    /// The post with another GUID or link, but the title and date of an entry, and its link or text; or with the link and
    /// date, and its text or the beginning or end of that, if the title was corrected.
    private func movedPost(
        _ entry: Entry, _ isTaken: (Int64) -> Bool, lastPosts: () -> [Heading: [Candidate]]
    ) throws -> Candidate? {
        guard let numbering = entry.numbering, numbering.distinction != .address else { return nil }
        guard numbering.hasDate else { return try undatedPost(entry, isTaken) }
        let (metadata, date) = (entry.metadata, entry.metadata.publishDate.milliseconds)
        if let link = metadata.link, numbering.distinction != .text, !numbering.sharesLink {
            let posts = try Entry.spellings(of: link).flatMap { try self.posts(withLink: $0) }
            // A link that another entry has identifies neither.
            if !posts.contains(where: { isTaken($0.key) }) {
                let post = try posts.first { post in
                    guard post.date?.milliseconds == date, post.hasFiles(of: entry) else { return false }
                    return try post.title == metadata.title || continues(entry, post)
                }
                if let post { return post }
            }
        }
        guard !entry.isBlank else { return nil }
        let posts = lastPosts()[Heading(title: metadata.title, date: date)] ?? []
        return try posts.prefix(Self.maxCandidates).first { post in
            guard !isTaken(post.key) else { return false }
            if try hasContent(of: entry, post) { return true }
            if let move = ServerMove(from: post.link, to: metadata.link), try hasContent(of: entry, post, move) {
                return true
            }
            // Looking at words takes time, and several posts with a title and date are in doubt anyway.
            return try posts.count == 1 && hasWords(of: entry, post)
        }
    }

    /// The post with the link, the title and the text of an entry without a date, whose GUID some feeds change with each
    /// request.
    private func undatedPost(_ entry: Entry, _ isTaken: (Int64) -> Bool) throws -> Candidate? {
        guard let link = entry.metadata.link, !entry.isBlank else { return nil }
        return try Entry.spellings(of: link).flatMap { try posts(withLink: $0) }.first { post in
            try post.title == entry.metadata.title && !isTaken(post.key) && hasContent(of: entry, post)
        }
    }

    /// The post with the GUID or link of an entry, unless all the rest is different.
    private func editedPost(_ entry: Entry, _ isTaken: (Int64) -> Bool) throws -> Candidate? {
        guard let numbering = entry.numbering, numbering.distinction == .identity else { return nil }
        let candidates = try candidates(of: entry, SharedIdentity(of: entry))
        guard let post = candidates.first, candidates.count == 1, !isTaken(post.key) else { return nil }
        return try isOther(post, than: entry, numbering) ? nil : post
    }

    /// Whether nothing confirms that an entry with the GUID or link of a post is the same.
    private func isOther(_ post: Candidate, than entry: Entry, _ numbering: Entry.Numbering) throws -> Bool {
        let hasOtherTitle = post.title != entry.metadata.title
        // A missing link proves nothing.
        let hasOtherLink = post.link != nil && entry.metadata.link != nil && !post.hasLink(of: entry)
        switch post.hasDate(of: entry) {
        case true?: return false
        case false?: guard hasOtherTitle || hasOtherLink else { return false }
        case nil: guard hasOtherTitle, hasOtherLink || numbering.isByLink, !entry.isBlank else { return false }
        }
        if try entry.isBlank || !hasText(of: entry, post) {
            // News that go on or are corrected have the same link, too.
            return try !post.hasLink(of: entry) || post.link == nil || !continues(entry, post)
        }
        return false
    }

    // MARK: Identities

    /// The identity under which a new post is stored, or a moved one.
    ///
    /// - Parameter isFirst: whether nothing of its source was stored before its list.
    func identity(ofNew entry: Entry, isFirst: Bool) throws -> String {
        let identity = entry.metadata.postId
        let distinction = entry.numbering?.distinction
        if distinction == .address || distinction == .identity && isFirst { return identity }
        let shared = SharedIdentity(of: entry)
        if try distinction == .identity && candidates(of: entry, shared).isEmpty { return identity }
        var text = shared.text
        while try stored(as: text) != nil { text.unicodeScalars.append(Entry.separator) }
        return text
    }

    /// The identity of the post of an entry: the GUID or link as before, unless it is another one.
    func identity(of post: Candidate, as entry: Entry) throws -> String {
        let own = entry.metadata.postId
        if post.identity == own { return own }
        guard Entry.withoutDistinction(post.identity) == Entry.canonical(own) else {
            return try identity(ofNew: entry, isFirst: false)
        }
        guard post.sharesIdentity else { return post.identity }
        let identity = SharedIdentity(of: entry).text
        return try identity == post.identity || stored(as: identity) != nil ? post.identity : identity
    }

    // MARK: Posts

    private struct Heading: Hashable {
        let title: String
        let date: Int64?
    }

    /// The posts of the stored list.
    private func lastPosts() -> [Heading: [Candidate]] {
        let sql = """
            SELECT \(Candidate.columns)
            FROM ranks JOIN posts ON posts.source = ranks.source AND posts.id = ranks.id
            WHERE ranks.source = ? AND section = '' AND number IS NOT NULL
            """
        let posts = try? database.all(sql, [.integer(sourceKey)], Candidate.init)
        return Dictionary(grouping: posts ?? []) { Heading(title: $0.title, date: $0.date?.milliseconds) }
    }

    /// The post with exactly this identity.
    func stored(as identity: String) throws -> Candidate? {
        let sql = "SELECT \(Candidate.columns) FROM posts WHERE source = ? AND post_id = ? AND number IS NOT NULL"
        return try database.first(sql, [.integer(sourceKey), .text(identity)], Candidate.init)
    }

    /// The stored post that a post of another database is, where it has another ID: the only one with its title, its address and
    /// its date, or of several of them with its text.
    ///
    /// - Parameters:
    ///   - condition: which stored posts it may be.
    ///   - isDatedByArrival: whether its date proves nothing, so that it may also be the only one with its title, address and text.
    func post(
        like metadata: PostMetadata, text: String, where condition: String, _ conditionValues: [DatabaseValue] = [],
        isDatedByArrival: Bool = false
    ) throws -> Candidate? {
        guard let link = metadata.link else { return nil }
        let spellings = Entry.spellings(of: link)
        let address = StoryAddress(link)
        let sql = """
            SELECT \(Candidate.columns) FROM posts WHERE key IN (
                SELECT key FROM (SELECT key FROM posts
                    WHERE link IN (\(spellings.map { _ in "?" }.joined(separator: ", "))) LIMIT \(Self.maxAlike))
                UNION SELECT key FROM (SELECT key FROM posts WHERE story = ? LIMIT \(Self.maxAlike))
            ) AND source = ? AND title = ? AND \(condition)
            """
        let values = spellings.map { DatabaseValue.text($0) } + [DatabaseValue(address?.hash)]
        let alike = try database.all(
            sql, values + [.integer(sourceKey), .text(metadata.title)] + conditionValues, Candidate.init
        ).filter { post in
            spellings.contains(post.link ?? "") || address != nil && post.link.flatMap { StoryAddress($0) } == address
        }
        let dated = alike.filter { $0.date == metadata.publishDate }
        // The sections of one page may be posts of their own.
        func section(_ link: String) -> Substring? { link.firstIndex(of: "#").map { link[$0...] } }
        let ofSection = dated.filter { $0.link.flatMap(section) == section(link) }
        if ofSection.count == 1 { return try isOther(ofSection[0], than: metadata, text: text) ? nil : ofSection[0] }
        // Short texts, such as that of an open thread, are those of several posts.
        if text.utf8.count < StoredText.enoughText { return nil }
        let same = try (dated.isEmpty && isDatedByArrival ? alike : dated).filter {
            try StoredText.isStored(text, ofPost: $0.key, in: database)
        }
        return same.count == 1 ? same[0] : nil
    }

    /// Whether a post has another text and other files, as the next episode of a day has.
    private func isOther(_ post: Candidate, than metadata: PostMetadata, text: String) throws -> Bool {
        let files = (metadata.entry?.enclosures ?? []).map(\.url)
        guard !files.isEmpty, !post.files.isEmpty, Set(files).isDisjoint(with: post.files), !text.isEmpty else {
            return false
        }
        return try !StoredText.isStored(text, ofPost: post.key, in: database)
    }

    /// Posts of other sources may have the same link.
    private static let maxAlike = 64

    /// The numbered posts with a link.
    func posts(withLink link: String) throws -> [Candidate] {
        // The limit comes first, because posts of other sources may have the same link.
        let sql = """
            SELECT \(Candidate.columns) FROM (SELECT * FROM posts WHERE link = ? LIMIT \(Self.maxCandidates)) AS posts
            WHERE source = ? AND number IS NOT NULL
            """
        return try database.all(sql, [.text(link), .integer(sourceKey)], Candidate.init)
    }

    /// Keeps the time linear if all entries of a feed have the same GUID or link.
    private static let maxCandidates = 8

    /// The posts with the GUID or link of an entry in any spelling: of those that share it, the one with its content,
    /// those with its facts, and as many others as tell whether there are several.
    private func candidates(of entry: Entry, _ shared: SharedIdentity) throws -> [Candidate] {
        let spellings = Entry.spellings(of: entry.metadata.postId) + [shared.text]
        let start = "SELECT \(Candidate.columns) FROM posts WHERE source = ? AND number IS NOT NULL AND post_id"
        let sql = """
            \(start) IN (\(spellings.map { _ in "?" }.joined(separator: ", ")))
            UNION SELECT * FROM (\(start) BETWEEN ? AND ? LIMIT \(Self.maxCandidates))
            UNION SELECT * FROM (\(start) BETWEEN ? AND ? LIMIT 2)
            """
        let source = DatabaseValue.integer(sourceKey)
        let ranges = [shared.ofFacts, shared.ofIdentity].flatMap { [source, .text($0), .text($0 + "\u{7F}")] }
        return try database.all(sql, [source] + spellings.map { .text($0) } + ranges, Candidate.init)
    }

    private func hasText(of entry: Entry, _ post: Candidate) throws -> Bool {
        try StoredText.isStored(entry.text, ofPost: post.key, in: database)
    }

    /// Whether the text is that of a post, or has it as its beginning or end.
    private func continues(_ entry: Entry, _ post: Candidate) throws -> Bool {
        guard !entry.isBlank else { return false }
        return try hasText(of: entry, post) || StoredText.find(post.key, in: database)?.isPart(of: entry.text) == true
    }

    /// Whether the words of the text are the same, whatever its links, pictures and tags.
    private func hasWords(of entry: Entry, _ post: Candidate) throws -> Bool {
        guard let stored = try StoredText.find(post.key, in: database), !stored.text.isEmpty,
            entry.text.utf8.count <= Self.maxComparedText, let format = entry.content?.format
        else { return false }
        let words = BodyText.plainText(of: entry.text, format: format)
        return words.utf8.count >= StoredText.enoughText
            && words == BodyText.plainText(of: stored.text, format: stored.format.flatMap(BodyFormat.init) ?? format)
    }

    /// The length in bytes of the texts whose words are compared; longer ones are compared byte by byte.
    private static let maxComparedText = 1 << 17

    /// Whether all there is to read, see or hear is the same, but for a move of the server.
    private func hasContent(of entry: Entry, _ post: Candidate, _ move: ServerMove? = nil) throws -> Bool {
        func before(_ text: String) -> String { move?.undone(in: text) ?? text }
        let article = entry.metadata.entry
        return try post.files == (article?.enclosures ?? []).map { before($0.url) }
            && post.ownEntry?.image == article?.image.map(before)
            && StoredText.isStored(before(entry.text), ofPost: post.key, in: database)
    }
}

/// Another server in the same link, which the addresses in a text may follow.
private struct ServerMove {
    private let old, new: Substring

    /// Nil if the rest of the links isn't the same.
    init?(from old: String?, to new: String?) {
        guard let old = old.flatMap(Self.parts), let new = new.flatMap(Self.parts), old.server != new.server,
            old.path == new.path
        else { return nil }
        (self.old, self.new) = (old.server, new.server)
    }

    /// A text as it was before.
    func undone(in text: String) -> String { text.replacing(new + "/", with: old + "/") }

    private static func parts(_ link: String) -> (server: Substring, path: Substring)? {
        guard let scheme = link.firstRange(of: "://"), let slash = link[scheme.upperBound...].firstIndex(of: "/") else {
            return nil
        }
        return (link[..<slash], link[slash...])
    }
}

extension EntryIdentity {
    /// A stored post, as far as it tells entries apart.
    struct Candidate {
        let key: Int64
        let id: String
        let identity: String
        let title: String
        let date: Timestamp?
        let sortDate: Int64
        let link: String?
        private let details: String?

        fileprivate init(_ row: Statement) {
            (key, id, identity) = (row.integer(0), row.text(1) ?? "", row.text(2) ?? "")
            (title, date) = (row.text(3) ?? "", row.text(4).flatMap { Timestamp($0) })
            (sortDate, link, details) = (row.integer(5), row.text(6), row.text(7))
        }

        fileprivate static let columns =
            "posts.key, posts.id, post_id, title, publish_date, date_key, link, posts.details"

        /// Nil if that can't be told: an entry without a date has that of its arrival, and an update moves others.
        fileprivate func hasDate(of entry: Entry) -> Bool? {
            guard let numbering = entry.numbering, numbering.hasDate else { return nil }
            let isSame = date?.milliseconds == entry.metadata.publishDate.milliseconds
            return isSame || numbering.hasFixedDate ? isSame : nil
        }

        fileprivate func hasLink(of entry: Entry) -> Bool {
            link.map(Entry.canonical) == entry.metadata.link.map(Entry.canonical)
        }

        /// Whether others have the same GUID or link.
        fileprivate var sharesIdentity: Bool { identity.unicodeScalars.contains(Entry.separator) }

        fileprivate func hasHeading(of entry: Entry) -> Bool { title == entry.metadata.title && hasLink(of: entry) }

        fileprivate func hasFacts(of entry: Entry, _ shared: SharedIdentity) -> Bool {
            if sharesIdentity { return identity.utf8.starts(with: shared.ofFacts.utf8) }
            return hasHeading(of: entry) && hasDate(of: entry) != false
        }

        fileprivate func hasFiles(of entry: Entry) -> Bool {
            files == (entry.metadata.entry?.enclosures ?? []).map(\.url)
        }

        fileprivate var files: [String] { (ownEntry?.enclosures ?? []).map(\.url) }

        fileprivate var ownEntry: EntryDetails? {
            guard let details, case .entry(let entry)? = try? PostRow.details(details) else { return nil }
            return entry
        }
    }
}

/// The identity of a post whose GUID or link others have too: digests of what tells it apart follow it.
private struct SharedIdentity {
    /// The beginning of all with the same GUID or link.
    let ofIdentity: String
    /// The beginning of all with the same facts.
    let ofFacts: String
    let text: String

    init(of entry: Entry) {
        let (facts, article) = (entry.facts, entry.metadata.entry)
        let date = entry.numbering?.hasDate == true ? String(entry.metadata.publishDate.milliseconds) : ""
        ofIdentity = Entry.canonical(entry.metadata.postId) + String(Entry.separator)
        ofFacts = ofIdentity + Self.digest([facts.title, facts.link ?? "", facts.date.map(String.init) ?? ""]) + "-"
        text = ofFacts + Self.digest([date, article?.image ?? "", entry.text] + (article?.enclosures ?? []).map(\.url))
    }

    private static func digest(_ texts: [String]) -> String {
        String(ContentDigest.hash(of: texts.joined(separator: "\0")), radix: 16)
    }
}

extension Entry {
    fileprivate var isBlank: Bool { text.utf8.allSatisfy(\.isASCIIWhitespace) }
}
