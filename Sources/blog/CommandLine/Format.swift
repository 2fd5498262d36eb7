import Rendering
import Terminal

/// How records are printed, wherever they go.
enum Format: String, CaseIterable {
    /// Some lines a post: what a terminal gets of a list.
    case cards
    /// A line a post, in columns.
    case table
    case tsv
    case json
    case jsonl
    case csv
    case ids
    case markdown
    /// What a terminal gets, but without colour.
    case text
    /// A page for a browser.
    case html
    /// A list of sources for other readers (http://opml.org/spec2.opml).
    case opml

    /// The formats in which posts can be shown.
    static let ofPosts = allCases.filter { $0 != .opml }

    /// Whether fields can be picked in it.
    var hasFields: Bool { [.table, .tsv, .json, .jsonl, .csv].contains(self) }

    /// The formats in which facts can be shown: they have neither ids nor titles.
    static let ofFacts = ofPosts.filter { ![.ids, .markdown, .html].contains($0) }

    /// A table of facts in this format, one of ``ofFacts``.
    func text(_ table: FactTable, isCSVSafe: Bool) -> StyledText {
        switch self {
        case .json: StyledText(table.json)
        case .jsonl: StyledText(table.jsonLines)
        case .csv: StyledText(table.commaSeparated(isSafe: isCSVSafe))
        case .table: table.aligned
        case .cards, .tsv, .text, .ids, .markdown, .html, .opml: StyledText(table.tabSeparated)
        }
    }

    /// The renderer for a format that looks the same for every command; nil for what depends on the screen, and for a
    /// page, which depends on what is around it.
    func renderer(
        fields: [Field]?, isGrouped: Bool, isSearch: Bool = false, isCSVSafe: Bool = true
    ) -> (any Renderer)? {
        switch self {
        case .cards, .table, .text, .html, .opml: nil
        case .markdown: MarkdownRenderer(isGrouped: isGrouped)
        case .tsv:
            TabSeparatedRenderer(fields: fields, isSearch: isSearch)
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

extension Appearance {
    /// Facts in a format; without one in columns where people look, below each other where those are too wide, and
    /// tab-separated where programs do.
    func text(_ table: FactTable, as format: Format?) -> StyledText {
        if format == nil, isTerminal { return table.aligned(in: width) }
        return (format ?? .tsv).text(table, isCSVSafe: isCSVSafe)
    }
}
