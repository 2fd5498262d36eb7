import Foundation

/// A received request.
public struct MockRequest: Sendable {
    /// The method, such as GET.
    public let method: String
    /// The percent-encoded path without the query.
    public let path: String
    /// The percent-decoded query parameters; the last one of a name wins.
    public let query: [String: String]
    /// The path and query as sent.
    let target: String
    /// Whether the request was sent in the form for a proxy.
    public let isForProxy: Bool
    /// The headers by name in lower case.
    public let headers: [String: String]
    /// The percent-decoded fields of a form, in order; empty for a GET request.
    public private(set) var form: [(name: String, value: String)] = []
    /// Whether only half of what is asked for is given or done: see ``Fault/half``.
    private(set) var isHalf = false

    /// Parses the head of a request; nil if it is invalid.
    init?(head: String) {
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") || words[1].hasPrefix("http://")
        else { return nil }
        method = String(words[0])
        // Requests to a proxy contain the whole URL (RFC 9112, section 3.2.2).
        isForProxy = words[1].hasPrefix("http://")
        target = isForProxy ? String(words[1].dropFirst("http://".count).drop { $0 != "/" }) : String(words[1])
        path = String(target.prefix { $0 != "?" })
        query = Self.query(of: target)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        self.headers = headers
    }

    /// A GET request, to call a site without a server.
    public init?(_ path: String, _ headers: [String: String]) {
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        self.init(head: "GET \(path) HTTP/1.1\r\n\(lines)")
    }

    /// This request with the body of a form.
    func with(body: [UInt8]) -> MockRequest {
        var request = self
        request.form = Self.parameters(of: String(decoding: body, as: UTF8.self))
        return request
    }

    /// This request for half of what it asks for.
    var halved: MockRequest {
        var request = self
        request.isHalf = true
        return request
    }

    /// The percent-decoded segments of the path.
    public var segments: [String] {
        path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    }

    /// The address of the server, as the client wrote it.
    var serverAddress: String {
        let host = headers["host"] ?? ""
        let isPlain = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
        return "http://" + (isPlain && !host.isEmpty ? host : "localhost")
    }

    private static func query(of target: String) -> [String: String] {
        let parameters = parameters(of: String(target.drop { $0 != "?" }.dropFirst()))
        return Dictionary(parameters.map { ($0.name, $0.value) }) { $1 }
    }

    private static func parameters(of text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                let text = String(part).replacing("+", with: " ")
                return text.removingPercentEncoding ?? text
            }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }
}
