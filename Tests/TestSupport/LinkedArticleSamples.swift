import BlogStore
import Foundation
@testable import BlogModel
@testable import BlogStore

extension PostID {
    /// A post of the first sample source.
    package static func one(_ id: String) -> PostID { PostID(source: .one, local: id) }
}

extension PostMetadata {
    /// A post that links to a page, published on a day since 1970.
    package static func linked(_ id: String, to link: String?, day: Int = 1) -> PostMetadata {
        PostMetadata(
            id: id, title: "Post \(id)", publishDate: Timestamp(secondsSince1970: day * 86_400), postId: id,
            summary: nil, author: Author(name: "Ann"), link: link)
    }
}

extension Article {
    /// An article in which only the text matters.
    package static func sample(
        _ body: String, _ format: BodyFormat = .plain, fetchedAt: Date = .day(1)
    ) -> Article {
        Article(address: "https://a.example", body: body, format: format, fetchedAt: fetchedAt)
    }
}

extension PostStore {
    /// Stores an article that came with an ETag.
    package func storeArticle(_ text: String, _ format: BodyFormat = .plain, of post: PostID) async throws {
        let validators = CacheValidators(etag: "\"a\"", lastModified: nil)
        try await write { try Articles($0).save(.sample(text, format), validators, of: post) }
    }

    /// Keeps the file from growing, as a full disk does.
    package func limitPages(by more: Int64 = 5) throws {
        let database = connection.database
        let pages = try database.first("PRAGMA page_count") { $0.integer(0) } ?? 0
        try database.execute("PRAGMA max_page_count = \(pages + more)")
    }
}
