import Foundation

/// One GET request.
///
/// Nothing in `blog` sends any other method.
package struct HTTPRequest: Sendable {
    package let url: URL
    package let headers: [String: String]
    /// How long connecting may take, and how long the server may be silent after that, in seconds.
    package let timeout: TimeInterval

    package init(url: URL, headers: [String: String] = [:], timeout: TimeInterval) {
        self.url = url
        self.headers = headers
        self.timeout = timeout
    }
}
