/// The validators of a response, for conditional requests (RFC 9110, section 8.8).
package struct CacheValidators: Hashable, Sendable {
    package let etag: String?
    package let lastModified: String?

    package init(etag: String?, lastModified: String?) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Whether there are no validators.
    package var isEmpty: Bool { etag == nil && lastModified == nil }
}
