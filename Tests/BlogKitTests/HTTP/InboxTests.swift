import Foundation
import Testing

@testable import BlogKit

@Suite("What has arrived and was not taken") struct InboxTests {
    private func bytes(_ event: TransportEvent?) -> Data? {
        guard case .bytes(let data)? = event else { return nil }
        return data
    }

    @Test("comes in its order, however much of it waits on the disk")
    func order() async throws {
        let inbox = Inbox()
        let sent = (0..<300).map { Data(repeating: UInt8($0 % 251), count: 10_000 + $0) }
        var taken = Data()
        for (number, data) in sent.enumerated() {
            inbox.put(.bytes(data))
            if number % 7 == 3 { taken += try await bytes(inbox.next()) ?? Data() }
        }
        inbox.end(.success(()))
        while let data = try await bytes(inbox.next()) { taken += data }
        #expect(taken == Data(sent.joined()))
        #expect(try await bytes(inbox.next()) == nil)
    }

    @Test("is given before the error that ended it, and to who waits for it already")
    func end() async throws {
        let inbox = Inbox()
        async let first = inbox.next()
        inbox.put(.bytes(Data([1])))
        inbox.put(.bytes(Data([2])))
        inbox.end(.failure(HTTPError.noRoom))
        inbox.end(.success(()))
        var all = [UInt8](bytes(try await first) ?? Data())
        await #expect(throws: HTTPError.noRoom) {
            while let data = try await bytes(inbox.next()) { all += data }
        }
        #expect(all == [1, 2])
    }

    @Test("is not waited for any more when that was cancelled")
    func cancel() async throws {
        let inbox = Inbox()
        let waiting = Task { try await inbox.next() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
