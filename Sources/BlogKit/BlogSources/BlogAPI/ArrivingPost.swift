import Foundation

/// The answer to `/post/POSTID` while it arrives: its body is handed on as it comes, and the rest is looked at when
/// the answer is whole.
actor ArrivingPost {
    private var body = ArrivingBody()
    private let url: URL
    private let receive: Receiver<String>

    init(of url: URL, _ receive: Receiver<String>) {
        self.url = url
        self.receive = receive
    }

    nonisolated var receiver: Receiver<Data> {
        Receiver(take: { try await self.add($0) }, restart: { await self.restart() })
    }

    private func add(_ data: Data) async throws {
        let text = body.add(data)
        guard body.isSound else { throw SourceError.unreadable(url, problem: "is not valid JSON") }
        guard body.surroundings.count <= Self.mostBeside else {
            throw SourceError.unreadable(url, problem: "has more beside its body than a post has")
        }
        if let text { try await receive.take(text) }
    }

    private func restart() async -> Bool {
        guard await receive.restart() else { return false }
        body = ArrivingBody()
        return true
    }

    /// Hands on what is left of the body; throws a ``SourceError`` where the answer as a whole is no post.
    func finish() async throws {
        let rest = body.finish()
        // With its text taken out, an answer is as small as the decoder needs it, which is the judge of the form.
        let post = try WireJSON.decode(PostBody.self, from: Data(body.surroundings), of: url)
        guard body.isSound else { throw SourceError.unreadable(url, problem: "is not valid JSON") }
        if let rest { try await receive.take(rest) }
        // A body in a form that isn't seen as it arrives, with escapes in its name perhaps.
        if !post.body.isEmpty { try await receive.take(post.body) }
    }

    /// What of `/post/POSTID` isn't known already.
    private struct PostBody: Decodable {
        let body: String
    }

    private static let mostBeside = 16 << 20
}
