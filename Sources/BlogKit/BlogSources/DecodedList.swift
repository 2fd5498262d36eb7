/// The records of a list that could be read, and what was wrong with the others.
package struct DecodedList: Sendable {
    /// One record for each id, in the list's order.
    package let records: [PostMetadata]
    /// Records that were left out because a field was missing or wrong.
    package let rejected: [RejectedRecord]
    /// Ids that came more than once; the last record of each stands.
    package let duplicateIDs: [String]

    package init(records: [PostMetadata], rejected: [RejectedRecord]) {
        self.rejected = rejected
        if Set(records.lazy.map(\.id)).count == records.count {
            self.records = records
            duplicateIDs = []
        } else {
            let last = Dictionary(records.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { _, later in later })
            self.records = records.enumerated().filter { last[$1.id] == $0 }.map(\.element)
            duplicateIDs = Set(records.enumerated().filter { last[$1.id] != $0 }.map(\.element.id)).sorted()
        }
    }

    /// Whether anything in the list was not as it should be.
    package var isFlawed: Bool { !rejected.isEmpty || !duplicateIDs.isEmpty }
}
