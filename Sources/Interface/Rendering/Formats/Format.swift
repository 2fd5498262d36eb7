/// An output format of posts or facts.
package enum Format: String, CaseIterable, Sendable {
    /// Several lines per post: the default on a terminal.
    case cards
    /// One line per post, in columns.
    case table
    case tsv
    case json
    case jsonl
    case csv
    case ids
    case markdown
    /// The terminal's output without colours.
    case text
    case html
    /// A list of sources for other readers (http://opml.org/spec2.opml).
    case opml

    package static let ofPosts = allCases.filter { $0 != .opml }

    /// Whether fields can be chosen.
    package var hasFields: Bool { [.table, .tsv, .json, .jsonl, .csv].contains(self) }

    /// The formats of facts, which have neither IDs nor titles.
    package static let ofFacts = ofPosts.filter { ![.ids, .markdown, .html].contains($0) }

    /// A table of facts in one of the formats ``ofFacts``.
    package func text(_ table: FactTable, isCSVSafe: Bool) -> StyledText {
        switch self {
        case .json: StyledText(table.json)
        case .jsonl: StyledText(table.jsonLines)
        case .csv: StyledText(table.commaSeparated(isSafe: isCSVSafe))
        case .table: table.aligned
        case .cards, .tsv, .text, .ids, .markdown, .html, .opml: StyledText(table.tabSeparated)
        }
    }

    /// The renderer of a format that is the same for every command; nil for formats that depend on the screen or, as
    /// pages do, on other pages.
    package func renderer(
        fields: [Field]?, isGrouped: Bool, isSearch: Bool = false, isCSVSafe: Bool = true
    ) -> (any ListRenderer & PostRenderer)? {
        switch self {
        case .cards, .table, .text, .html, .opml: nil
        case .markdown: MarkdownRenderer(isGrouped: isGrouped)
        case .tsv: TabSeparatedRenderer(fields: fields, isSearch: isSearch)
        case .json: JSONRenderer(fields: fields, isGrouped: isGrouped)
        case .jsonl: JSONLinesRenderer(fields: fields)
        case .csv:
            CommaSeparatedRenderer(
                fields: fields ?? Field.commaSeparated + (isSearch ? [.snippet] : []), isGrouped: isGrouped,
                isSafe: isCSVSafe)
        case .ids: IDRenderer()
        }
    }
}
