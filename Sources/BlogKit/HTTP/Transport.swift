import BlogEssentials

/// Sends requests: with URLSession, with libcurl (the command on Linux), or a stub in a test.
///
/// ```swift
/// struct Canned: Transport {
///     func send(_ request: HTTPRequest) async throws -> HTTPResponse {
///         HTTPResponse(url: request.url, head: HTTPHead(status: 200), body: ResponseBody(Data("[]".utf8)))
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends a request without following redirects, and returns once at least the head of the response has arrived.
    ///
    /// The body arrives while it is read. Throws an ``HTTPError`` or `CancellationError`, and so does reading the body.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
