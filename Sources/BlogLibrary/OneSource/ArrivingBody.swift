import Store

/// A body that is arriving: a short one is held in memory, as nearly every body is, and a long one in a temporary file.
struct ArrivingBody {
    private var text = ""
    private var staged: StagedText?

    /// Takes the next piece.
    mutating func append(_ piece: String) throws {
        if text.isEmpty { text = piece } else { text += piece }
        if text.utf8.count >= PostStore.partSize { try stage() }
    }

    /// All that was taken.
    mutating func finish() throws -> BodyContent {
        guard let staged else { return .text(text) }
        try stage()
        return .staged(staged)
    }

    private mutating func stage() throws {
        let staged = try staged ?? StagedText()
        try staged.append(text)
        self.staged = staged
        text = ""
    }
}
