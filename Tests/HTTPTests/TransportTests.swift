import BlogHTTP
import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

/// A response on the wire, and what a client should make of it.
private struct WireCase: CustomTestStringConvertible {
    let name: String
    let bytes: String
    let outcome: Outcome
    /// How Foundation on Linux differs, which is why the command has its own transport there.
    var onFoundation: Difference?

    enum Outcome {
        case success(String)
        case malformed(HTTPError.Malformed)
        case interrupted
    }

    enum Difference {
        /// It crashes the process.
        case traps
        /// It accepts malformed data.
        case accepts
        /// It reports another error.
        case otherError
    }

    var testDescription: String { name }
}

@Suite("Transports", .serialized) struct TransportTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    private static let cases: [WireCase] = [
        WireCase(name: "a length", bytes: ok + "Content-Length: 2\r\n\r\nhi", outcome: .success("hi")),
        WireCase(name: "no length", bytes: ok + "\r\nhi", outcome: .success("hi")),
        WireCase(name: "chunks", bytes: chunked + "1\r\nh\r\n1\r\ni\r\n0\r\n\r\n", outcome: .success("hi")),
        WireCase(
            name: "chunk extensions", bytes: chunked + "2;x=y\r\nhi\r\n0\r\n\r\n", outcome: .success("hi")),
        WireCase(
            name: "a trailer", bytes: chunked + "2\r\nhi\r\n0\r\nX-Sum: 1\r\n\r\n", outcome: .success("hi"),
            onFoundation: .traps),
        WireCase(
            name: "interim responses",
            bytes: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok + "Content-Length: 2\r\n\r\nhi",
            outcome: .success("hi"), onFoundation: .traps),
        WireCase(
            name: "a folded header", bytes: ok + "X: a\r\n b\r\nContent-Length: 2\r\n\r\nhi", outcome: .success("hi"),
            onFoundation: .traps),
        WireCase(
            name: "bytes after the declared length", bytes: ok + "Content-Length: 2\r\n\r\nhi there",
            outcome: .success("hi")),
        WireCase(
            name: "a broken chunk", bytes: chunked + "zz\r\nhi\r\n0\r\n\r\n", outcome: .malformed(.framing),
            onFoundation: .otherError),
        WireCase(
            name: "an invalid length", bytes: ok + "Content-Length: x\r\n\r\nhi", outcome: .malformed(.framing),
            onFoundation: .traps),
        WireCase(
            name: "text that says it is gzip", bytes: ok + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi",
            outcome: .success("hi"), onFoundation: .otherError),
        WireCase(
            name: "nothing that says it is gzip", bytes: ok + "Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n",
            outcome: .success("")),
        WireCase(
            name: "an unknown encoding", bytes: ok + "Content-Encoding: lzw\r\nContent-Length: 2\r\n\r\nhi",
            outcome: .success("hi"), onFoundation: .otherError),
        WireCase(
            name: "an encoding that isn't one", bytes: ok + "Content-Encoding: utf-8\r\nContent-Length: 2\r\n\r\nhi",
            outcome: .success("hi"), onFoundation: .otherError),
        WireCase(
            name: "too many headers",
            bytes: ok + (1...600).map { "X-\($0): y\r\n" }.joined() + "Content-Length: 2\r\n\r\nhi",
            outcome: .malformed(.headers), onFoundation: .accepts),
        WireCase(
            name: "headers too long in total",
            bytes: ok + (1...10).map { "X-\($0): " + String(repeating: "y", count: 30_000) + "\r\n" }.joined()
                + "Content-Length: 2\r\n\r\nhi",
            outcome: .malformed(.headers), onFoundation: .accepts),
        WireCase(
            name: "a header far too long",
            bytes: ok + "X: " + String(repeating: "y", count: 900_000) + "\r\nContent-Length: 2\r\n\r\nhi",
            outcome: .malformed(.headers), onFoundation: .otherError),
        WireCase(
            name: "too many trailers",
            bytes: chunked + "2\r\nhi\r\n0\r\n" + (1...600).map { "X-\($0): y\r\n" }.joined() + "\r\n",
            outcome: .malformed(.headers), onFoundation: .traps),
        WireCase(name: "a head cut off", bytes: "HTTP/1.1 200 OK\r\nX: ", outcome: .interrupted, onFoundation: .traps),
        WireCase(name: "an empty response", bytes: "", outcome: .interrupted),
        WireCase(name: "a body cut off", bytes: ok + "Content-Length: 9\r\n\r\nhi", outcome: .interrupted),
        WireCase(name: "chunks cut off", bytes: chunked + "9\r\nhi", outcome: .interrupted),
    ]

    private func get(_ url: URL, over kind: TransportKind) async throws -> String {
        let client = HTTPClient(
            transport: kind.make(), timeout: 60, retryPolicy: RetryPolicy(maxAttempts: 1, base: 0))
        return String(decoding: try await client.get(url, limit: 1000).body.data, as: UTF8.self)
    }

    @Test("accept valid responses, and say what is wrong with others", arguments: TransportKind.allCases, cases)
    private func wire(kind: TransportKind, wire: WireCase) async throws {
        #if os(Linux)
            if case .urlSession = kind, case .traps = wire.onFoundation { return }
            let difference = kind == .urlSession ? wire.onFoundation : nil
        #else
            let difference = WireCase.Difference?.none
        #endif
        let server = try MockServer(sites: [])
        defer { server.stop() }
        server.setFault(.raw(Data(wire.bytes.utf8)), for: "/x")
        let url = try #require(URL(string: server.address + "/x"))
        let outcome: Result<String, HTTPError>
        do { outcome = .success(try await get(url, over: kind)) } catch let error as HTTPError {
            outcome = .failure(error)
        }
        let expected: Result<String, HTTPError> =
            switch wire.outcome {
            case .success(let text): .success(text)
            case .malformed(let problem): .failure(.malformed(url, problem: problem))
            case .interrupted: .failure(.interrupted(url))
            }
        switch difference {
        case .accepts: #expect(throws: Never.self) { try outcome.get() }
        case .otherError: #expect(throws: HTTPError.self) { try outcome.get() }
        case .traps, nil: #expect(outcome == expected)
        }
    }

    @Test("report 401 and 403, whatever the challenge", arguments: TransportKind.allCases)
    func forbidden(kind: TransportKind) async throws {
        let server = try MockServer(sites: [])
        defer { server.stop() }
        for (status, challenge) in [(401, "Basic realm="), (401, "Basic realm=\"x\""), (401, "Digest x"), (403, "x")] {
            let head = "HTTP/1.1 \(status) No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno"
            server.setFault(.raw(Data(head.utf8)), for: "/x")
            let url = try #require(URL(string: server.address + "/x"))
            let error =
                status == 401 ? HTTPError.unauthorized(url, .withheld) : .status(url, code: status, retryAfter: nil)
            await #expect(throws: error, "\(challenge)") {
                try await get(url, over: kind)
            }
        }
    }

    @Test("don't block one response while another isn't being read", arguments: TransportKind.allCases)
    func independent(kind: TransportKind) async throws {
        let server = try MockServer(sites: [MadeUpSite(posts: 3)])
        defer { server.stop() }
        server.setFault(.endless, for: "/post/\(MadeUpSite.postId(1))")
        let transport = kind.make()
        let client = HTTPClient(transport: transport, timeout: 60)
        let address = try #require(URL(string: server.address + "/post/\(MadeUpSite.postId(1))"))
        let endless = try await transport.send(HTTPRequest(url: address, timeout: 60))
        _ = try await endless.body.next()
        let list = try await client.get(
            try #require(URL(string: server.address + "/post-metadata")), limit: 100_000)
        #expect(list.body.count > 100)
        _ = try await endless.body.next()
    }

    @Test("reuse connections", arguments: TransportKind.allCases)
    func reuse(kind: TransportKind) async throws {
        let server = try MockServer(sites: [MadeUpSite(posts: 3)])
        defer { server.stop() }
        let client = HTTPClient(transport: kind.make(), timeout: 60)
        let url = try #require(URL(string: server.address + "/post-metadata"))
        for _ in 1...5 { _ = try await client.get(url, limit: 100_000) }
        #expect(server.connectionCount == 1)
    }

    @Test("end a request as soon as its task is cancelled", arguments: TransportKind.allCases)
    func cancellation(kind: TransportKind) async throws {
        let server = try MockServer(sites: [])
        defer { server.stop() }
        server.setFault(.delay(60_000), for: "/x")
        let url = try #require(URL(string: server.address + "/x"))
        let task = Task { try await get(url, over: kind) }
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("can be cancelled at any moment of a request", arguments: TransportKind.allCases)
    func cancellations(kind: TransportKind) async throws {
        let server = try MockServer(sites: [])
        defer { server.stop() }
        server.setFault(.raw(Data((Self.ok + "Content-Length: 2\r\n\r\nhi").utf8)), for: "/x")
        let url = try #require(URL(string: server.address + "/x"))
        let client = HTTPClient(
            transport: kind.make(), timeout: 60, retryPolicy: RetryPolicy(maxAttempts: 1, base: 0))
        for round in 0..<300 {
            let sent = server.requests.count
            let task = Task { try await client.get(url, limit: 1000).body.data }
            while server.requests.count == sent { await Task.yield() }
            for _ in 0..<(round % 60) * 20 { await Task.yield() }
            task.cancel()
            switch await task.result {
            case .success(let body): #expect(body == Data("hi".utf8))
            case .failure(let error): #expect(error is CancellationError)
            }
        }
    }

    #if os(Linux)
        @Test("return only the final response's headers, with repeated ones joined")
        func head() async throws {
            let server = try MockServer(sites: [])
            defer { server.stop() }
            let bytes =
                "HTTP/1.1 103 Early Hints\r\nETag: \"no\"\r\nX-Hint: 1\r\n\r\n" + Self.ok
                + "ETag:\"yes\" \r\nX: a\r\n b\r\nx: c:d\r\nEmpty:\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2\r\nhi\r\n0\r\nX-Sum: 1\r\n\r\n"
            server.setFault(.raw(Data(bytes.utf8)), for: "/x")
            let url = try #require(URL(string: server.address + "/x"))
            let head = try await HTTPClient(transport: CurlTransport(), timeout: 60).get(url, limit: 9).head
            #expect(head.status == 200)
            #expect(head["etag"] == "\"yes\"")
            #expect(head["X"] == "a b, c:d")
            #expect(head["empty"] == "")
            #expect(head["X-Hint"] == nil)
            #expect(head["X-Sum"] == nil)
        }

        @Test("give up on a response that trickles in")
        func slow() async throws {
            let server = try MockServer(sites: [MadeUpSite(posts: 3)])
            defer { server.stop() }
            server.setFault(.drip(milliseconds: 50), for: "/post-metadata")
            let url = try #require(URL(string: server.address + "/post-metadata"))
            try await EnoughTime.from(0.5) { seconds in
                let client = HTTPClient(transport: CurlTransport(), timeout: seconds)
                return await #expect(throws: HTTPError.self) { try await client.get(url, limit: 1000) }
                    == .tooSlow(url)
            }
        }

        @Test("wait for a slow reader as long as it takes")
        func slowReader() async throws {
            let server = try MockServer(sites: [MadeUpSite(posts: 3)])
            defer { server.stop() }
            server.setFault(.endless, for: "/post-metadata")
            let url = try #require(URL(string: server.address + "/post-metadata"))
            let other = try #require(URL(string: server.address + "/x"))
            let patient = HTTPClient(transport: CurlTransport(), timeout: 600)
            try await EnoughTime.from(1) { seconds in
                let request = HTTPRequest(url: url, timeout: seconds)
                guard let body = try? await CurlTransport().send(request).body else { return false }
                var count = 0
                // Another response takes longer than the timeout.
                server.setFault(.delay(Int(2500 * seconds)), for: "/x")
                await #expect(throws: HTTPError.self) { try await patient.get(other, limit: 1000) }
                while count < 4 << 20, let chunk = try? await body.next() { count += chunk.count }
                return count >= 4 << 20
            }
        }

        @Test("respect the limit of connections per host")
        func connections() async throws {
            let server = try MockServer(sites: [MadeUpSite(posts: 20)], latency: 20)
            defer { server.stop() }
            let client = HTTPClient(transport: CurlTransport(maxConnectionsPerHost: 2), timeout: 60)
            let url = try #require(URL(string: server.address + "/post-metadata"))
            try await withThrowingTaskGroup { group in
                for _ in 1...20 { group.addTask { _ = try await client.get(url, limit: 100_000) } }
                try await group.waitForAll()
            }
            #expect(server.requests.count == 20)
            #expect(server.connectionCount == 2)
        }

        @Test(
            "support http and https only",
            arguments: ["file:///etc/passwd", "ftp://localhost/", "gopher://localhost/"])
        func schemes(address: String) async throws {
            let url = try #require(URL(string: address))
            await #expect(throws: HTTPError.self) { try await get(url, over: .curl) }
        }
    #endif
}
