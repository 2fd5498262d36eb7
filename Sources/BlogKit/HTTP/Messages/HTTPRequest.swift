import Foundation

/// One GET request.
///
/// Nothing in `blog` sends any other method.
public struct HTTPRequest: Sendable {
    /// The address, http or https.
    public let url: URL
    /// The header fields to send, by name.
    public let headers: [String: String]
    /// How long connecting may take, and how long the server may be silent after that, in seconds.
    public let timeout: TimeInterval

    package init(url: URL, headers: [String: String] = [:], timeout: TimeInterval) {
        self.url = url
        self.headers = headers
        self.timeout = timeout
    }
}
