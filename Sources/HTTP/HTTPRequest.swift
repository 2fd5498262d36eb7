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

/// What one GET wants beside its address.
package struct RequestOptions: Hashable, Sendable {
    /// The media types that can be read (`Accept`, RFC 9110, section 12.5.1, https://www.rfc-editor.org/rfc/rfc9110).
    package let accept: String
    /// Whether redirects are followed; where not, one is an ``HTTPError/status(_:code:retryAfter:)``.
    package let followsRedirects: Bool
    /// How long the response may take as far as it is read ahead, with its redirects and retries, in seconds; nil for as
    /// long as it moves.
    package let timeLimit: TimeInterval?
    /// The parameter of the query in which the server wants a key; nil if it wants none.
    ///
    /// With a key no redirect is followed: the key is for this server only, and where it leads may have the key in it.
    package let keyName: String?
    /// Where it may go.
    package let reach: Reach

    package init(
        accept: String, followsRedirects: Bool = true, timeLimit: TimeInterval? = nil, keyName: String? = nil,
        reach: Reach = .anywhere
    ) {
        self.accept = accept
        self.followsRedirects = followsRedirects
        self.timeLimit = timeLimit
        self.keyName = keyName
        self.reach = reach
    }

    /// For an API.
    package static let json = RequestOptions(accept: "application/json")
    /// For a feed, or the page that names it.
    package static let feed = RequestOptions(accept: feedTypes, timeLimit: HTTPLimits.feedSeconds)
    /// For an address at which there may be a feed: sites redirect what they don't have to their front page.
    package static let probe = RequestOptions(
        accept: feedTypes, followsRedirects: false, timeLimit: HTTPLimits.feedSeconds)

    /// The same for an address that anybody may have named: of no private network, unless what names it is there.
    package func reaching(_ reach: Reach) -> RequestOptions {
        RequestOptions(
            accept: accept, followsRedirects: followsRedirects, timeLimit: timeLimit, keyName: keyName, reach: reach)
    }

    /// For a picture, whose address may be anybody's: of no private network, unless the source that names it is there.
    package static func picture(ofSourceAt place: SourcePlace, timeLimit: TimeInterval) -> RequestOptions {
        RequestOptions(accept: pictureTypes, timeLimit: timeLimit, reach: .publicInternet(and: place))
    }

    /// What most terminals show comes first.
    private static let pictureTypes = "image/png, image/jpeg, image/gif;q=0.9, image/webp;q=0.5"
    private static let feedTypes = """
        application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/html;q=0.8, */*;q=0.5
        """
}
