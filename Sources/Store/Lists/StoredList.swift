import Model

/// What storing a list changed, and what was wrong with the list.
package struct StoredList: Sendable {
    package internal(set) var changes = ListChanges()
    /// The first records that were left out.
    package private(set) var rejected: [RejectedRecord] = []
    package private(set) var rejectedCount = 0
    /// Ids that came more than once, the first of them; the last record of each stands.
    package private(set) var duplicateIDs: [String] = []
    /// Whether a record was left out whose id can't be read: then it may be any post that is missing.
    private(set) var hasUnknownRejected = false

    /// Whether anything in the list was not as it should be.
    var isFlawed: Bool { rejectedCount > 0 || !duplicateIDs.isEmpty }

    mutating func note(_ record: RejectedRecord) {
        rejectedCount += 1
        hasUnknownRejected = hasUnknownRejected || record.id == nil
        if rejected.count < Self.maxNamed { rejected.append(record) }
    }

    mutating func note(duplicate id: String) {
        if duplicateIDs.count < Self.maxNamed, !duplicateIDs.contains(id) { duplicateIDs.append(id) }
    }

    /// More are not listed.
    private static let maxNamed = 100
}

/// What storing a list changed.
public struct ListChanges: Hashable, Sendable {
    /// Posts that were not stored before.
    public internal(set) var new: Int
    /// Posts whose metadata changed.
    public internal(set) var updated: Int
    /// Posts that did not change.
    public internal(set) var unchanged: Int
    /// Posts that the source no longer lists.
    public internal(set) var delisted: Int

    package init(new: Int = 0, updated: Int = 0, unchanged: Int = 0, delisted: Int = 0) {
        self.new = new
        self.updated = updated
        self.unchanged = unchanged
        self.delisted = delisted
    }
}
