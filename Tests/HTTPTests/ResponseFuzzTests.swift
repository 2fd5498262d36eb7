import BlogHTTP
import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

#if os(Linux)
    @Suite("Malformed responses", .serialized) struct ResponseFuzzTests {
        /// The number of responses; `BLOG_FUZZ` overrides it.
        private static let count = Mutation.count(400)

        @Test("end in a body or an HTTP error")
        func anything() async throws {
            let server = try MockServer(sites: [])
            defer { server.stop() }
            let client = HTTPClient(
                transport: CurlTransport(), timeout: 2, retryPolicy: RetryPolicy(maxAttempts: 1, base: 0))
            var generator = SplitMix(state: 13)
            for start in stride(from: 0, to: Self.count, by: 20) {
                let responses = (start..<start + 20).map { ($0, Self.response(&generator)) }
                for (number, bytes) in responses { server.setFault(.raw(bytes), for: "/\(number)") }
                await withTaskGroup { group in
                    for (number, bytes) in responses {
                        group.addTask { await Self.request(number, from: server, with: client, bytes) }
                    }
                }
                for (number, _) in responses { server.setFault(nil, for: "/\(number)") }
            }
        }

        private static func request(
            _ number: Int, from server: MockServer, with client: HTTPClient, _ bytes: Data
        ) async {
            guard let url = URL(string: "\(server.address)/\(number)") else { return }
            do {
                let body = try await client.get(url, limit: 1 << 20).body
                #expect(body.count <= 1 << 20)
            } catch {
                #expect(error is HTTPError, "\(error) of \(String(decoding: bytes, as: UTF8.self).debugDescription)")
            }
        }

        /// A response composed at random of typical parts, then perhaps damaged.
        private static func response(_ generator: inout SplitMix) -> Data {
            func pick(_ choices: [String]) -> String { choices.randomElement(using: &generator) ?? "" }
            var text = pick(statuses) + pick(["\r\n", "\r\n", "\n", " "])
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                text += pick(headers) + pick(["\r\n", "\r\n", "\n", "\r"])
            }
            text += pick(["\r\n", "\r\n", "\r\n", "\n", ""])
            for _ in 0..<Int.random(in: 0...8, using: &generator) { text += pick(pieces) }
            var bytes = Data(text.utf8)
            if Bool.random(using: &generator), !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if Int.random(in: 0..<4, using: &generator) == 0 {
                bytes = bytes.prefix(.random(in: 0...bytes.count, using: &generator))
            }
            return bytes
        }

        private static let statuses = [
            "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.0 200", "HTTP/1.1 100 Continue",
            "HTTP/1.1 103 Early Hints", "HTTP/1.1 304 Same", "HTTP/1.1 301 Moved", "HTTP/1.1 401 No", "HTTP/1.1 999 ?",
            "HTTP/1.1 500 No", "HTTP/2 200", "HTTP/3.7 200 OK", "HTTP/1.1 -1 OK", "HTTP/1.1", "ICY 200 OK", "", "\0",
            "HTTP/1.1 101 Switching Protocols", "HTTP/1.1 204 None", "HTTP/1.1 416 Range", "RTSP/1.0 200 OK",
        ]
        private static let headers = [
            "Content-Length: 5", "Content-Length: 0", "Content-Length: -1", "Content-Length: 99999999999999999999",
            "Content-Length: 5, 5", "Content-Length: x", "Transfer-Encoding: chunked",
            "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: identity", "Content-Encoding: gzip", "Content-Encoding: deflate",
            "Content-Encoding: br",
            "Content-Encoding: zstd", "Content-Encoding: x", "Content-Encoding: gzip, gzip, gzip, gzip, gzip, gzip",
            "Connection: close", "Connection: Upgrade", "Upgrade: h2c", "Location: /", "Location: http://[",
            "Location: ",
            "WWW-Authenticate: Basic realm=", "WWW-Authenticate: Negotiate", "Set-Cookie: a=b", "Trailer: X",
            "Retry-After: 9999999999", "Alt-Svc: h3=\":1\"", "Strict-Transport-Security: max-age=1", " folded", ":",
            "X",
            "X: " + String(repeating: "y", count: 5000), "Content-Range: bytes 0-1/2", "\u{1}: \u{1B}[2J",
        ]
        private static let pieces = [
            "hello", "5\r\nhello\r\n", "0\r\n\r\n", "0\r\nX: y\r\n\r\n", "ffffffffffffffff\r\n", "-1\r\n", "5;x\r\n",
            "\r\n",
            "\n", "zz\r\n", "\u{1F}\u{8B}\u{8}\0\0\0\0\0\u{2}\u{3}", "HTTP/1.1 200 OK\r\n\r\n",
            String(repeating: "x", count: 70_000),
        ]
    }
#endif
