import BlogKit
import Foundation

extension BlogAddress {
    static let one = BlogAddress(source: "blog", address: "http://a")
    static let two = BlogAddress(source: "blog", address: "http://b")
}

extension RefreshMark {
    /// An answer of a server that gives an ETag.
    static func sample(digest: String? = nil) -> RefreshMark {
        RefreshMark(
            validators: CacheValidators(etag: "\"1\"", lastModified: nil), digest: digest,
            refreshedAt: Date(timeIntervalSince1970: 1000), maxAge: 60)
    }
}

extension PostStore {
    /// Makes a blog list these posts and no others.
    func list(_ posts: [PostMetadata], of address: BlogAddress = .one) throws {
        _ = try store(posts, of: address, mark: .sample())
    }

    /// Stores a body.
    func store(_ text: String, of id: String, _ address: BlogAddress = .one) throws {
        try store(FetchedBody(text: text, fetchedAt: Date(timeIntervalSince1970: 2000)), ofPost: id, of: address)
    }

    /// The posts that a query gives.
    func posts(_ query: Query = Query(), of address: BlogAddress = .one) async throws -> [ListedPost] {
        guard let blog = try blog(address) else { return [] }
        while try indexMore() > 0 {}
        let cursor = try openList(query, of: blog).cursor
        return try await PostList.Posts(store: self, cursor: cursor).reduce(into: []) { $0.append($1) }
    }

    /// Their ids.
    func ids(_ query: Query = Query(), of address: BlogAddress = .one) async throws -> [String] {
        try await posts(query, of: address).map(\.metadata.id)
    }
}
