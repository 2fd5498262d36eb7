import Foundation

/// Carries a request to a server: libcurl on Linux, URLSession elsewhere, a stub in a test.
package protocol Transport: Sendable {
    /// Sends a request, follows no redirect, and returns once the head of the response is there.
    ///
    /// The body arrives while it is read. Throws an ``HTTPError`` or `CancellationError`, as reading the body does.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
