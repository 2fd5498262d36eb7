import Foundation
import HTTP
import Model

/// Reads the response of `/post/POSTID`: its body is given on as it arrives, and the rest is judged when it is complete.
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
