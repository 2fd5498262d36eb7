/// Tells one source from all others: a kind of source at an address.
public struct SourceID: Hashable, Sendable, Codable {
    /// The name of the kind, for example `blog` or `hackernews`.
    public let kind: String
    /// The absolute http or https URL, in the one spelling under which its posts are stored: scheme and host in lower
    /// case, no default port, no slash at the end.
    public let address: String

    /// The id of a source; the address is taken as it is.
    public init(kind: String, address: String) {
        self.kind = kind
        self.address = address
    }
}

/// Tells one post from all others: the same id in two sources is two posts.
public struct PostID: Hashable, Sendable, Codable {
    /// Where the post is from.
    public let source: SourceID
    /// The post's ``PostMetadata/id`` there.
    public let local: String

    /// The id of a post in a source.
    public init(source: SourceID, local: String) {
        self.source = source
        self.local = local
    }
}
