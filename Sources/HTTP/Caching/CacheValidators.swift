import Model

extension CacheValidators {
    package init(_ head: HTTPHead) {
        self.init(etag: head["ETag"], lastModified: head["Last-Modified"])
    }

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
