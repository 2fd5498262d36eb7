import BlogEssentials

/// A source's response to a request for its list.
package enum Refresh: Sendable {
    /// Not modified; `wasSent` is true if the server sent the whole list again instead of a 304.
    case unchanged(Checkpoint, wasSent: Bool)
    case entries(any EntryBatches, Coverage, Checkpoint)
    /// Ranked entries.
    case ranking(Ranking)
}

/// A source's own order.
package struct Ranking: Sendable {
    package let ids: [String]
    /// The entries that came with the ranking; others are fetched one by one.
    package let entries: [Entry]
    /// Records that were skipped because a field is missing or invalid.
    package let rejected: [RejectedRecord]

    /// How many posts at the front of a ranking belong to a list of several sources.
    package static let frontPageCount = 30

    package init(ids: [String], entries: [Entry] = [], rejected: [RejectedRecord] = []) {
        self.ids = ids
        self.entries = entries
        self.rejected = rejected
    }
}

/// How much of a source its list covers.
package enum Coverage: Sendable {
    /// All posts: others are no longer listed.
    case complete
    /// Only the newest posts: others may still exist.
    case window
}

/// The cache state of a list, to be sent with the next request for it.
package struct Checkpoint: Sendable {
    package let validators: CacheValidators
    /// The digest of a complete list, to compare lists without parsing.
    package let digest: String?
    /// How long the list is fresh according to the server, in seconds.
    package let maxAge: TimeInterval
    /// The minimum refresh interval according to the list itself, in seconds.
    package let timeToLive: TimeInterval
    package let title: String?
    /// The address of the site that the list says it is of; nil if it doesn't.
    package let home: String?
    /// The permanent new address of the source according to its server; nil if it hasn't moved.
    package let movedTo: String?
    /// Reads the stored entries of the list.
    package let entries: StoredEntries

    /// The stored identities of entries, which needn't be decoded again, by their digests: see ``Entry/digest``.
    package typealias StoredEntries = @Sendable () async -> [Int64: String]

    package init(
        validators: CacheValidators, digest: String?, maxAge: TimeInterval = 0, timeToLive: TimeInterval = 0,
        title: String? = nil, home: String? = nil, movedTo: String? = nil, entries: @escaping StoredEntries = { [:] }
    ) {
        self.validators = validators
        self.digest = digest
        self.maxAge = maxAge
        self.timeToLive = timeToLive
        self.title = title
        self.home = home
        self.movedTo = movedTo
        self.entries = entries
    }
}

