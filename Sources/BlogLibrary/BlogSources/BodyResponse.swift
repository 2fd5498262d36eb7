import HTTP
import Model

/// A source's response to a request for a body.
package struct BodyResponse: Sendable {
    /// The text, which may still be arriving; nil if the server said that it has not changed.
    package let text: TextStream?
    /// What to send with the next request.
    package let validators: CacheValidators

    package init(text: TextStream?, validators: CacheValidators) {
        self.text = text
        self.validators = validators
    }
}

/// The text of a body as a stream of chunks, cut anywhere but within a character.
///
/// It can be read once. If reading throws, discard what was read.
package struct TextStream: AsyncSequence, Sendable {
    package typealias Element = String

    private let readChunk: @Sendable () async throws -> String?

    /// A text from a function that returns the next chunk, nil at the end.
    package init(readChunk: @escaping @Sendable () async throws -> String?) {
        self.readChunk = readChunk
    }

    package func makeAsyncIterator() -> Iterator { Iterator(readChunk: readChunk) }

    package struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let readChunk: @Sendable () async throws -> String?

        package func next() async throws -> String? { try await readChunk() }
    }
}
