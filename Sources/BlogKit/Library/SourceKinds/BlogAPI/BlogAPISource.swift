import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// The Blog Nerd Ranch REST API: `/post-metadata`, `/post-metadata/ID` and `/post/POSTID`.
///
/// `GET /post`, which returns all bodies at once, is never used. The models have the shape of the API's JSON.
package struct BlogAPISource: Source {
    package static let kind = SourceKind(
        name: "blog", defaultAddress: "http://localhost:8106", description: "servers with the Blog Nerd Ranch API",
        // The API doesn't say which format bodies have.
        capabilities: Capabilities()
    ) { BlogAPISource(address: $0, client: $1) }

    let address: URL
    let client: HTTPClient

    /// How many bytes of a list are read ahead: nearly every list is complete then, so that the request can be retried
    /// if the connection fails, and an unchanged list is recognised by its digest.
    private static let listReadAhead = 4 << 20
    /// How many bytes of a post are read ahead: nearly every post is complete then, so that the request can be retried.
    private static let postReadAhead = 1 << 20

    package var id: SourceID { SourceID(kind: Self.kind.name, address: address.absoluteString) }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh {
        let url = address.appending(encodedPath: ["post-metadata"])
        let response = try await client.get(
            url, validators: since?.validators, limit: HTTPLimits.listBytes, readAhead: Self.listReadAhead)
        let maxAge = CacheControl.maxAge(response.head)
        let validators = response.validators
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

    package func body(of metadata: PostMetadata, validators: CacheValidators?) async throws -> BodyResponse {
        let url = address.appending(encodedPath: ["post", metadata.postId])
        let response = try await get(
            url, validators: validators, limit: HTTPLimits.postBytes, readAhead: Self.postReadAhead,
            orElse: .noBody(id: metadata.id, url))
        if let validators, response.isNotModified { return BodyResponse(content: .unchanged, validators: validators) }
        let content = try await Self.content(of: response, for: metadata, at: url)
        return BodyResponse(content: content, validators: response.validators)
    }

    /// Collects the body of a post from its JSON, and checks the rest.
    ///
    /// Throws a ``SourceError`` if the response is not this post.
    static func content(
        of response: HTTPResponse, for metadata: PostMetadata, at url: URL
    ) async throws -> BodyContent {
        var (extractor, body) = (BodyExtractor(), BodyBuffer())
        while let chunk = try await response.body.next() {
            if let text = extractor.add(chunk) { try body.append(text) }
            guard extractor.isValid else { throw SourceError.malformed(url) }
            guard extractor.envelope.count <= HTTPLimits.recordBytes else {
                throw SourceError.unreadable(url, problem: "has too much data besides the body")
            }
        }
        let rest = extractor.finish()
        // Without the text, a response is small enough for the decoder.
        let json = extractor.envelope
        let post = try PostEnvelope(scanning: json) ?? WireJSON.decode(PostEnvelope.self, from: Data(json), of: url)
        guard extractor.isValid else { throw SourceError.malformed(url) }
        let isOther = post.id.map { $0 != metadata.postId && $0 != metadata.id } ?? false
        if isOther || post.metadataID.map({ $0 != metadata.id }) ?? false {
            throw SourceError.unreadable(url, problem: "is for another post")
        }
        // The envelope has a body that the extractor didn't recognise, for example because its name has escapes.
        try body.append(rest + post.body)
        return try body.finish()
    }

    private func get(
        _ url: URL, validators: CacheValidators? = nil, limit: Int, readAhead: Int, orElse missing: SourceError
    ) async throws -> HTTPResponse {
        do {
            return try await client.get(url, validators: validators, limit: limit, readAhead: readAhead)
        } catch let error as HTTPError where error.isNotFound {
            throw missing
        }
    }
}
