/// The title of a post on a card.
struct CardTitle {
    let record: Record

    /// The title: bold and after a dot while the post is unread, before a star when it is saved.
    var text: StyledText {
        let title = Sanitizer.line(record.metadata.title)
        guard let state = record.state else { return StyledText(title, .title) }
        let name = state.isRead ? StyledText(title) : StyledText("●", .unread) + " " + StyledText(title, .title)
        return state.isSaved ? name + " " + StyledText("★", .saved) : name
    }
}
