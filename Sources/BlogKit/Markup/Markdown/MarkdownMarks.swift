/// Whether text looks like Markdown: plain paragraphs must not be taken for it.
package enum MarkdownMarks {
    /// Whether a text has marks that people put there for Markdown.
    package static func areIn(_ body: String) -> Bool {
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        let hasBlockMark = lines.contains { line in
            let start = line.drop { $0 == " " }
            let isHeading = start.hasPrefix("#") && start.drop { $0 == "#" }.first == " "
            let isNumber =
                start.first?.isNumber == true && start.drop { $0.isNumber }.hasPrefix(". ")
                && start.prefix { $0.isNumber }.count < 4
            let isItem = isNumber || ["- ", "* ", "+ ", "1) "].contains { start.hasPrefix($0) }
            return isHeading || isItem
                || ["```", "~~~", "> ", "| ", "|-", "---", "***"].contains { start.hasPrefix($0) }
        }
        return hasBlockMark || ["](", "**", "`", "]: ", "<http", "*", "_"].contains { hasPair(of: $0, in: body) }
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
