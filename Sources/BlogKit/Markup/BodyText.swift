/// What a body is written in, and its document.
package enum BodyText {
    /// How a body is written.
    package enum Format: Sendable {
        case plain
        case markdown
    }

    /// What a body seems to be written in: Markdown where it has Markdown's marks.
    package static func format(of body: String) -> Format {
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        let hasBlockMark = lines.contains { line in
            let start = line.drop { $0 == " " }
            let isHeading = start.hasPrefix("#") && start.drop { $0 == "#" }.first == " "
            let isItem = ["- ", "* ", "+ ", "1. ", "1) "].contains { start.hasPrefix($0) }
            return isHeading || isItem || ["```", "~~~", "> ", "| ", "|-", "---", "***"].contains { start.hasPrefix($0) }
        }
        return hasBlockMark || ["](", "**", "`", "]: ", "<http", "*", "_"].contains { hasPair(of: $0, in: body) }
            ? .markdown : .plain
    }

    /// The document of a body; each line of plain text is a line of its own.
    package static func document(_ body: String) -> Document {
        switch format(of: body) {
        case .markdown: return Markdown.document(Liquid.removed(from: body))
        case .plain:
            let paragraphs = body.split(separator: "\n\n").map { paragraph -> Block in
                let lines = paragraph.split(separator: "\n").map { [Span.text(String($0))] }
                return .paragraph(Array(lines.joined(separator: [.hardBreak])))
            }
            return Document(blocks: paragraphs)
        }
    }

    /// Marks that stand alone need no partner; `*`, `_` and backticks do, around a word.
    private static func hasPair(of mark: String, in body: String) -> Bool {
        guard ["*", "_", "`", "**"].contains(mark) else { return body.contains(mark) }
        var isOpen = false
        var before: Character = " "
        for character in body {
            defer { before = character }
            if character == "\n" { isOpen = false }
            guard String(character) == mark.prefix(1) else { continue }
            if isOpen && !before.isWhitespace { return true }
            isOpen = before.isWhitespace || before == "(" || isOpen
        }
        return false
    }
}
