import BlogMarkup
import BlogModel

/// Renders posts in columns that fit the screen, one per line.
///
/// The first screenful of posts is buffered, because it determines the widths of the columns.
package struct TableRenderer: ListRenderer {
    private let screen: Screen
    private let columns: [TableColumn]
    private let shortenID: @Sendable (String, Int) -> String
    private let hasHeader: Bool
    private var buffer: [[StyledText]] = []
    /// The widths of the columns, 0 for hidden columns; nil until the buffer is first flushed.
    private var widths: [Int]?
    private var isFirst = true

    /// - Parameters:
    ///   - fields: the columns; nil for the default columns.
    ///   - orders: the orders that the source supports.
    ///   - idWidth: the expected width of the IDs.
    ///   - shortenID: shortens an ID to a width, but no further than it can still be typed.
    package init(
        _ screen: Screen, fields: [Field]? = nil, orders: Set<Sorting> = [], hasHeader: Bool = false, idWidth: Int = 0,
        shortenID: @escaping @Sendable (String, Int) -> String = { id, _ in id }
    ) {
        self.screen = screen
        self.hasHeader = hasHeader && fields != nil
        self.shortenID = shortenID
        columns =
            fields.map { $0.map(TableColumn.init) }
            ?? TableColumn.standard(orders, idWidth: idWidth, in: screen.width)
    }

    package var form: ListForm { .rows }

    package mutating func group(_ group: PostGroup) -> StyledText {
        let rows = flush()
        defer { isFirst = false }
        return rows + ListHeading.text(group, isFirst: isFirst, width: screen.width)
    }

    package mutating func record(_ record: Record) -> StyledText {
        let row = columns.map { $0.text(record, screen, shortenID) }
        guard let widths else {
            buffer.append(row)
            return buffer.count < Self.screenful ? "" : flush()
        }
        return line(row, widths)
    }

    package mutating func end() -> StyledText { flush(isLast: true) }

    private mutating func flush(isLast: Bool = false) -> StyledText {
        guard !buffer.isEmpty else { return "" }
        defer { (buffer, isFirst) = ([], false) }
        let names = columns.map { StyledText($0.name, .muted) }
        let rows = hasHeader && widths == nil ? [names] + buffer : buffer
        let fitted = widths ?? TableColumn.widths(of: columns, for: rows, areLast: isLast, in: screen.width)
        widths = fitted
        return rows.map { line($0, fitted) }.joined()
    }

    private func line(_ row: [StyledText], _ standard: [Int]) -> StyledText {
        let widths = TableColumn.widths(standard, fitting: row, in: columns)
        let cells = zip(columns, zip(row, widths)).compactMap { column, cell -> StyledText? in
            guard cell.1 > 0 else { return nil }
            return (column.isWhole ? cell.0 : cell.0.truncated(to: cell.1)).padded(
                to: cell.1, isRightAligned: column.isRightAligned)
        }
        return cells.joined(separator: " ").trimmed + "\n"
    }

    private static let screenful = 24
}

struct TableColumn {
    private enum Content {
        case id, marks, title, author, source, age, score, comments, rank, rating, views
        case field(Field)
    }

    let name: String
    private let content: Content
    var isRightAligned = false
    /// The maximum width; nil for a flexible column, which fills the remaining room.
    private let maxWidth: Int?
    /// The minimum width while more rows are to come, as they may be wider.
    private var minWidth = 0
    /// The width of the narrowest screen that it is shown on.
    private var minScreen = 0

    /// The column of a chosen field.
    init(_ field: Field) {
        name = field.rawValue
        content = .field(field)
        isRightAligned = [.score, .commentCount, .rank, .rating, .views, .votes].contains(field)
        maxWidth = [.title, .summary, .snippet, .link, .body].contains(field) ? nil : 32
    }

    private init(
        _ name: String, _ content: Content, minWidth: Int = 0, maxWidth: Int?, isRightAligned: Bool = false,
        minScreen: Int = 0
    ) {
        (self.name, self.content, self.minWidth, self.maxWidth) = (name, content, minWidth, maxWidth)
        (self.isRightAligned, self.minScreen) = (isRightAligned, minScreen)
    }

