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

    /// To which addresses a connection may be made for it.
    package let reach: Reach
    /// What is told of the response's progress; nil where nobody asks.
    let watch: ServerWatch?

    package init(
        url: URL, headers: [String: String] = [:], timeout: TimeInterval, reach: Reach = .anywhere,
        watch: ServerWatch? = nil
    ) {
        self.watch = watch
        self.reach = reach
        self.url = url
        self.headers = headers
        self.timeout = timeout
    }
}
