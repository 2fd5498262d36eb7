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