/// A post in a source's list.
package struct Entry: Hashable, Sendable {
    package let metadata: PostMetadata
    /// The body if it came with the list.
    package let content: Content?
    /// For an entry that the store numbers; nil if its source gave it an ID.
    package let numbering: Numbering?
    /// The comments on it that came with it, including replies.
    package let comments: [Entry]
    /// A digest of the bytes that it was decoded from and of what else determined the result; nil if unknown.
    package let digest: Int64?

    /// The text of the body; "" if there is none.
    package var text: String { content?.text ?? "" }

    package init(
        _ metadata: PostMetadata, content: Content? = nil, numbering: Numbering? = nil, comments: [Entry] = [],
        digest: Int64? = nil
    ) {
        self.metadata = metadata
        self.content = content
        self.numbering = numbering
        self.comments = comments
        self.digest = digest
    }

    /// Marks an entry that the store numbers when it is first seen.
    ///
    /// It is identified by its ``PostMetadata/postId`` as far as that is its own; its ``PostMetadata/id`` is meaningless.
    package struct Numbering: Hashable, Sendable {
        /// Whether it has a date; if not, the date is when it was first seen.
        package let hasDate: Bool
        /// Whether the date stays when it is edited: when it was published, not when it was updated.
        package let hasFixedDate: Bool
        /// Whether it is identified by its link, for want of a GUID.
        package let isByLink: Bool
        /// Whether others of its list have the same link.
        package let sharesLink: Bool
        package let distinction: Distinction

        package init(
            hasDate: Bool, hasFixedDate: Bool? = nil, isByLink: Bool = false, sharesLink: Bool = false,
            distinction: Distinction = .identity
        ) {
            self.hasDate = hasDate
            self.hasFixedDate = hasFixedDate ?? hasDate
            self.isByLink = isByLink
            self.sharesLink = sharesLink
            self.distinction = distinction
        }
    }

    /// What tells entries apart that have the same GUID or link, in the form in which it is compared.
    package struct Facts: Hashable, Sendable {
        package let title: String
        package let link: String?
        /// When it was published, in milliseconds since 1970.
        package let date: Int64?

        package init(title: String, link: String?, published: Timestamp?) {
            self.title = title
            self.link = link.map(Entry.canonical)
            date = published?.milliseconds
        }
    }

    package var facts: Facts {
        Facts(
            title: metadata.title, link: metadata.link,
            published: numbering?.hasFixedDate == true ? metadata.publishDate : nil)
    }

    /// What tells an entry apart from the others of its list.
    package enum Distinction: Sendable {
        /// Its address, which can't be that of another: a page that the user named.
        case address
        /// Its ``PostMetadata/postId``, unless stored posts show that others had the same.
        case identity
        /// Its ``Facts``: others have the same ``PostMetadata/postId``.
        case facts
        /// Its text: others also have the same ``Facts``.
        case text
    }

    /// In a stored ``PostMetadata/postId``, it is between a GUID or link that several posts have and what tells them
    /// apart.
    package static let separator: Unicode.Scalar = "\u{1F}"

    /// The spellings of a GUID or link that mean the same: with both schemes, with and without a slash at the end; the
    /// host is in lower case.
    ///
    /// A text that isn't a web address has only one.
    package static func spellings(of identity: String) -> [String] {
        let address = canonical(identity).dropFirst("https://".count)
        guard isAddress(withLowercasedHost(identity)) else { return [identity] }
        return ["https://", "http://"].flatMap { [$0 + address, $0 + address + "/"] }
    }

    /// The first of the ``spellings(of:)``.
    package static func canonical(_ identity: String) -> String {
        let identity = withLowercasedHost(identity)
        guard isAddress(identity) else { return identity }
        let address = identity.hasSuffix("/") ? String(identity.dropLast()) : identity
        return address.hasPrefix("https") ? address : "https" + address.dropFirst("http".count)
    }

    /// The canonical GUID or link in a stored ``PostMetadata/postId``.
    package static func withoutDistinction(_ identity: String) -> String {
        guard let end = identity.unicodeScalars.firstIndex(of: separator) else { return canonical(identity) }
        return canonical(String(identity[..<end]))
    }

    package static func withLowercasedHost(_ address: String) -> String {
        guard address.utf8.prefix(4).elementsEqual("http".utf8, by: { $0.lowercased == $1 }) else { return address }
        var slashes = 0
        let path = address.utf8.firstIndex { byte in
            slashes += byte == UInt8(ascii: "/") ? 1 : 0
            return slashes == 3
        }
        let end = path ?? address.endIndex
        guard slashes >= 2, address.utf8[..<end].contains(where: { $0 != $0.lowercased }) else { return address }
        return address[..<end].lowercased() + address[end...]
    }

    private static func isAddress(_ identity: String) -> Bool {
        identity.hasPrefix("https://") || identity.hasPrefix("http://")
    }

    package struct Content: Hashable, Sendable {
        /// The text as published; "" if there is none.
        package let text: String
        /// Nil if unknown.
        package let format: BodyFormat?

        package init(_ text: String, _ format: BodyFormat?) {
            self.text = text
            self.format = format
        }
    }
}

/// Consecutive entries of a list.
package struct EntryBatch: Hashable, Sendable {
    package var entries: [Entry] = []
    /// The digests of entries that were left out because they are stored.
    package var unchanged: [Int64] = []
    /// Records that were skipped because a field is missing or invalid.
    package var rejected: [RejectedRecord] = []

    package init(_ entries: [Entry] = [], rejected: [RejectedRecord] = []) {
        self.entries = entries
        self.rejected = rejected
    }

    package var count: Int { entries.count + unchanged.count + rejected.count }

    package var isEmpty: Bool { count == 0 }
}

/// The entries of a list in batches, each decoded when it is asked for: all of them would take more memory than the
/// document.
package protocol EntryBatches: Sendable {
    /// The next entries; nil at the end. Throws a ``FetchError`` if the document isn't a list, or a ``StoreError`` if it
    /// can't be read.
    mutating func next() throws -> EntryBatch?
}

/// How a refresh failed.
public enum RefreshProblem: String, Sendable {
    /// The server couldn't be reached.
    case unreachable
    /// The server failed, or its response was incomplete.
    case failed
    /// The server says that the source was removed permanently (410).
    case gone
    /// There is nothing at the address (404).
    case missing
    /// The server redirects permanently to another host, which has none of the stored posts; the reason is the new address.
    case moved
    /// The server requires a login (401), which it didn't get or rejected.
    case login
    /// The server refuses programs, or these requests (403 and other statuses from 400 to 499).
    case refused
    /// The response isn't a list, or no longer.
    case unreadable
    /// It isn't asked: nobody typed its address, which is that of a sync server or in a private network.
    case unconfirmed
}

