import Foundation
import MockServer
import Testing

@testable import BlogKit

@Suite("An answer that is more than was asked for") struct BoundedQueueTests {
    @Test("is given up at once, whoever else is asking", .timeLimit(.minutes(1)))
    func tooLarge() async throws {
        let server = try MockServer(sites: [])
        defer { server.stop() }
        server.setFault(.body(Data(count: 8 << 20)), for: "/long")
        server.setFault(.body(Data("short".utf8)), for: "/short")
        let client = HTTPClient(transport: URLSessionTransport(), timeout: 30)
        let (long, short) = (URL(string: server.address + "/long"), URL(string: server.address + "/short"))
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...8 {
                group.addTask {
                    await #expect(throws: HTTPError.self) {
                        _ = try await client.get(try #require(long), limit: 1000)
                    }
                }
                group.addTask {
                    let answer = try? await client.get(try #require(short), limit: 1000)
                    #expect(answer?.body == Data("short".utf8))
                }
            }
        }
    }

    @Test("is taken as fast as it is used, and whole", .timeLimit(.minutes(1)))
    func slow() async throws {
        let server = try MockServer(sites: [])
        defer { server.stop() }
        let sent = Data((0..<4 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
        server.setFault(.body(sent), for: "/long")
        let taken = Taken()
        let url = try #require(URL(string: server.address + "/long"))
        _ = try await HTTPClient(transport: URLSessionTransport(), timeout: 30).get(
            url, limit: 8 << 20, receive: Receiver(take: { await taken.take($0) }))
        #expect(await taken.data == sent)
    }

    private actor Taken {
        private(set) var data = Data()

        func take(_ data: Data) async {
            await Task.yield()
            self.data += data
        }
    }
}
