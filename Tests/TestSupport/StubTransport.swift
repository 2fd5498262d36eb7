import BlogHTTP
import Foundation
import Synchronization

/// A transport that responds to every request with the same head and the same chunks of a body.
package struct StubTransport: Transport {
    package let head: HTTPHead
    package let chunks: [String]

    package init(head: HTTPHead = HTTPHead(status: 200), chunks: [String]) {
        self.head = head
        self.chunks = chunks
    }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
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

/// A transport that responds by address, without a body, and records the requests.
package final class HeadsByAddress: Transport {
    private let heads: [String: HTTPHead]
    private let requests = Mutex<[String]>([])

    package init(_ heads: [String: HTTPHead]) {
        self.heads = heads
    }

    package var requested: [String] { requests.withLock { $0 } }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let address = request.url.absoluteString
        requests.withLock { $0.append(address) }
        return HTTPResponse(
            url: request.url, head: heads[address] ?? HTTPHead(status: 404), body: ResponseBody(Data()))
    }
}
