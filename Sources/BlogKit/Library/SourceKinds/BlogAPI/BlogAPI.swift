import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel

/// A client of the Blog Nerd Ranch REST API without a cache: each call is a request.
///
/// | call | request |
/// | --- | --- |
/// | ``list()`` | `GET /post-metadata` |
/// | ``metadata(id:)`` | `GET /post-metadata/ID` |
/// | ``post(postId:)`` | `GET /post/POSTID` |
///
/// `GET /post`, which returns all bodies at once, is never used. A request is sent up to three times if the connection
/// fails or the status is 5xx, but not after a timeout. Up to ten redirects are followed.
///
/// Every call throws an ``HTTPError`` if there was no usable response, a ``SourceError`` if the response isn't what was
/// requested, `CancellationError` if its task was cancelled, or a ``StoreError`` if the temporary file of a long response
/// can't be read.
public struct BlogAPI: Sendable {
    /// The base address of requests, without a trailing slash.
    public let address: URL
    private let client: HTTPClient
    private let source: BlogAPISource

    /// A client of the API at an address; nil unless that is http or https with a host, without a user name, query or
    /// fragment.
    ///
    /// - Parameters:
    ///   - address: for example `http://localhost:8106`; a trailing slash is ignored.
    ///   - timeout: the limit in seconds for connecting, and for the time without data.
    ///   - transport: sends the requests.
    ///   - observer: receives the activity of requests.
    public init?(
        address: String, timeout: TimeInterval = 30, transport: any Transport,
        observer: @escaping HTTPObserver = { _ in }
    ) {
        guard let url = SourceAddress.url(address) else { return nil }
        self.address = url
        client = HTTPClient(transport: transport, timeout: timeout, observer: observer)
        source = BlogAPISource(address: url, client: client)
    }

    /// The metadata of each post in the API's order, and the malformed records.
    ///
    /// Throws ``SourceError/nothingUsable(_:_:)`` if there are records, but all of them are malformed.
    public func list() async throws -> MetadataList {
        guard case .entries(let entries, _, _) = try await source.refresh(nil, since: nil) else {
            return MetadataList(posts: [], ListFlaws())
        }
        var batches = try CheckedEntries(entries, of: address.appending(encodedPath: ["post-metadata"]))
        var (posts, flaws) = ([PostMetadata](), ListFlaws())
        while let batch = try batches.next() {
            posts += batch.entries.map(\.metadata)
            for record in batch.rejected { flaws.note(record) }
        }
        return MetadataList(posts: posts, flaws)
    }

    /// The address of an author's picture; nil if there is none, or it isn't http or https.
    public func picture(of author: Author) -> URL? { author.picture(relativeTo: address) }

    /// The metadata of a post.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` if there is none.
    ///
    /// - Parameter id: the metadata's ``PostMetadata/id``, any text.
    public func metadata(id: String) async throws -> PostMetadata {
        try await source.metadata(id: id)
    }

    /// A post with its body, up to 16 MB.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` if there is none.
    ///
    /// - Parameter id: the metadata's ``PostMetadata/postId``, any text.
    public func post(postId id: String) async throws -> Post {
        let url = address.appending(encodedPath: ["post", id])
        let response: HTTPDocument
        do {
            response = try await client.get(url, limit: HTTPLimits.postBytes)
        } catch let error as HTTPError where error.isNotFound {
            throw SourceError.noSuchPost(id: id, url)
        }
        let post = try WireJSON.decode(Post.self, from: response.body.data, of: url)
        // Some servers give a post the ID of its metadata.
        guard [post.id, post.metadata.postId].contains(id) else {
            throw SourceError.unreadable(url, problem: "is for another post, “\(post.id)”")
        }
        return post
    }
}

/// The list of the blog API: the valid records, and what is wrong with the others.
public struct MetadataList: Hashable, Sendable {
    /// The posts in the API's order, including repeated ids.
    public let posts: [PostMetadata]
    /// The first 100 records with missing or invalid fields.
    public let rejected: [RejectedRecord]
    /// How many records have missing or invalid fields.
    public let rejectedCount: Int

    init(posts: [PostMetadata], _ flaws: ListFlaws) {
        self.posts = posts
        rejected = flaws.rejected
        rejectedCount = flaws.rejectedCount
    }
}
