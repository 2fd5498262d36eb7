import Foundation

/// Takes the text of a body that is arriving to who reads it, and to the store.
///
/// What is short is held in memory, as nearly every body is; one that is long waits on the disk until it is whole.
actor BodyCollector {
    private let metadata: PostMetadata
    private let show: TextReceiver?
    private var text = ""
    private var file: SpoolFile?
    private var hasShown = false

    /// - Parameter show: gets the text too.
    init(_ metadata: PostMetadata, show: TextReceiver?) {
        self.metadata = metadata
        self.show = show
    }

    nonisolated var receiver: Receiver<String> {
        Receiver(take: { try await self.take($0) }, restart: { await self.restart() })
    }

    /// All that was taken.
    var content: BodyContent {
        get throws {
            guard let file else { return .text(text) }
            try file.append(Array(text.utf8))
            text = ""
            return .file(file)
        }
    }

    private func take(_ piece: String) async throws {
        if let show {
            hasShown = true
            try await show(metadata, piece)
        }
        text += piece
        guard text.utf8.count >= PostStore.partSize else { return }
        if file == nil { file = try SpoolFile() }
        try file?.append(Array(text.utf8))
        text = ""
    }

    private func restart() async -> Bool {
        guard !hasShown else { return false }
        text = ""
        file = nil
        return true
    }
}
