import BlogEssentials

/// Recognises the first line of a block, given without its indentation.
enum BlockStart {
    /// The level and text of `# heading`.
    static func heading(_ line: ArraySlice<UInt8>) -> (level: Int, text: [UInt8])? {
        let level = line.prefix { $0 == UInt8(ascii: "#") }.count
        let rest = line.dropFirst(level)
        guard (1...6).contains(level), rest.first?.isSpaceOrTab ?? true else { return nil }
        var text = rest.trimmed
        // A closing sequence of # after a space isn't part of the text.
        let closed = text.reversed().drop { $0 == UInt8(ascii: "#") }
        if closed.isEmpty {
            text = []
        } else if closed.first?.isSpaceOrTab == true {
            text = text.prefix(closed.count).trimmed
        }
        return (level, Array(text))
    }

    /// The level of a setext heading underlined by `===` or `---`.
    static func underline(_ line: ArraySlice<UInt8>) -> Int? {
        let text = line.trimmed
        guard let first = text.first, let level = [UInt8(ascii: "="): 1, UInt8(ascii: "-"): 2][first],
            text.allSatisfy({ $0 == first }), line.first == first
        else { return nil }
        return level
    }

    /// Whether a line is a thematic break: three or more `*`, `-` or `_`.
    static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first, "*-_".utf8.contains(first) else { return false }
        let marks = line.filter { !$0.isASCIIWhitespace }
        return marks.count >= 3 && marks.allSatisfy { $0 == first }
    }

    static func fence(_ line: ArraySlice<UInt8>, indent: Int) -> Fence? {
        guard let first = line.first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else { return nil }
        let length = line.prefix { $0 == first }.count
        let info = line.dropFirst(length).trimmed
        guard length >= 3, first == UInt8(ascii: "~") || !info.contains(first) else { return nil }
        return Fence(character: first, length: length, indent: indent, info: InlineText.unescaped(info))
    }

    /// Whether a line closes a fenced block.
    static func ends(_ fence: Fence, _ line: ArraySlice<UInt8>) -> Bool {
        let length = line.prefix { $0 == fence.character }.count
        return length >= fence.length && line.dropFirst(length).isBlank
    }

    /// The marker of a list item and its length.
    static func item(_ line: ArraySlice<UInt8>) -> (marker: ListMarker, length: Int)? {
        guard let first = line.first else { return nil }
        var (marker, length) = (ListMarker(character: first, number: nil), 1)
        if first.isDigit {
            let digits = line.prefix { $0.isDigit }
            guard digits.count <= 9, let end = line.dropFirst(digits.count).first,
                end == UInt8(ascii: ".") || end == UInt8(ascii: ")")
            else { return nil }
            (marker, length) = (ListMarker(character: end, number: Int(digits.text)), digits.count + 1)
        } else if !"-+*".utf8.contains(first) {
            return nil
        }
        guard line.dropFirst(length).first?.isASCIIWhitespace ?? true else { return nil }
        return (marker, length)
    }
}

/// Rows of GitHub tables.
enum TableRow {
    /// The column alignments of a table, given its header and delimiter rows; nil if they don't begin a table.
    static func table(header: [UInt8], delimiters: ArraySlice<UInt8>) -> [Table.Alignment?]? {
        guard delimiters.contains(UInt8(ascii: "-")),
            delimiters.contains(where: { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: ":") }),
            delimiters.count(where: { $0 == UInt8(ascii: "|") }) <= TableGrid.maxColumns
        else { return nil }
        var alignments: [Table.Alignment?] = []
        for cell in cells(delimiters) {
            let isLeft = cell.first == UInt8(ascii: ":")
            let isRight = cell.last == UInt8(ascii: ":")
            let dashes = cell.dropFirst(isLeft ? 1 : 0).dropLast(isRight && cell.count > 1 ? 1 : 0)
            guard !dashes.isEmpty, dashes.allSatisfy({ $0 == UInt8(ascii: "-") }) else { return nil }
            alignments.append(isLeft && isRight ? .center : isLeft ? .left : isRight ? .right : nil)
        }
        return cells(header[...]).count == alignments.count ? alignments : nil
    }

    /// The trimmed cells of a row, with `\|` unescaped.
    static func cells(_ row: ArraySlice<UInt8>) -> [[UInt8]] {
        var line = row.trimmed
        if line.first == UInt8(ascii: "|") { line.removeFirst() }
        var cells: [[UInt8]] = []
        var cell: [UInt8] = []
        var index = line.startIndex
        while index < line.endIndex {
            if line[index] == UInt8(ascii: "\\"), index + 1 < line.endIndex, line[index + 1] == UInt8(ascii: "|") {
                cell.append(UInt8(ascii: "|"))
                index += 2
                continue
            }
            if line[index] == UInt8(ascii: "|") {
                cells.append(Array(cell.trimmed))
                cell = []
            } else {
                cell.append(line[index])
            }
            index += 1
        }
        if !cell.isBlank || line.last != UInt8(ascii: "|") { cells.append(Array(cell.trimmed)) }
        return cells
    }
}
