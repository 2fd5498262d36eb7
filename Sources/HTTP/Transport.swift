import Foundation

/// Carries a request to a server: URLSession, libcurl below the command on Linux, or a stub in a test.
///
/// ```swift
/// struct Canned: Transport {
///     func send(_ request: HTTPRequest) async throws -> HTTPResponse {
///         HTTPResponse(url: request.url, head: HTTPHead(status: 200), body: ResponseBody(Data("[]".utf8)))
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends a request, follows no redirect, and returns once the head of the response is there.
    ///
    /// The body arrives while it is read. Throws an ``HTTPError`` or `CancellationError`, as reading the body does.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
