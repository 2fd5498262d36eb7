import Essentials
import HTTP
import Model

/// The Blog Nerd Ranch REST API: `/post-metadata`, `/post-metadata/ID` and `/post/POSTID`.
///
/// `GET /post`, which gives every body at once, is never requested. Metadata and posts have the API's own shape, so
/// the models are the wire types.
package struct BlogAPISource: Source {
    package static let kind = SourceKind(
        name: "blog", usualAddress: "http://localhost:8106", description: "servers with the Blog Nerd Ranch API",
        // The API doesn't say what bodies are written in.
        capabilities: Capabilities()
    ) { BlogAPISource(address: $0, client: $1) }

    package let id: SourceID
    package let capabilities = kind.capabilities
    private let address: URL
    private let client: HTTPClient

    /// How many bytes of a list are read before its records are: nearly every list is complete then, so that a request
    /// that breaks off is retried, and a list that hasn't changed is known by its digest.
    private static let listReadAhead = 4 << 20
    /// How many bytes of a post are read before its body, unless it is shown while it arrives.
    private static let postReadAhead = 1 << 20

    package init(address: URL, client: HTTPClient) {
        self.address = address
        id = SourceID(kind: Self.kind.name, address: address.absoluteString)
        self.client = client
    }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh {
        let url = address.appending(encodedPath: ["post-metadata"])
        let response = try await client.get(
            url, validators: since?.validators, limit: HTTPLimits.listBytes, readAhead: Self.listReadAhead)
        let maxAge = CacheControl.maxAge(response.head)
        let validators = CacheValidators(response.head)
        if response.isNotModified {
            let kept = Checkpoint(
                validators: since?.validators ?? validators, digest: since?.digest, maxAge: maxAge)
            return .unchanged(kept, wasSent: false)
        }
        let digest = response.body.isComplete ? ContentDigest.of(response.body.whole) : nil
        let checkpoint = Checkpoint(validators: validators, digest: digest, maxAge: maxAge)
        if digest != nil, digest == since?.digest { return .unchanged(checkpoint, wasSent: true) }
        return .entries(RecordReader(response.body, of: url), .complete, checkpoint)
    }

    package func metadata(id: String) async throws -> PostMetadata {
        let url = address.appending(encodedPath: ["post-metadata", id])
        let response = try await get(
            url, limit: HTTPLimits.metadataBytes, readAhead: .max, orElse: .noSuchPost(id: id, url))
        let metadata = try WireJSON.decode(PostMetadata.self, from: response.body.whole, of: url)
        guard metadata.id == id else {
            throw SourceError.unreadable(url, problem: "is for another post, “\(metadata.id)”")
        }
        return metadata
    }

    package func body(
        of metadata: PostMetadata, validators: CacheValidators?, isShown: Bool
    ) async throws -> BodyResponse {
        let url = address.appending(encodedPath: ["post", metadata.postId])
        let response = try await get(
            url, validators: validators, limit: HTTPLimits.postBytes, readAhead: isShown ? 0 : Self.postReadAhead,
            orElse: .noBody(id: metadata.id, url))
        if let validators, response.isNotModified { return BodyResponse(text: nil, validators: validators) }
        let reader = PostReader(response, of: metadata, at: url)
        return BodyResponse(
            text: TextStream { try await reader.next() }, validators: CacheValidators(response.head))
    }

    private func get(
        _ url: URL, validators: CacheValidators? = nil, limit: Int, readAhead: Int, orElse missing: SourceError
    ) async throws -> HTTPResponse {
        do {
            return try await client.get(url, validators: validators, limit: limit, readAhead: readAhead)
        } catch HTTPError.status(_, code: 404, _), HTTPError.status(_, code: 410, _) {
            throw missing
        }
    }
}
