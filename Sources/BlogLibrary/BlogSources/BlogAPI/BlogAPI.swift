import Essentials
import HTTP
import Model

/// A client of the Blog Nerd Ranch REST API that keeps nothing: each call is a request.
///
/// | call | request |
/// | --- | --- |
/// | ``metadata()``, ``list()`` | `GET /post-metadata` |
/// | ``metadata(id:)`` | `GET /post-metadata/ID` |
/// | ``post(postId:)`` | `GET /post/POSTID` |
///
/// `GET /post`, which gives every body at once, is never requested. A request that finds no server, breaks off or gets
/// a status of 5xx is sent up to three times in all; one that meets silence is not. Up to ten redirects are followed.
///
/// Every call throws an ``HTTPError`` if there was no usable response, a ``SourceError`` if the response isn't what was
/// requested, or `CancellationError` if its task was cancelled.
public struct BlogAPI: Sendable {
    /// The address below which requests are sent, without a slash at the end.
    public let address: URL
    private let client: HTTPClient
    private let source: BlogAPISource

    /// A client of the API at an address; nil if that isn't http or https with a host, or has a user name, a query or a
    /// fragment.
    ///
    /// - Parameters:
    ///   - address: for example `http://localhost:8106`; a slash at the end doesn't matter.
    ///   - timeout: how long connecting may take, and how long the server may be silent, in seconds.
    ///   - transport: carries the requests.
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

    /// The metadata of each post, in the API's order, without records that can't be read.
    ///
    /// ``list()`` tells which were left out. Throws ``SourceError/nothingUsable(_:_:)`` if there are records, but none
    /// that can be read.
    public func metadata() async throws -> [PostMetadata] {
        try await list().posts
    }

    /// The metadata of each post, and the records that can't be read.
    ///
    /// Throws ``SourceError/nothingUsable(_:_:)`` if there are records, but none that can be read.
    public func list() async throws -> MetadataList {
        guard case .entries(let entries, _, _) = try await source.refresh(nil, since: nil) else {
            return MetadataList(posts: [], ListFlaws())
        }
        let batches = CheckedEntries(entries, of: address.appending(encodedPath: ["post-metadata"]))
        var (posts, flaws) = ([PostMetadata](), ListFlaws())
        while let batch = try await batches.next() {
            posts += batch.entries.map(\.metadata)
            for record in batch.rejected { flaws.note(record) }
        }
        return MetadataList(posts: posts, flaws)
    }

    /// The metadata of a post.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` if the API has none.
    ///
    /// - Parameter id: the metadata's ``PostMetadata/id``, any text.
    public func metadata(id: String) async throws -> PostMetadata {
        try await source.metadata(id: id)
    }

    /// A post with its body, which may have up to 256 MB.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` if the API has none.
    ///
    /// - Parameter id: the metadata's ``PostMetadata/postId``, any text.
    public func post(postId id: String) async throws -> Post {
        let url = address.appending(encodedPath: ["post", id])
        let response = try await whole(url, orElse: .noSuchPost(id: id, url))
        let post = try WireJSON.decode(Post.self, from: response.body.whole, of: url)
        // There are servers that name a post by the id of its metadata.
        guard [post.id, post.metadata.postId].contains(id) else {
            throw SourceError.unreadable(url, problem: "is for another post, “\(post.id)”")
        }
        return post
    }

    private func whole(_ url: URL, orElse missing: SourceError) async throws -> HTTPResponse {
        do {
            return try await client.getWhole(url, limit: HTTPLimits.wholePostBytes)
        } catch HTTPError.status(_, code: 404, _), HTTPError.status(_, code: 410, _) {
            throw missing
        }
    }
}

/// The list of the blog API: the records that can be read, and why the others can't.
public struct MetadataList: Hashable, Sendable {
    /// The posts in the API's order; an id that came twice is there twice.
    public let posts: [PostMetadata]
    /// Records that were left out because a field was missing or wrong, the first 100 of them.
    public let rejected: [RejectedRecord]
    /// How many records were left out.
    public let rejectedCount: Int

    init(posts: [PostMetadata], _ flaws: ListFlaws) {
        self.posts = posts
        rejected = flaws.rejected
        rejectedCount = flaws.rejectedCount
    }
}

/// Reads the response of `/post/POSTID`: its body is given on as it arrives, and the rest is judged when it is
/// complete.
actor PostReader {
    private let url: URL
    private let metadata: PostMetadata
    private let chunks: ResponseBody
    private var extractor = BodyExtractor()
    private var isFinished = false

    /// A reader of the response for a post.
    init(_ response: HTTPResponse, of metadata: PostMetadata, at url: URL) {
        self.url = url
        self.metadata = metadata
        chunks = response.body
    }

    /// The next lines of the body; nil at its end.
    ///
    /// Throws a ``SourceError`` if the response is not this post.
    func next() async throws -> String? {
        while !isFinished {
            guard let chunk = try await chunks.next() else {
                isFinished = true
                return try finish()
            }
            let text = extractor.add(chunk)
            guard extractor.isSound else { throw malformed }
            guard extractor.surroundings.count <= HTTPLimits.recordBytes else {
                throw SourceError.unreadable(url, problem: "has too much data besides the body")
            }
            if let text { return text }
        }
        return nil
    }

    private func finish() throws -> String? {
        let rest = extractor.finish()
        // With its text taken out, a response is small enough for the decoder, which judges its form.
        let json = extractor.surroundings
        let post =
            try PostSurroundings(scanning: json) ?? WireJSON.decode(PostSurroundings.self, from: Data(json), of: url)
        guard extractor.isSound else { throw malformed }
        let isOther = post.id.map { $0 != metadata.postId && $0 != metadata.id } ?? false
        if isOther || post.metadataID.map({ $0 != metadata.id }) ?? false {
            throw SourceError.unreadable(url, problem: "is for another post")
        }
        // A body in a form that isn't seen as it arrives, with escapes in its name perhaps.
        let text = (rest ?? "") + post.body
        return text.isEmpty ? nil : text
    }

    private var malformed: SourceError { .malformed(url) }
}
