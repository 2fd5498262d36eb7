/// A body that is arriving: a short one is held in memory, as nearly every body is, and the parts of a long one are
/// staged in the store.
struct ArrivingBody {
    private let store: PostStore
    private var text = ""
    private var staged: Int64?

    init(for store: PostStore) {
        self.store = store
    }

    /// Takes the next piece.
    mutating func append(_ piece: String) async throws {
        if text.isEmpty { text = piece } else { text += piece }
        if text.utf8.count >= PostStore.partSize { try await stage() }
    }

    /// All that was taken.
    mutating func finish() async throws -> BodyContent {
        guard let staged else { return .text(text) }
        if !text.isEmpty { try await stage() }
        return .staged(staged)
    }

    /// Forgets what was taken.
    func discard() async {
        if let staged { await store.discardStaged(staged) }
    }

    private mutating func stage() async throws {
        let body: Int64
        if let staged { body = staged } else { body = await store.newStagedBody() }
        staged = body
        try await store.stage(text, of: body)
        text = ""
    }
}
