import Model

/// Posts for people, a line each, in columns that fit the screen.
///
/// The first posts are held back until there is a screenful of them, as they decide how wide the columns are, together
/// with what is known of all.
package struct TableRenderer: Renderer {
    private let screen: Screen
    private let columns: [TableColumn]
    /// Shortens an id to a width, as far as it can be typed then.
    private let shortenID: @Sendable (String, Int) -> String
    /// Whether the names of the columns stand above them.
    private let hasHeader: Bool
    private var waiting: [[StyledText]] = []
    /// How wide the columns are, of which 0 is left out; nil while posts are held back.
    private var widths: [Int]?
    private var isFirst = true

    /// - Parameters:
    ///   - fields: what to show; nil for the usual columns.
    ///   - orders: the orders of their source that posts have what they need for: ranks, points and comments, say.
    ///   - idWidth: how wide the ids are, as far as is known.
    ///   - shortenID: shortens an id to a width, as far as it can be typed then.
    package init(
        _ screen: Screen, fields: [Field]? = nil, orders: Set<Sorting> = [], hasHeader: Bool = false, idWidth: Int = 0,
        shortenID: @escaping @Sendable (String, Int) -> String = { id, _ in id }
    ) {
        self.screen = screen
        self.hasHeader = hasHeader && fields != nil
        self.shortenID = shortenID
        columns =
            fields.map { $0.map(TableColumn.init) }
            ?? TableColumn.usual(orders, idWidth: idWidth, in: screen.width)
    }

    package mutating func group(_ group: PostGroup) -> StyledText {
        let before = release()
        defer { isFirst = false }
        return before + ListHeading.text(group, isFirst: isFirst, width: screen.width)
    }

    package mutating func record(_ record: Record) -> StyledText {
        let row = columns.map { $0.text(record, screen, shortenID) }
        guard let widths else {
            waiting.append(row)
            return waiting.count < Self.screenful ? "" : release()
        }
        return line(row, widths)
    }

    package mutating func end() -> StyledText { release(areAll: true) }

    /// The posts that were held back.
    private mutating func release(areAll: Bool = false) -> StyledText {
        guard !waiting.isEmpty else { return "" }
        defer { (waiting, isFirst) = ([], false) }
        let names = columns.map { StyledText($0.name, .muted) }
        let rows = hasHeader && widths == nil ? [names] + waiting : waiting
        let fitted = widths ?? TableColumn.widths(of: columns, for: rows, areAll: areAll, in: screen.width)
        widths = fitted
        return rows.map { line($0, fitted) }.joined()
    }

    private func line(_ row: [StyledText], _ usual: [Int]) -> StyledText {
        let widths = TableColumn.widths(usual, making: row, fit: columns)
        let cells = zip(columns, zip(row, widths)).compactMap { column, cell -> StyledText? in
            guard cell.1 > 0 else { return nil }
            return (column.isWhole ? cell.0 : cell.0.truncated(to: cell.1)).padded(
                to: cell.1, isRightAligned: column.isRightAligned)
        }
        return cells.joined(separator: " ").trimmed + "\n"
    }

    private static let screenful = 24
}
