import Markup
import Model

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

    /// The lines of the title, and on the last of them the site, which is cut before the title is.
    static func lines(_ record: Record, _ screen: Screen, width: Int) -> [StyledText] {
        let lines = text(record, screen).wrapped(to: width)
        guard let site = site(record), let last = lines.last else { return lines }
        let room = width - last.width - 1
        guard room >= min(site.width, minSiteWidth) else { return lines }
        return lines.dropLast() + [last + " " + site.truncated(to: room)]
    }

    private static let minSiteWidth = 8

    /// "(example.org)" of a post that discusses something elsewhere; nil for another.
    static func site(_ record: Record) -> StyledText? {
        guard record.metadata.discussion != nil else { return nil }
        return DiscussionFacts.site(record.metadata).map { StyledText("(\($0))", .muted) }
    }

    static func isRead(_ record: Record) -> Bool { record.state?.isRead == true }
}
