import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// The Blog Nerd Ranch REST API: `/post-metadata`, `/post-metadata/ID` and `/post/POSTID`.
///
/// `GET /post`, which returns all bodies at once, is never used.
package struct BlogAPISource: Source {
    package static let kind = SourceKind(
        name: "blog", defaultAddress: "http://localhost:8106", description: "servers with the Blog Nerd Ranch API",
        // The API doesn't say which format bodies have.
        capabilities: Capabilities()
    ) { BlogAPISource(address: $0, client: $1) }

    let address: URL
    let client: HTTPClient

    package var id: SourceID { SourceID(kind: Self.kind.name, address: address.absoluteString) }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh {
        let url = address.appending(encodedPath: ["post-metadata"])
        let response = try await client.get(url, validators: since?.validators, limit: HTTPLimits.listBytes)
        let maxAge = CacheControl.maxAge(response.head)
        let validators = response.validators
        if response.isNotModified {
            let kept = Checkpoint(
                validators: since?.validators ?? validators, digest: since?.digest, maxAge: maxAge)
            return .unchanged(kept, wasSent: false)
        }
        let digest = try response.body.digest
        let checkpoint = Checkpoint(validators: validators, digest: digest, maxAge: maxAge)
        if digest == since?.digest { return .unchanged(checkpoint, wasSent: true) }
        return .entries(RecordReader(response.body, of: url), .complete, checkpoint)
    }

    package func metadata(id: String) async throws -> PostMetadata {
        let url = address.appending(encodedPath: ["post-metadata", id])
        let response = try await get(url, limit: HTTPLimits.metadataBytes, orElse: .noSuchPost(id: id, url))
        let metadata = try WireJSON.decode(PostMetadata.self, from: response.body.data, of: url)
        guard metadata.id == id else {
            throw SourceError.unreadable(url, problem: "is for another post, “\(metadata.id)”")
        }
        return metadata
    }

    package func body(of metadata: PostMetadata, validators: CacheValidators?) async throws -> BodyResponse {
        let url = address.appending(encodedPath: ["post", metadata.postId])
        let response = try await get(
            url, validators: validators, limit: HTTPLimits.postBytes, orElse: .noBody(id: metadata.id, url))
        if let validators, response.isNotModified { return BodyResponse(content: .unchanged, validators: validators) }
        let post = try PostDocument(response, at: url)
        if post.isOther(than: metadata) { throw SourceError.unreadable(url, problem: "is for another post") }
        return BodyResponse(content: .text(post.body), validators: response.validators)
    }

    private func get(
        _ url: URL, validators: CacheValidators? = nil, limit: Int, orElse missing: SourceError
    ) async throws -> HTTPDocument {
        do {
            return try await client.get(url, validators: validators, limit: limit)
        } catch let error as HTTPError where error.isNotFound {
            throw missing
        }
    }
}
