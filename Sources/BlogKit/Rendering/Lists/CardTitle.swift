/// The title of a post on a card.
struct CardTitle {
    let record: Record
    let isColored: Bool

    /// The title: bold and after a dot while the post is unread, before a star when it is saved.
    func lines(width: Int) -> [String] {
        let title = Sanitizer.line(record.metadata.title)
        guard let state = record.state else {
            return TextLayout.wrap(title, width: width).map { Style.title($0, isColored: isColored) }
        }
        var lines = TextLayout.wrap((state.isRead ? "" : "● ") + title + (state.isSaved ? " ★" : ""), width: width)
        var star = ""
        if state.isSaved, let last = lines.last {
            let gap = last.hasSuffix(" ★") ? " " : ""
            lines[lines.count - 1] = String(last.dropLast(1 + gap.count))
            star = gap + Style.saved("★", isColored: isColored)
        }
        guard !state.isRead else { return lines.dropLast() + [(lines.last ?? "") + star] }
        let first = lines[0].dropFirst(2)
        var styled = lines.map { Style.title($0, isColored: isColored) }
        styled[0] = Style.unread("●", isColored: isColored) + " " + Style.title(String(first), isColored: isColored)
        styled[styled.count - 1] += star
        return styled
    }
}
