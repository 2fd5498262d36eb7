import Foundation

/// Hands the lines of a body on as its bytes arrive.
actor ArrivingText {
    private var body = ArrivingBody()
    private let metadata: PostMetadata
    private let take: TextReceiver

    init(of metadata: PostMetadata, _ take: @escaping TextReceiver) {
        self.metadata = metadata
        self.take = take
    }

    nonisolated var receiver: BytesReceiver { { try await self.add($0) } }

    private func add(_ data: Data) async throws {
        if let text = body.add(data) { try await take(metadata, text) }
    }
}
