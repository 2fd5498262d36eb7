import Model

/// A user as the API sends it (https://github.com/HackerNews/API#users).
struct HackerNewsUser: Decodable, Sendable {
    let id: String
    /// Seconds since 1970, UTC.
    let created: Int?
    let karma: Int?
    /// HTML.
    let about: String?

    /// The user as a post: the name as its title, the karma as its points, the account's beginning as its date.
    func entry(id: String) -> Entry {
        Entry(
            PostMetadata(
                id: id, title: self.id, publishDate: Timestamp(secondsSince1970: created ?? 0), postId: id,
                summary: nil, author: Author(name: self.id), score: karma),
            content: Entry.Content(about ?? "", .html))
    }
}
