/// Rows of GitHub's tables.
enum TableRow {
    /// The alignments of the table that a line and one of delimiters begin; nil for none.
    static func table(header: [UInt8], delimiters: ArraySlice<UInt8>) -> [Table.Alignment?]? {
        guard delimiters.contains(UInt8(ascii: "-")),
            delimiters.contains(where: { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: ":") })
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

    /// The cells of a row, without the space around them; `\|` is no border.
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