/// The validators of a response, for conditional requests (RFC 9110, section 8.8).
package struct CacheValidators: Hashable, Sendable {
    package let etag: String?
    package let lastModified: String?
    /// The origin of the response, which alone gets them back; nil for that of the requested address.
    package let origin: String?

    package init(etag: String? = nil, lastModified: String? = nil, origin: String? = nil) {
        (self.etag, self.lastModified, self.origin) = (etag, lastModified, origin)
    }

    /// These unless they are of another origin, which isn't stored.
    package var ofRequestedOrigin: CacheValidators { origin == nil ? self : CacheValidators() }

    package var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// Remembers which hosts are rate limiting (`Retry-After`), by host and port; failures to read or write are ignored.
package protocol HostWaits: Sendable {
    /// The ends of the waits by host with its port, or by address.
    func waits() async -> [String: Date]

    func remember(wait: Date, of place: String) async
}

/// Remembers the origins of addresses that the user has typed, such as `https://example.org` or `http://localhost:8106`.
package protocol OriginRecord: Sendable {
    /// What the user has typed addresses of any of some origins for; nil for none, or if the record can't be read.
    func use(of origins: [String]) async -> OriginUse?

    /// Whether a sync server is known on a host, whatever its port.
    func hasService(atHost host: String) async -> Bool

    /// Whether the login of a sync server's name is for one of some origins: its address was followed under that name.
    func isBound(login name: String, to origins: [String]) async -> Bool
}

/// What the user has typed the address of an origin for.
package struct OriginUse: Hashable, Sendable {
    /// Whether for a sync server.
    package var isService: Bool
    /// Whether a login may be sent there without encryption.
    package var allowsHTTP: Bool

    package init(isService: Bool = false, allowsHTTP: Bool = false) {
        (self.isService, self.allowsHTTP) = (isService, allowsHTTP)
    }

    /// This use and another one; nil stands for none.
    package func merged(with other: OriginUse?) -> OriginUse {
        OriginUse(
            isService: isService || other?.isService == true, allowsHTTP: allowsHTTP || other?.allowsHTTP == true)
    }
}

/// An invalid record of a list that was skipped.
public struct RejectedRecord: Hashable, Sendable {
    /// The index in the list, starting at 0.
    public let index: Int
    /// The missing or invalid field, for example `author.name`; "" if the record isn't an object.
    public let field: String
    /// The problem with the field as a predicate, for example "is missing".
    public let reason: String

    /// The record's id; nil if it can't be read.
    public let id: String?

    package init(index: Int, field: String, reason: String, id: String? = nil) {
        self.id = id
        self.index = index
        self.field = field
        self.reason = reason
    }
}

/// The number of posts that a refresh changed.
public struct ListChanges: Hashable, Sendable {
    /// The number of new posts.
    public package(set) var new: Int
    /// The number of posts with changed metadata.
    public package(set) var updated: Int
    /// The number of unchanged posts.
    public package(set) var unchanged: Int
    /// The number of posts that the source no longer lists.
    public package(set) var delisted: Int

    package init(new: Int = 0, updated: Int = 0, unchanged: Int = 0, delisted: Int = 0) {
        self.new = new
        self.updated = updated
        self.unchanged = unchanged
        self.delisted = delisted
    }
}

/// The invalid and duplicate records of a list.
public struct ListFlaws: Hashable, Sendable {
    /// The first 100 records that were skipped because a field is missing or invalid.
    public private(set) var rejected: [RejectedRecord] = []
    /// The number of records that were skipped.
    public private(set) var rejectedCount = 0
    /// The first 100 ids that occurred more than once; the last record with an id wins.
    public private(set) var duplicateIDs: [String] = []
    /// Whether a record without a readable id was skipped: it might be any of the missing posts.
    package private(set) var hasUnknownRecord = false

    package init(_ rejected: [RejectedRecord] = []) {
        for record in rejected { note(record) }
    }

    /// Whether the list has no flaws.
    public var isEmpty: Bool { rejectedCount == 0 && duplicateIDs.isEmpty }

    package mutating func note(_ record: RejectedRecord) {
        rejectedCount += 1
        hasUnknownRecord = hasUnknownRecord || record.id == nil
        if rejected.count < Self.maxNamed { rejected.append(record) }
    }

    package mutating func note(duplicate id: String) {
        if duplicateIDs.count < Self.maxNamed, !duplicateIDs.contains(id) { duplicateIDs.append(id) }
    }

    private static let maxNamed = 100
}
