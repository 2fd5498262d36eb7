import Markup
import Model

/// Posts for people in columns that fit the screen, one post a line.
///
/// The first screenful of posts is held back, because it decides how wide the columns are.
package struct TableRenderer: Renderer {
    private let screen: Screen
    private let columns: [TableColumn]
    /// Shortens an id to a width, but only so far that it can still be typed.
    private let shortenID: @Sendable (String, Int) -> String
    /// Whether there is a header.
    private let hasHeader: Bool
    private var waiting: [[StyledText]] = []
    /// The widths of the columns, 0 for those left out; nil while posts are held back.
    private var widths: [Int]?
    private var isFirst = true

    /// - Parameters:
    ///   - fields: the columns; nil for the usual ones.
    ///   - orders: the orders of the source: by rank or rating, for example.
    ///   - idWidth: the width of the ids, as far as it is known.
    ///   - shortenID: shortens an id to a width, but only so far that it can still be typed.
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

/// A column of a table of posts.
struct TableColumn {
    private enum Content {
        case id, marks, title, author, source, age, score, comments, rank, rating, views
        case field(Field)
    }

    let name: String
    private let content: Content
    var isRightAligned = false
    /// The maximum width; nil for a column that takes the remaining room.
    private let maxWidth: Int?
    /// The narrowest screen that it is shown on.
    private var minScreen = 0
    /// The minimum width while more rows are to come.
    private var minWidth = 0

    /// The column of a chosen field.
    init(_ field: Field) {
        name = field.rawValue
        content = .field(field)
        isRightAligned = [.score, .commentCount, .rank, .rating, .views, .votes].contains(field)
        maxWidth = [.title, .summary, .snippet, .link, .body].contains(field) ? nil : 32
    }

    private init(_ name: String, _ content: Content, maxWidth: Int?, isRightAligned: Bool = false, minScreen: Int = 0) {
        (self.name, self.content, self.maxWidth) = (name, content, maxWidth)
        (self.isRightAligned, self.minScreen) = (isRightAligned, minScreen)
    }

    /// The usual columns for posts with these orders and ids of up to this width.
    ///
    /// Columns whose later rows may be wider than the first screenful have a minimum width.
    static func usual(_ orders: Set<Sorting>, idWidth: Int, in width: Int) -> [TableColumn] {
        var ids = TableColumn("id", .id, maxWidth: min(max(width * 3 / 10, 12), 24))
        ids.minWidth = idWidth
        let id = [ids, TableColumn("", .marks, maxWidth: 2)]
        let authorWidth = min(max(width / 5, 8), 20)
        var authors = TableColumn("author", .author, maxWidth: authorWidth, minScreen: 40)
        authors.minWidth = authorWidth
        let title = [
            TableColumn("title", .title, maxWidth: nil), authors,
            TableColumn("source", .source, maxWidth: 20, minScreen: 100),
        ]
        var ages = TableColumn("age", .age, maxWidth: 16, isRightAligned: true, minScreen: 40)
        ages.minWidth = "20 Aug 2024".count
        let age = [ages]
        guard orders.contains(.rank) else { return id + title + age }
        guard orders.contains(.rating) else {
            var counts = [
                TableColumn("score", .score, maxWidth: 5, isRightAligned: true, minScreen: 40),
                TableColumn("comments", .comments, maxWidth: 5, isRightAligned: true, minScreen: 60),
            ]
            for index in counts.indices { counts[index].minWidth = 5 }
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
        case .age: return StyledText(screen.dates.known(metadata.publishDate).joined(), .muted)
        case .score: return RankedCard.bright(metadata.score.map { String($0) } ?? "", score: metadata.score ?? 0)
        case .comments: return StyledText(metadata.commentCount.map { String($0) } ?? "", .muted)
        // Numbers are padded, because later rows may have longer ones.
        case .rank: return StyledText(Field.rank.text(record), .muted).padded(to: 3, isRightAligned: true)
        case .rating: return StyledText(Field.rating.text(record)).padded(to: 4, isRightAligned: true)
        case .views: return StyledText(Field.views.text(record), .muted).padded(to: 7, isRightAligned: true)
        case .field(.publishDate): return StyledText(screen.dates.known(metadata.publishDate).joined(), .muted)
        case .field(let field):
            let text = Sanitizer.line(field.text(record))
            return field == .title ? StyledText(text, .title) : StyledText(text)
        }
    }

    /// Whether its text must never be cut.
    var isWhole: Bool { name == Field.id.rawValue }

    /// The widths for a row with an uncuttable text wider than its column: first the columns without a maximum width
    /// give up room, then the others.
    static func widths(_ usual: [Int], making row: [StyledText], fit columns: [TableColumn]) -> [Int] {
        var more = columns.indices.filter { columns[$0].isWhole }.reduce(0) { $0 + max(row[$1].width - usual[$1], 0) }
        guard more > 0 else { return usual }
        var widths = usual
        let givers =
            columns.indices.filter { columns[$0].maxWidth == nil }
            + columns.indices.filter {
                columns[$0].maxWidth != nil && !columns[$0].isWhole && !columns[$0].name.isEmpty
            }
        for index in givers where widths[index] > 1 {
            let given = min(more, widths[index] - 1)
            widths[index] -= given
            more -= given
        }
        return widths
    }

    /// The width of each column for some rows.
    ///
    /// Columns without a maximum share the room that the others leave.
    ///
    /// - Parameter areAll: whether no other rows follow; otherwise all of the room is used, because those may need it.
    static func widths(of columns: [TableColumn], for rows: [[StyledText]], areAll: Bool, in width: Int) -> [Int] {
        var widths = columns.enumerated().map { index, column -> Int in
            guard column.minScreen <= width else { return 0 }
            let natural = rows.map { $0[index].width }.max() ?? 0
            return min(areAll ? natural : max(natural, column.minWidth), column.maxWidth ?? .max)
        }
        let flexible = columns.indices.filter { columns[$0].maxWidth == nil && widths[$0] > 0 }
        let gaps = max(widths.count { $0 > 0 } - 1, 0)
        let fixed = widths.indices.filter { !flexible.contains($0) }.reduce(0) { $0 + widths[$1] }
        var room = width - gaps - fixed
        // Narrow ones come first, so that the others get the room that they leave.
        for (place, index) in flexible.sorted(by: { widths[$0] < widths[$1] }).enumerated() {
            let share = room / (flexible.count - place)
            widths[index] = max(areAll ? min(widths[index], share) : share, 1)
            room -= widths[index]
        }
        return widths
    }
}