    /// The default columns for a source with these orders.
    static func standard(_ orders: Set<Sorting>, idWidth: Int, in width: Int) -> [TableColumn] {
        let authorWidth = min(max(width / 5, 8), 20)
        let id = [
            TableColumn("id", .id, minWidth: idWidth, maxWidth: min(max(width * 3 / 10, 12), 24)),
            TableColumn("", .marks, maxWidth: 2),
        ]
        let title = [
            TableColumn("title", .title, maxWidth: nil),
            TableColumn("author", .author, minWidth: authorWidth, maxWidth: authorWidth, minScreen: 40),
            TableColumn("source", .source, maxWidth: 20, minScreen: 100),
        ]
        let dateWidth = "20 Aug 2024".count
        let age = [TableColumn("age", .age, minWidth: dateWidth, maxWidth: 16, isRightAligned: true, minScreen: 40)]
        guard orders.contains(.rank) else { return id + title + age }
        guard orders.contains(.rating) else {
            let counts = [
                TableColumn("score", .score, minWidth: 5, maxWidth: 5, isRightAligned: true, minScreen: 40),
                TableColumn("comments", .comments, minWidth: 5, maxWidth: 5, isRightAligned: true, minScreen: 60),
            ]
            return id + counts + title + age
        }
        let rating = [TableColumn("rating", .rating, maxWidth: 5, isRightAligned: true, minScreen: 40)]
        let views = [TableColumn("views", .views, maxWidth: 9, isRightAligned: true, minScreen: 60)]
        return id + [TableColumn("rank", .rank, maxWidth: 4, isRightAligned: true)] + title + rating + age + views
    }

    func text(_ record: Record, _ screen: Screen, _ shortenID: (String, Int) -> String) -> StyledText {
        let metadata = record.metadata
        switch content {
        case .id: return StyledText(Sanitizer.line(shortenID(metadata.id, maxWidth ?? .max)), .muted)
        case .marks: return PostMarks.text(record.state)
        case .title:
            let title = CardTitle.text(record, screen)
            return CardTitle.site(record).map { title + " " + $0 } ?? title
        case .author:
            return StyledText(Sanitizer.line(metadata.author.name), CardTitle.isRead(record) ? .muted : .author)
        case .source: return StyledText(record.shownTitle ?? "", .muted)
        case .age: return StyledText(screen.dates.shortIfKnown(record.listDate).joined(), .muted)
        case .score: return RankedCard.bright(metadata.score.map { String($0) } ?? "", score: metadata.score ?? 0)
        case .comments: return StyledText(metadata.commentCount.map { String($0) } ?? "", .muted)
        // Padded, because later rows may have longer numbers.
        case .rank: return StyledText(Field.rank.text(record), .muted).padded(to: 3, isRightAligned: true)
        case .rating: return StyledText(Field.rating.text(record)).padded(to: 4, isRightAligned: true)
        case .views: return StyledText(Field.views.text(record), .muted).padded(to: 7, isRightAligned: true)
        case .field(.publishDate): return StyledText(screen.dates.shortIfKnown(record.listDate).joined(), .muted)
        case .field(let field):
            let text = Sanitizer.line(field.text(record))
            return field == .title ? StyledText(text, .title) : StyledText(text)
        }
    }

    /// Whether its text is never cut.
    var isWhole: Bool { name == Field.id.rawValue }

    /// The widths for a row: if it has a text that is wider than its column but must not be cut, the flexible columns
    /// shrink first, then the others.
    static func widths(_ standard: [Int], fitting row: [StyledText], in columns: [TableColumn]) -> [Int] {
        let whole = columns.indices.filter { columns[$0].isWhole }
        var excess = whole.reduce(0) { $0 + max(row[$1].width - standard[$1], 0) }
        guard excess > 0 else { return standard }
        var widths = standard
        let shrinkable =
            columns.indices.filter { columns[$0].maxWidth == nil }
            + columns.indices.filter {
                columns[$0].maxWidth != nil && !columns[$0].isWhole && !columns[$0].name.isEmpty
            }
        for index in shrinkable where widths[index] > 1 {
            let cut = min(excess, widths[index] - 1)
            widths[index] -= cut
            excess -= cut
        }
        return widths
    }

    /// The width of each column for some rows; flexible columns share the room that the others leave.
    ///
    /// - Parameter areLast: whether no more rows follow; if any may, all of the room is used.
    static func widths(of columns: [TableColumn], for rows: [[StyledText]], areLast: Bool, in width: Int) -> [Int] {
        var widths = columns.enumerated().map { index, column -> Int in
            guard column.minScreen <= width else { return 0 }
            let natural = rows.map { $0[index].width }.max() ?? 0
            return min(areLast ? natural : max(natural, column.minWidth), column.maxWidth ?? .max)
        }
        let flexible = columns.indices.filter { columns[$0].maxWidth == nil && widths[$0] > 0 }
        let gaps = max(widths.count { $0 > 0 } - 1, 0)
        let fixed = widths.indices.filter { !flexible.contains($0) }.reduce(0) { $0 + widths[$1] }
        var room = width - gaps - fixed
        // Narrow columns come first and leave room for wider ones.
        for (number, index) in flexible.sorted(by: { widths[$0] < widths[$1] }).enumerated() {
            let share = room / (flexible.count - number)
            widths[index] = max(areLast ? min(widths[index], share) : share, 1)
            room -= widths[index]
        }
        return widths
    }
}
