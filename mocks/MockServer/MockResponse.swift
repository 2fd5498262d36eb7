import Foundation

/// A response of a site.
public struct MockResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The headers without `Content-Length`, which the server adds.
    public var headers: [String: String]
    /// The body.
    public var body: Body
    /// The delay before the response, in milliseconds.
    public var delay = 0

    /// The body.
    public enum Body: Sendable {
        /// All at once.
        case bytes(Data)
        /// `start`, then `chunk` repeated `count` times over `milliseconds`, then `end`.
        case trickle(start: Data, chunk: Data, count: Int, milliseconds: Int, end: Data)

        var count: Int {
            switch self {
            case .bytes(let data): data.count
            case .trickle(let start, let chunk, let count, _, let end): start.count + chunk.count * count + end.count
            }
        }
    }

    /// Creates a response.
    public init(status: Int = 200, headers: [String: String] = [:], body: Body = .bytes(Data())) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A JSON response.
    public static func json(_ data: Data, etag: String? = nil) -> MockResponse {
        var headers = ["Content-Type": "application/json"]
        headers["ETag"] = etag
        return MockResponse(headers: headers, body: .bytes(data))
    }

    static func json(_ text: String, etag: String? = nil) -> MockResponse { json(Data(text.utf8), etag: etag) }

    /// A JSON response with an error status.
    public static func error(_ status: Int, _ message: String) -> MockResponse {
        var response = json("{\"error\":\"\(message)\"}\n")
        response.status = status
        return response
    }

    /// This response, or 304 if the request has its validators.
    func conditional(for request: MockRequest) -> MockResponse {
        guard status == 200, matchesValidators(of: request) else { return self }
        var unchanged = MockResponse(status: 304)
        for name in ["ETag", "Last-Modified", "Cache-Control"] { unchanged.headers[name] = headers[name] }
        unchanged.delay = delay
        return unchanged
    }

    /// Makes the response unconditional.
    mutating func removeValidators() {
        for name in ["ETag", "Last-Modified"] { headers[name] = nil }
    }

    /// A date counts only without an ETag (RFC 9110, section 13.1.3).
    private func matchesValidators(of request: MockRequest) -> Bool {
        if let etag = request.headers["if-none-match"] { return headers["ETag"] == etag }
        guard let date = request.headers["if-modified-since"] else { return false }
        return headers["Last-Modified"] == date
    }
}
