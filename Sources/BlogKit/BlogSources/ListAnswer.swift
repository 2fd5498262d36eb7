import Foundation

/// A source's answer to what it lists.
package struct ListAnswer: Sendable {
    /// What came, undecoded until it is known to be new; nil where the server said that nothing has changed.
    package let content: Content?
    /// What to ask with next time.
    package let validators: CacheValidators
    /// For how many seconds the list is current without asking.
    package let maxAge: TimeInterval

    package init(content: Content?, validators: CacheValidators, maxAge: TimeInterval) {
        self.content = content
        self.validators = validators
        self.maxAge = maxAge
    }

    /// The bytes of a list and how to read them.
    package struct Content: Sendable {
        /// Tells these bytes from others, without decoding them.
        package let digest: String
        /// The records, in the source's own order; throws a ``SourceError`` where the bytes are no list.
        package let decode: @Sendable () async throws -> DecodedList

        package init(digest: String, decode: @escaping @Sendable () async throws -> DecodedList) {
            self.digest = digest
            self.decode = decode
        }
    }
}
