import BlogKit
import Foundation
import Synchronization

/// A transport that responds to every request with the same head and the same chunks of a body.
struct StubTransport: Transport {
    var head = HTTPHead(status: 200)
    let chunks: [String]

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let rest = Rest(chunks)
        return HTTPResponse(url: request.url, head: head, body: ResponseBody { rest.next() })
    }

    private final class Rest: Sendable {
        private let chunks: Mutex<ArraySlice<String>>

        init(_ chunks: [String]) {
            self.chunks = Mutex(chunks[...])
        }

        func next() -> [UInt8]? { chunks.withLock { $0.popFirst() }.map { Array($0.utf8) } }
    }
}
