import BlogEssentials

/// A GET request, or a POST request if it has a form.
public struct HTTPRequest: Sendable {
    /// The address, http or https.
    public let url: URL
    /// The header fields by name.
    public let headers: [String: String]
    /// The limit for connecting, and then for a silent server, in seconds.
    public let timeout: TimeInterval
    /// The fields of a form, percent-encoded, to be sent as the body of a POST request; nil for a GET request.
    public let form: String?

    /// The hosts that it may connect to.
    package let allowedHosts: AllowedHosts
    /// Whether the body is decompressed as its `Content-Encoding` says.
    private(set) var isDecoded = true

    /// This request for the bytes as they are.
    var undecoded: HTTPRequest {
        var request = self
        request.isDecoded = false
        return request
    }

    package init(
        url: URL, headers: [String: String] = [:], timeout: TimeInterval, form: String? = nil,
        allowedHosts: AllowedHosts = .anywhere
    ) {
        self.url = url
        self.headers = headers
        self.timeout = timeout
        self.form = form
        self.allowedHosts = allowedHosts
    }
}

/// The options of a request.
package struct RequestOptions: Sendable {
    /// The accepted media types (`Accept`, RFC 9110, section 12.5.1, https://www.rfc-editor.org/rfc/rfc9110).
    package let accept: String
    /// Whether redirects are followed; otherwise they throw ``HTTPError/status(_:code:retryAfter:)``.
    package let followsRedirects: Bool
    /// The time limit for redirects, retries and reading ahead, in seconds; nil for no limit while data arrives.
    package let timeLimit: TimeInterval?
    /// The query parameter for the server's API key; nil if it needs none.
    ///
    /// With a key, redirects aren't followed: the key is for this server only, and a redirect may repeat it.
    package let keyName: String?
    /// The hosts that the request and its redirects may go to.
    package private(set) var allowedHosts: AllowedHosts
    /// Finds the address that the text of a page redirects to; nil if only the server may redirect.
    private(set) var pageRedirect: (@Sendable (HTTPHead, Data) -> String?)?
    /// The fields of a form, percent-encoded, for a POST request, which isn't repeated; nil for a GET request.
    private(set) var form: String?
    /// The `Authorization` header, instead of a login from `~/.netrc`; nil for none.
    private(set) var authorization: String?
    /// The error statuses that are responses, too.
    private(set) var acceptedStatuses: Set<Int> = []

    package init(
        accept: String, followsRedirects: Bool = true, timeLimit: TimeInterval? = nil, keyName: String? = nil,
        allowedHosts: AllowedHosts = .anywhere
    ) {
        self.accept = accept
        self.followsRedirects = followsRedirects
        self.timeLimit = timeLimit
        self.keyName = keyName
        self.allowedHosts = allowedHosts
    }

    /// For an API.
    package static let json = RequestOptions(accept: "application/json")
    /// For a feed, or a page that links to it.
    package static let feed = RequestOptions(accept: feedTypes, timeLimit: HTTPLimits.feedSeconds)
    /// For a guessed address of a feed; sites redirect unknown addresses to their front page.
    package static let probe = RequestOptions(
        accept: feedTypes, followsRedirects: false, timeLimit: HTTPLimits.feedSeconds)
    /// For a web page that the user names.
    package static let page = RequestOptions(accept: pageTypes, timeLimit: HTTPLimits.pageSeconds)

    /// For a web page on the public internet, or in the private network of the source that links to it.
    package static func page(ofSourceAt network: SourceNetwork) -> RequestOptions {
        page.limited(to: .publicInternet(and: network))
    }

    /// For a picture on the public internet, or in the private network of the source that links to it.
    package static func picture(ofSourceAt network: SourceNetwork, timeLimit: TimeInterval) -> RequestOptions {
        RequestOptions(accept: pictureTypes, timeLimit: timeLimit, allowedHosts: .publicInternet(and: network))
    }

    /// These options, limited to some hosts.
    package func limited(to allowedHosts: AllowedHosts) -> RequestOptions {
        var options = self
        options.allowedHosts = allowedHosts
        return options
    }

    /// These options, with the redirects in the text of pages that are read whole followed like those of servers.
    package func following(_ pageRedirect: @escaping @Sendable (HTTPHead, Data) -> String?) -> RequestOptions {
        var options = self
        options.pageRedirect = pageRedirect
        return options
    }

    /// For a call of an API with a token, which no redirect may pass on.
    ///
    /// - Parameters:
    ///   - form: the fields of a POST request; nil for a GET request.
    ///   - authorization: the `Authorization` header; nil for none.
    package static func call(
        form: [(name: String, value: String)]? = nil, authorization: String?, timeLimit: TimeInterval?
    ) -> RequestOptions {
        var options = RequestOptions(accept: "application/json", followsRedirects: false, timeLimit: timeLimit)
        options.form = form.map { fields in
            fields.map { URL.encoded($0.name) + "=" + URL.encoded($0.value) }.joined(separator: "&")
        }
        options.authorization = authorization
        return options
    }

    /// These options, with these error statuses returned as responses.
    package func accepting(_ statuses: Set<Int>) -> RequestOptions {
        var options = self
        options.acceptedStatuses = statuses
        return options
    }

    /// Formats that most terminals can show come first.
    private static let pictureTypes = "image/png, image/jpeg, image/gif;q=0.9, image/webp;q=0.5"
    private static let pageTypes = "text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.8, */*;q=0.1"
    private static let feedTypes = """
        application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/html;q=0.8, */*;q=0.5
        """
}
