import Foundation
import Synchronization

/// The body of a response as a stream of chunks, pulled by the reader: without a reader, the transfer pauses.
///
/// It can be read once. Reading throws an ``HTTPError`` or `CancellationError`. The transfer is cancelled when the body
/// is released.
public final class ResponseBody: AsyncSequence, Sendable {
    /// A chunk: bytes as they came, at least one.
    public typealias Element = [UInt8]

    /// The prefix that was read ahead to check the response, not returned yet.
    private let prefix: Mutex<[UInt8]>
    /// Whether the body ends with the prefix.
    package let isComplete: Bool
    private let readChunk: @Sendable () async throws -> [UInt8]?

    /// A body of which each call of a function returns the next chunk, nil at the end.
    public convenience init(_ nextChunk: @escaping @Sendable () async throws -> [UInt8]?) {
        self.init(prefix: [], readChunk: nextChunk)
    }

    /// A body that is there already.
    public convenience init(_ data: Data) {
        self.init(prefix: Array(data), isComplete: true) { nil }
    }

    /// A body from a prefix and a function that returns the next chunk, nil at the end.
    package init(
        prefix: [UInt8], isComplete: Bool = false, readChunk: @escaping @Sendable () async throws -> [UInt8]?
    ) {
        self.prefix = Mutex(prefix)
        self.isComplete = isComplete
        self.readChunk = readChunk
    }

    /// The next chunk, never an empty one; nil at the end.
    public func next() async throws -> [UInt8]? {
        let taken = prefix.withLock { prefix in
            defer { prefix = [] }
            return prefix
        }
        if !taken.isEmpty { return taken }
        return isComplete ? nil : try await readChunk()
    }

    /// What is left of the body.
    public func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    /// Pulls one chunk after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: ResponseBody

        /// The next chunk; nil at the end.
        public func next() async throws -> [UInt8]? { try await body.next() }
    }

    /// The whole body if it was read ahead to its end; else "".
    package var whole: Data { isComplete ? prefix.withLock { Data($0) } : Data() }

    /// This body with at least `count` bytes buffered, or all of them if it has fewer.
    func reading(ahead count: Int) async throws -> ResponseBody {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let chunk = try await next() else {
                return ResponseBody(prefix: bytes, isComplete: true, readChunk: readChunk)
            }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
        }
        return ResponseBody(prefix: bytes, readChunk: readChunk)
    }
}
