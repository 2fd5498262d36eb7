import Foundation

/// A source's response to what it lists.
package struct ListResponse: Sendable {
    /// The records; nil where the server said that nothing has changed.
    package let records: (any RecordBatches)?
    /// Tells a list that arrived whole from others without reading its records; nil for one that is still arriving.
    package let digest: String?
    /// What to send with the next request.
    package let validators: CacheValidators
    /// For how many seconds the list is fresh.
    package let maxAge: TimeInterval

    package init(records: (any RecordBatches)?, digest: String?, validators: CacheValidators, maxAge: TimeInterval) {
        self.records = records
        self.digest = digest
        self.validators = validators
        self.maxAge = maxAge
    }
}
