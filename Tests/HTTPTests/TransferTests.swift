import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogHTTP
@testable import BlogStore

@Suite("A streamed response") struct TransferTests {
    private final class Calls: Sendable {
        let resumed = Atomic(0)
        let cancelled = Atomic(0)
    }

    private let calls = Calls()
    private let request = HTTPRequest(url: URL(filePath: "/"), timeout: 1)

    private func transfer() -> Transfer {
        Transfer(
            resume: { [calls] in calls.resumed.add(1, ordering: .relaxed) },
            cancel: { [calls] in calls.cancelled.add(1, ordering: .relaxed) })
    }

    @Test("delivers all bytes in order")
    func order() async throws {
        let transfer = transfer()
        transfer.receive(HTTPHead(status: 200))
        let response = try await TransferReader(transfer, over: nil).response(to: request)
        async let all = response.body.reduce(into: [UInt8]()) { $0 += $1 }
        for byte in UInt8(0)..<200 {
            transfer.receive([byte, byte])
            transfer.deliver()
        }
        transfer.end(.success(()))
        #expect(try await all == (UInt8(0)..<200).flatMap { [$0, $0] })
        #expect(try await response.body.next() == nil)
    }

    @Test("delivers the bytes that came before an error")
    func failure() async throws {
        let transfer = transfer()
        transfer.receive(HTTPHead(status: 200))
        transfer.receive([1, 2])
        transfer.end(.failure(HTTPError.interrupted(request.url)))
        transfer.end(.success(()))
        let body = try await TransferReader(transfer, over: nil).response(to: request).body
        #expect(try await body.next() == [1, 2])
        await #expect(throws: HTTPError.interrupted(request.url)) { try await body.next() }
    }

    @Test("pauses the transport for a slow reader, and resumes it later")
    func backpressure() async throws {
        let transfer = transfer()
        transfer.receive(HTTPHead(status: 200))
        let body = try await TransferReader(transfer, over: nil).response(to: request).body
        let chunk = [UInt8](repeating: 7, count: 1 << 16)
        var sent = 0
        while !transfer.isFull {
            transfer.receive(chunk)
            sent += chunk.count
            try #require(sent <= 1 << 20)
        }
        #expect(calls.resumed.load(ordering: .relaxed) == 0)
        #expect(try await body.next()?.count == sent)
        #expect(calls.resumed.load(ordering: .relaxed) == 1)
        #expect(!transfer.isFull)
    }

    @Test("is cancelled when its reader is cancelled or released", arguments: [true, false])
    func abandoned(isCancelled: Bool) async throws {
        let transfer = transfer()
        if isCancelled {
            let reader = TransferReader(transfer, over: nil)
            let waiting = Task { [request] in try await reader.response(to: request) }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { _ = try await waiting.value }
        } else {
            _ = TransferReader(transfer, over: nil)
        }
        #expect(calls.cancelled.load(ordering: .relaxed) == 1)
    }

    @Test("isn't cancelled once it is complete")
    func complete() async throws {
        let transfer = transfer()
        transfer.receive(HTTPHead(status: 200))
        transfer.end(.success(()))
        _ = try await TransferReader(transfer, over: nil).response(to: request)
        #expect(calls.cancelled.load(ordering: .relaxed) == 0)
    }

    @Test("is given up if it is silent or too slow")
    func progress() {
        let start = Date(timeIntervalSince1970: 0)
        var watch = ProgressWatch(timeout: 30, now: start)
        #expect(watch.failure(at: start.addingTimeInterval(29.9)) == nil)
        #expect(watch.failure(at: start.addingTimeInterval(30)) == .silent)
        for second in 1...59 { watch.note(1, at: start.addingTimeInterval(TimeInterval(second))) }
        #expect(watch.failure(at: start.addingTimeInterval(59.9)) == nil)
        #expect(watch.failure(at: start.addingTimeInterval(60)) == .slow)
        watch.note(HTTPLimits.minBytesPerWindow, at: start.addingTimeInterval(59.9))
        #expect(watch.failure(at: start.addingTimeInterval(60)) == nil)
        #expect(watch.deadline == start.addingTimeInterval(89.9))
    }

    @Test("is given up if it becomes too slow, however much came before")
    func slower() {
        let start = Date(timeIntervalSince1970: 0)
        var watch = ProgressWatch(timeout: 30, now: start)
        watch.note(1 << 20, at: start)
        for second in 1...59 { watch.note(1, at: start.addingTimeInterval(TimeInterval(second))) }
        #expect(watch.failure(at: start.addingTimeInterval(59.9)) == nil)
        #expect(watch.failure(at: start.addingTimeInterval(60)) == .slow)
    }
}
