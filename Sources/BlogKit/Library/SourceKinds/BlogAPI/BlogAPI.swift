import BlogEssentials
import BlogHTTP
import BlogModel

/// A client of the Blog Nerd Ranch REST API without a cache: each call is a request.
///
/// | call | request |
/// | --- | --- |
/// | ``metadata()``, ``list()`` | `GET /post-metadata` |
/// | ``metadata(id:)`` | `GET /post-metadata/ID` |
/// | ``post(postId:)`` | `GET /post/POSTID` |
///
/// `GET /post`, which returns all bodies at once, is never used. A request is sent up to three times if the connection
/// fails or the status is 5xx, but not after a timeout. Up to ten redirects are followed.
///
/// Every call throws an ``HTTPError`` if there was no usable response, a ``SourceError`` if the response isn't what was
/// requested, or `CancellationError` if its task was cancelled.
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

    /// The metadata of each post, in the API's order, without malformed records.
    ///
    /// ``list()`` includes those. Throws ``SourceError/nothingUsable(_:_:)`` if there are records, but all of them are
    /// malformed.
    public func metadata() async throws -> [PostMetadata] {
        try await list().posts
    }

    /// The metadata of each post, and the malformed records.
    ///
    /// Throws ``SourceError/nothingUsable(_:_:)`` if there are records, but all of them are malformed.
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
    /// Throws ``SourceError/noSuchPost(id:_:)`` if there is none.
    ///
    /// - Parameter id: the metadata's ``PostMetadata/id``, any text.
    public func metadata(id: String) async throws -> PostMetadata {
        try await source.metadata(id: id)
    }

    /// A post with its body, up to 256 MB.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` if there is none.
    ///
    /// - Parameter id: the metadata's ``PostMetadata/postId``, any text.
    public func post(postId id: String) async throws -> Post {
        let url = address.appending(encodedPath: ["post", id])
        let response: HTTPResponse
        do {
            response = try await client.getWhole(url, limit: HTTPLimits.wholePostBytes)
        } catch let error as HTTPError where error.isNotFound {
            throw SourceError.noSuchPost(id: id, url)
        }
        let post = try WireJSON.decode(Post.self, from: response.body.whole, of: url)
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

/// Reads the response of `/post/POSTID`: the body is passed on as it arrives, and the rest is checked at the end.
actor PostReader {
    private let url: URL
    private let metadata: PostMetadata
    private let chunks: ResponseBody
    private var extractor = BodyExtractor()
    private var isFinished = false

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
            guard extractor.isValid else { throw malformed }
            guard extractor.envelope.count <= HTTPLimits.recordBytes else {
                throw SourceError.unreadable(url, problem: "has too much data besides the body")
            }
            if let text { return text }
        }
        return nil
    }

    private func finish() throws -> String? {
        let rest = extractor.finish()
        // Without the text, a response is small enough for the decoder.
        let json = extractor.envelope
        let post = try PostEnvelope(scanning: json) ?? WireJSON.decode(PostEnvelope.self, from: Data(json), of: url)
        guard extractor.isValid else { throw malformed }
        let isOther = post.id.map { $0 != metadata.postId && $0 != metadata.id } ?? false
        if isOther || post.metadataID.map({ $0 != metadata.id }) ?? false {
            throw SourceError.unreadable(url, problem: "is for another post")
        }
        // A body that the extractor didn't recognise, for example because its name has escapes.
        let text = (rest ?? "") + post.body
        return text.isEmpty ? nil : text
    }

    private var malformed: SourceError { .malformed(url) }
}
