import Essentials

/// A source's response to a request for its list.
package enum Refresh: Sendable {
    /// Not modified: the list is the stored one.
    ///
    /// `wasSent` is whether the server sent the whole list again instead of a 304.
    case unchanged(Checkpoint, wasSent: Bool)
    /// Its entries, which may still be arriving.
    case entries(any EntryBatches, Coverage, Checkpoint)
    /// Its entries in its own order.
    case ranking(Ranking)
}

/// A source's own order.
package struct Ranking: Sendable {
    /// The ids of the entries in their order.
    package let ids: [String]
    /// The entries, where they came along; each of the others is fetched on its own.
    package let entries: [Entry]
    /// Records that were left out because a field was missing or wrong.
    package let rejected: [RejectedRecord]

    package init(ids: [String], entries: [Entry] = [], rejected: [RejectedRecord] = []) {
        self.ids = ids
        self.entries = entries
        self.rejected = rejected
    }
}

/// How much of a source its list covers.
package enum Coverage: Sendable {
    /// All posts: a post that is not on it is no longer listed.
    case complete
    /// The newest posts only: a post that is not on it may still exist.
    case window
}

/// The cache state of a list, to be sent with the next request for it.
package struct Checkpoint: Sendable {
    package let validators: CacheValidators
    /// The digest of a complete list, to compare lists without parsing; nil while it is still arriving.
    package let digest: String?
    /// For how many seconds the list is fresh.
    package let maxAge: TimeInterval
    /// For how many seconds the source asks not to be refreshed.
    package let timeToLive: TimeInterval
    /// The source's own title; nil if it has none.
    package let title: String?
    /// The permanent new address of the source, as its server says now; nil if it hasn't moved.
    package let movedTo: String?

    package init(
        validators: CacheValidators, digest: String?, maxAge: TimeInterval = 0, timeToLive: TimeInterval = 0,
        title: String? = nil, movedTo: String? = nil
    ) {
        self.validators = validators
        self.digest = digest
        self.maxAge = maxAge
        self.timeToLive = timeToLive
        self.title = title
        self.movedTo = movedTo
    }
}

/// A post as a source lists it.
package struct Entry: Hashable, Sendable {
    package let metadata: PostMetadata
    /// Its body, if that came with the list; nil if it has to be fetched.
    package let content: Content?
    /// How the store numbers it; nil if its source gave it an ID.
    package let numbering: Numbering?
    /// The comments on it and the replies to them, where they came along.
    package let comments: [Entry]

    package init(
        _ metadata: PostMetadata, content: Content? = nil, numbering: Numbering? = nil, comments: [Entry] = []
    ) {
        self.metadata = metadata
        self.content = content
        self.numbering = numbering
        self.comments = comments
    }

    /// Facts for numbering an entry when it is first seen.
    ///
    /// The entry is known by its ``PostMetadata/postId``; its ``PostMetadata/id`` means nothing.
    package struct Numbering: Hashable, Sendable {
        /// Whether it has a date; if not, it is dated when it is first seen.
        package let hasDate: Bool

        package init(hasDate: Bool) {
            self.hasDate = hasDate
        }
    }

    /// A body and its format.
    package struct Content: Hashable, Sendable {
        /// The text as published; "" if there is none.
        package let text: String
        /// Nil where the source doesn't say.
        package let format: BodyFormat?

        package init(_ text: String, _ format: BodyFormat?) {
            self.text = text
            self.format = format
        }
    }
}

/// Some entries of a list that is arriving, in the list's order.
package struct EntryBatch: Hashable, Sendable {
    package var entries: [Entry] = []
    /// Records that were left out because a field was missing or wrong.
    package var rejected: [RejectedRecord] = []

    package init(_ entries: [Entry] = [], rejected: [RejectedRecord] = []) {
        self.entries = entries
        self.rejected = rejected
    }

    package var count: Int { entries.count + rejected.count }

    package var isEmpty: Bool { entries.isEmpty && rejected.isEmpty }
}

/// The entries of a list, batch by batch, as they arrive.
package protocol EntryBatches: Sendable {
    /// The next entries; nil at the end.
    ///
    /// Throws a ``FetchError``, for example if the response isn't a list.
    func next() async throws -> EntryBatch?
}

/// The validators of a response, for conditional requests (RFC 9110, section 8.8).
package struct CacheValidators: Hashable, Sendable {
    package let etag: String?
    package let lastModified: String?

    package init(etag: String?, lastModified: String?) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Whether there are no validators.
    package var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// A record of a list that was left out.
public struct RejectedRecord: Hashable, Sendable {
    /// Its place in the list, starting at 0.
    public let index: Int
    /// The field that is missing or wrong, for example `author.name`; "" if the record itself isn't an object.
    public let field: String
    /// What is wrong with the field, as the end of a sentence: "is missing".
    public let reason: String

    /// The record's id, where that can be read.
    public let id: String?

    package init(index: Int, field: String, reason: String, id: String? = nil) {
        self.id = id
        self.index = index
        self.field = field
        self.reason = reason
    }
}

/// The records of a list that were left out or came twice.
public struct ListFlaws: Hashable, Sendable {
    /// Records that were left out because a field was missing or wrong, the first 100 of them.
    public private(set) var rejected: [RejectedRecord] = []
    /// How many records were left out.
    public private(set) var rejectedCount = 0
    /// Ids that came more than once, the first 100 of them; the last record of each stands.
    public private(set) var duplicateIDs: [String] = []

    package init(_ rejected: [RejectedRecord] = []) {
        for record in rejected { note(record) }
    }

    /// Whether nothing was wrong.
    public var isEmpty: Bool { rejectedCount == 0 && duplicateIDs.isEmpty }

    package mutating func note(_ record: RejectedRecord) {
        rejectedCount += 1
        if rejected.count < Self.maxNamed { rejected.append(record) }
    }

    package mutating func note(duplicate id: String) {
        if duplicateIDs.count < Self.maxNamed, !duplicateIDs.contains(id) { duplicateIDs.append(id) }
    }

    private static let maxNamed = 100
}
