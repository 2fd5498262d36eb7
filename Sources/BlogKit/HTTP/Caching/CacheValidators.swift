/// What a server gave with an answer so that we can ask later whether it has changed (RFC 9110, section 8.8).
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

    /// Whether nothing can be asked with them.
    package var isEmpty: Bool { etag == nil && lastModified == nil }

    /// For how many seconds they are asked with.
    ///
    /// There are servers that answer 304 for ever; NetNewsWire drops validators after 8 days too.
    package static let longestUse = 8 * 86_400.0

    /// The headers that make a request conditional; none where there are no validators.
    package var requestHeaders: [String: String] {
        var headers: [String: String] = [:]
        headers["If-None-Match"] = etag
        headers["If-Modified-Since"] = lastModified
        return headers
    }
}
