/// What a feed says of an article beside its title and text.
public struct Article: Codable, Hashable, Sendable {
    /// The categories that it is filed under, as published.
    public let tags: [String]
    /// Files that belong to it: the sound of a podcast, pictures.
    public let enclosures: [Enclosure]
    /// The URL of a picture that stands for it; nil where there is none.
    public let image: String?
    /// When it was last changed, where its source says so.
    public let updated: Timestamp?

    /// An article with the given facts, none of them checked.
    public init(
        tags: [String] = [], enclosures: [Enclosure] = [], image: String? = nil, updated: Timestamp? = nil
    ) {
        self.tags = tags
        self.enclosures = enclosures
        self.image = image
        self.updated = updated
    }

    /// Whether nothing is said.
    var isEmpty: Bool { self == Article() }
}

/// A file that belongs to an article.
public struct Enclosure: Codable, Hashable, Sendable {
    /// Where it is, an absolute URL.
    public let url: String
    /// Its media type, for example `audio/mpeg`; nil where the feed doesn't say.
    public let type: String?
    /// Its size in bytes; nil where the feed doesn't say.
    public let length: Int?
    /// What it is called; nil where the feed doesn't say.
    public let title: String?

    /// An enclosure with the given facts, none of them checked.
    public init(url: String, type: String? = nil, length: Int? = nil, title: String? = nil) {
        self.url = url
        self.type = type
        self.length = length
        self.title = title
    }
}
