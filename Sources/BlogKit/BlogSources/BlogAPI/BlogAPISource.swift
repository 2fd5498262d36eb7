import Foundation

/// The Blog Nerd Ranch REST API: `/post-metadata`, `/post-metadata/ID` and `/post/POSTID`.
///
/// `GET /post`, which gives every body at once, is never asked for. Metadata and posts have the API's own shape, so
/// the models are the wire types.
package struct BlogAPISource: ListSource {
    package static let name = "blog"

    package let address: URL
    /// The API doesn't say.
    package let bodyFormat: BodyFormat? = nil
    private let client: HTTPClient

    /// The most bytes of a list: some 1,000,000 posts.
    private static let listLimit = 512 << 20
    /// The most bytes of one post's metadata.
    private static let metadataLimit = 16 << 20
    /// The most bytes of one post, which is never in memory as a whole.
    private static let bodyLimit = 4 << 30

    package init(address: URL, client: HTTPClient) {
        self.address = address
        self.client = client
    }

    package func list(validators: CacheValidators?) async throws -> ListAnswer {
        let url = address.appending(encodedPath: ["post-metadata"])
        let answer = try await client.get(url, validators: validators, limit: Self.listLimit)
        let maxAge = CacheControl.maxAge(answer.head)
        if answer.isNotModified {
            return ListAnswer(content: nil, validators: validators ?? CacheValidators(answer.head), maxAge: maxAge)
        }
        let content = ListAnswer.Content(digest: ContentDigest.of(answer.body)) {
            try await WireJSON.decodeEach(from: answer.body, of: url)
        }
        return ListAnswer(content: content, validators: CacheValidators(answer.head), maxAge: maxAge)
    }

    package func metadata(id: String) async throws -> PostMetadata {
        let url = address.appending(encodedPath: ["post-metadata", id])
        let answer = try await get(url, limit: Self.metadataLimit, orElse: .noSuchPost(id: id, url))
        let metadata = try WireJSON.decode(PostMetadata.self, from: answer.body, of: url)
        guard metadata.id == id else {
            throw SourceError.unreadable(url, problem: "is about another post, “\(metadata.id)”")
        }
        return metadata
    }

    package func body(
        of metadata: PostMetadata, validators: CacheValidators?, receive: Receiver<String>
    ) async throws -> BodyAnswer {
        let url = address.appending(encodedPath: ["post", metadata.postId])
        let arriving = ArrivingPost(of: url, receive)
        let answer = try await get(
            url, validators: validators, limit: Self.bodyLimit, orElse: .noBody(id: metadata.id, url),
            receive: arriving.receiver)
        if let validators, answer.isNotModified { return BodyAnswer(isUnchanged: true, validators: validators) }
        try await arriving.finish()
        return BodyAnswer(isUnchanged: false, validators: CacheValidators(answer.head))
    }

    private func get(
        _ url: URL, validators: CacheValidators? = nil, limit: Int, orElse missing: SourceError,
        receive: Receiver<Data>? = nil
    ) async throws -> HTTPAnswer {
        do {
            return try await client.get(url, validators: validators, limit: limit, receive: receive)
        } catch HTTPError.status(_, code: 404, _), HTTPError.status(_, code: 410, _) {
            throw missing
        }
    }
}
