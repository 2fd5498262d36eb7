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

    /// Whether it may only go to an address of the public internet, which the name of the host may not resolve to.
    package let isPublicOnly: Bool

    package init(url: URL, headers: [String: String] = [:], timeout: TimeInterval, isPublicOnly: Bool = false) {
        self.isPublicOnly = isPublicOnly
        self.url = url
        self.headers = headers
        self.timeout = timeout
    }
}
