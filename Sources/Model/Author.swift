/// Who wrote a post, as the blog API sends it.
public struct Author: Codable, Hashable, Sendable {
    /// The name as published: one person's, or several joined with ", ".
    public let name: String
    /// A path on the API's own host (`/images/authors/kerri.jpg`) or an absolute URL.
    public let image: String?
    /// The author's role, for example "iOS Engineer".
    public let title: String?

    /// An author with the given facts, none of them checked.
    public init(name: String, image: String? = nil, title: String? = nil) {
        self.name = name
        self.image = image
        self.title = title
    }
}
