/// The validators of a response, for conditional requests (RFC 9110, section 8.8).
package struct CacheValidators: Hashable, Sendable {
    package let etag: String?
    package let lastModified: String?

    package init(etag: String?, lastModified: String?) {
        self.etag = etag
        self.lastModified = lastModified
    }

    package init(_ head: HTTPHead) {
        self.init(etag: head["ETag"], lastModified: head["Last-Modified"])
    }

    /// Whether there are no validators.
    package var isEmpty: Bool { etag == nil && lastModified == nil }

    /// How many seconds they are used.
    ///
    /// Some servers never stop responding with 304; NetNewsWire drops validators after 8 days too.
    package static let maxAge = 8 * 86_400.0

    /// The headers that make a request conditional; none if there are no validators.
    package var requestHeaders: [String: String] {
        var headers: [String: String] = [:]
        headers["If-None-Match"] = etag
        headers["If-Modified-Since"] = lastModified
        return headers
    }
}
