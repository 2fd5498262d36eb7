/// A post to be read on a terminal: title, author and date, then the body wrapped to the width.
package struct ArticleRenderer: Renderer {
    private let width: Int
    private let isColored: Bool
    private let links: LinkMode
    private let codeWidth: Int?
    private var isFirst = true

    /// - Parameter codeWidth: how wide a line of code may be; nil for any width.
    package init(width: Int, codeWidth: Int?, isColored: Bool, links: LinkMode = .numbered) {
        self.links = links
        self.codeWidth = codeWidth.map { max($0, width, 20) }
        self.width = max(width, 20)
        self.isColored = isColored
    }

    package mutating func record(_ record: Record) -> String {
        let byline = Byline(record.metadata)
        let title = TextLayout.wrap(Sanitizer.line(record.metadata.title), width: width)
        let facts = TextLayout.wrap("\(byline.text) · \(byline.date)", width: width)
        var document = DocumentRenderer(isColored: isColored, mode: links, codeRoom: codeWidth.map { $0 - width })
        let body = document.lines(BodyText.document(record.body ?? "", format: record.bodyFormat), width: width)
        let rule = Style.muted(String(repeating: "─", count: width), isColored: isColored)
        defer { isFirst = false }
        var lines = isFirst ? [] : ["", rule, ""]
        lines += title.map { Style.title($0, isColored: isColored) }
        lines += facts.map { Style.author($0, isColored: isColored) }
        return (lines + [""] + body).joined(separator: "\n") + "\n"
    }
}
