import Markup
import Model

/// The heading of a group of posts.
enum ListHeading {
    static func text(_ group: PostGroup, isFirst: Bool, width: Int) -> StyledText {
        let count = group.count == 1 ? "1 post" : "\(group.count) posts"
        let name = StyledText(Sanitizer.line(group.name), .groupTitle).wrapped(to: width)
        let fits = (name.last?.width ?? 0) + 3 + count.count <= width
        let heading = name.joined(separator: "\n") + (fits ? " · " : "\n") + StyledText(count, .muted)
        let rule = StyledText(String(repeating: "─", count: width), .muted)
        return (isFirst ? [heading, rule] : ["", heading, rule]).lines
    }
}
