import BlogEssentials
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP

@Suite("The body of a document") struct DocumentBodyTests {
    /// Bytes that repeat with a period which divides no size of a chunk or a window.
    private static func bytes(_ count: Int) -> [UInt8] {
        var random = SplitMix(state: UInt64(count))
        let period = (0..<65_521).map { _ in UInt8.random(in: 0...255, using: &random) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += Array(period.prefix(count - bytes.count)) }
        return bytes
    }

    private func collected(
        _ bytes: [UInt8], by size: Int, in file: () -> TemporaryFile? = { TemporaryFile() }
    ) async throws -> DocumentBody {
        let transport = ByteTransport(bytes: bytes, chunk: size)
        let url = try #require(URL(string: "http://a.example/"))
        return try await DocumentBody.collecting(
            transport.send(HTTPRequest(url: url, timeout: 1)).body, makeFile: file)
    }

    private struct ByteTransport: Transport {
        let bytes: [UInt8]
        let chunk: Int

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            let starts = stride(from: 0, to: bytes.count, by: chunk)
            let chunks = starts.map { Array(bytes[$0..<min($0 + chunk, bytes.count)]) }
            let rest = Chunks(chunks)
            return HTTPResponse(
                url: request.url, head: HTTPHead(status: 200), body: ResponseBody { await rest.next() })
        }
    }

    private actor Chunks {
        private var rest: ArraySlice<[UInt8]>

        init(_ chunks: [[UInt8]]) { rest = chunks[...] }

        func next() -> [UInt8]? { rest.popFirst() }
    }

    @Test(
        "is the same in memory, in a file, and without room for one, whatever its chunks",
        arguments: [0, 1, 4 << 20, 4 << 20 + 1], [9973, 8 << 20])
    func whole(count: Int, chunk: Int) async throws {
        let bytes = Self.bytes(count)
        let digest = ContentDigest.of(Data(bytes))
        var files = 0
        let body = try await collected(bytes, by: chunk) {
            files += 1
            return TemporaryFile()
        }
        #expect(files == (count > 4 << 20 ? 1 : 0))
        let inMemory = try await collected(bytes, by: chunk) { nil }
        for body in [body, inMemory] {
            #expect(body.count == count)
            #expect(try body.data == Data(bytes))
            #expect(try body.digest == digest)
            #expect(body.prefix(500) == Array(bytes.prefix(500)))
            var (read, place) = ([UInt8](), 0)
            while place < count {
                let window = try body.bytes(at: place, upTo: 1_234_567)
                read += window
                place += window.count
            }
            #expect(Data(read) == Data(bytes))
        }
    }

    @Test("stays in memory if its file gets full", arguments: [9973, 8 << 20])
    func full(chunk: Int) async throws {
        let bytes = Self.bytes(6_000_001)
        let body = try await collected(bytes, by: chunk) { TemporaryFile(descriptor: open("/dev/full", O_RDWR)) }
        #expect(try body.data == Data(bytes))
    }
}
