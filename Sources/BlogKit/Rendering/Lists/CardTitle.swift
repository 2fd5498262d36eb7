/// The title of a post in a list.
enum CardTitle {
    /// The title, bold while it is unread, and its site after it; a link where the terminal follows one.
    static func text(_ record: Record, _ screen: Screen) -> StyledText {
        let title = StyledText(Sanitizer.line(record.metadata.title), isRead(record) ? .muted : .title)
        guard screen.hasHyperlinks, let link = record.metadata.link.flatMap({ LinkTarget.safe($0) }) else {
            return title
        }
        return title.linked(to: link)
    }

    /// "(example.org)" of a post about something elsewhere; nil for another.
    static func site(_ record: Record) -> StyledText? {
        DiscussionFacts.site(record.metadata).map { StyledText("(\($0))", .muted) }
    }

    static func isRead(_ record: Record) -> Bool { record.state?.isRead == true }
}
