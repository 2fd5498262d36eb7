import Markup
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

/// A column of a list with a line a post.
struct TableColumn {
    private enum Content {
        case id, marks, title, author, source, age, score, comments, rank, rating, views
        case field(Field)
    }

    let name: String
    private let content: Content
    var isRightAligned = false
    /// How wide it may be at most; nil for a column that takes what is left.
    private let maxWidth: Int?
    /// Below which width of the screen it is left out.
    private var minScreen = 0
    /// How wide it is at least where rows follow that are not known yet.
    private var minWidth = 0

    /// A column for a field that was picked.
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

    /// The columns where none were picked, of posts that have these orders and ids of up to this width.
    ///
    /// Wherever rows may follow that are wider than those of the first screenful, a column is as wide as any of them.
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
        // The first rows decide how wide a column is, and ranks grow.
        case .rank: return StyledText(Field.rank.text(record), .muted).padded(to: 3, isRightAligned: true)
        case .rating: return StyledText(Field.rating.text(record)).padded(to: 4, isRightAligned: true)
        case .views: return StyledText(Field.views.text(record), .muted).padded(to: 7, isRightAligned: true)
        case .field(.publishDate): return StyledText(screen.dates.known(metadata.publishDate).joined(), .muted)
        case .field(let field):
            let text = Sanitizer.line(field.text(record))
            return field == .title ? StyledText(text, .title) : StyledText(text)
        }
    }

    /// Whether it is useless when it is cut.
    var isWhole: Bool { name == Field.id.rawValue }

    /// The widths for a row that has something wider than its column that can't be cut: what it takes more, those
    /// columns give that take what is left, and then the others, the last one last.
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

    /// How wide each column is for some rows: as wide as it needs to be, and those without a limit share what is left.
    ///
    /// - Parameter areAll: whether there are no other rows; else what is left is taken, as those may need it.
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
        // The narrow ones first, so that what they leave goes to the others.
        for (place, index) in flexible.sorted(by: { widths[$0] < widths[$1] }).enumerated() {
            let share = room / (flexible.count - place)
            widths[index] = max(areAll ? min(widths[index], share) : share, 1)
            room -= widths[index]
        }
        return widths
    }
}
