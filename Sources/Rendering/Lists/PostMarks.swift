import Model

/// What the user did with a post, in a gutter that is always as wide, so that nothing moves when it is read.
enum PostMarks {
    /// The columns of the marks, without the space after them.
    static let width = 2

    /// A dot while it is unread, and a star after that while it is saved.
    static func text(_ state: PostState?) -> StyledText {
        guard let state else { return StyledText(String(repeating: " ", count: width)) }
        return (state.isRead ? " " : StyledText("●", .unread)) + (state.isSaved ? StyledText("★", .saved) : " ")
    }
}
