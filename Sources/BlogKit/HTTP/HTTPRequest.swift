import Foundation

/// One GET request.
///
/// Nothing in `blog` sends any other method.
package struct HTTPRequest: Sendable {
    package let url: URL
    package let headers: [String: String]
    /// How long the server may be silent, in seconds.
    package let timeout: TimeInterval
    /// The most bytes the body may have.
    package let limit: Int

    package init(url: URL, headers: [String: String] = [:], timeout: TimeInterval, limit: Int = .max) {
        self.url = url
        self.headers = headers
        self.timeout = timeout
        self.limit = limit
    }
}
