import Foundation
import Synchronization

/// The body of a response as a stream of chunks, which is pulled: what nobody reads is not fetched for long.
///
/// It can be read once. Reading throws an ``HTTPError`` or `CancellationError`. The transfer ends when the body goes
/// away.
package final class ResponseBody: AsyncSequence, Sendable {
    package typealias Element = [UInt8]

    /// What was read ahead, to see whether the response can be used, and is still to be given.
    private let prefix: Mutex<[UInt8]>
    /// Whether nothing comes behind the prefix.
    package let isComplete: Bool
    private let readChunk: @Sendable () async throws -> [UInt8]?

    /// A body of a prefix that is there and of the chunks that a function gives, nil at the end.
    package init(
        prefix: [UInt8] = [], isComplete: Bool = false, readChunk: @escaping @Sendable () async throws -> [UInt8]?
    ) {
        self.prefix = Mutex(prefix)
        self.isComplete = isComplete
        self.readChunk = readChunk
    }

    /// The next chunk, never an empty one; nil at the end.
    package func next() async throws -> [UInt8]? {
        let taken = prefix.withLock { prefix in
            defer { prefix = [] }
            return prefix
        }
        if !taken.isEmpty { return taken }
        return isComplete ? nil : try await readChunk()
    }

    package func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: ResponseBody

        package func next() async throws -> [UInt8]? { try await body.next() }
    }

    /// All of the body, where it was read ahead to its end; "" else.
    package var whole: Data { isComplete ? prefix.withLock { Data($0) } : Data() }

    /// This body with at least so many bytes of it read, or all of them where it has fewer.
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
