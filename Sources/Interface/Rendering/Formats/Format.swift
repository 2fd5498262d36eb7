import BlogModel

/// An output format of posts or facts.
package enum Format: String, CaseIterable, Sendable {
    /// What a terminal shows, without colours.
    case text
    /// One line per post, in columns.
    case table
    case tsv
    case json
    case jsonl
    case csv
    case ids
    case markdown
    case html

    /// The formats of lists.
    package static let ofPosts = allCases

    /// The formats of rules and of what they find: there is no page of them.
    package static let ofRules = allCases.filter { $0 != .html }

    /// The formats of whole posts, which don't fit in a line of a table.
    package static let ofReadings = allCases.filter { $0 != .table }

    /// The formats of facts, which have neither IDs nor titles.
    package static let ofFacts = [table, tsv, json, jsonl, csv]

    /// The formats of facts that have a form of their own on a terminal.
    package static let ofCards = [text] + ofFacts

    /// Whether fields can be chosen.
    package var hasFields: Bool { Self.ofFacts.contains(self) }

    /// What a list in this format needs of its posts.
    ///
    /// - Parameters:
    ///   - fields: those that were chosen; nil for the default ones.
    ///   - isSearch: whether the posts come with snippets.
    package func parts(_ fields: [Field]?, isSearch: Bool = false) -> Query.Parts {
        let shown: [Field]? =
            switch self {
            case .tsv: fields ?? Field.tabSeparated(isSearch: isSearch)
            case .csv: fields ?? Field.commaSeparated(isSearch: isSearch)
            case .ids: [.id]
            case .table, .json, .jsonl, .text, .markdown, .html: fields
            }
        // Lines of data have no headings of groups, and programs sort months.
        let groups: Query.Parts =
            switch self {
            case .tsv, .csv, .ids, .jsonl: []
            case .json: .groups
            case .table, .text, .markdown, .html: [.groups, .monthNames]
            }
        guard let shown else { return self == .json || self == .jsonl ? .all.subtracting(.monthNames) : .all }
        return shown.reduce(into: isSearch ? [.headings, groups] : groups) { $0.formUnion($1.parts) }
    }

    /// A table of facts in one of the formats ``ofFacts``.
    package func text(_ table: FactTable, isCSVSafe: Bool) -> StyledText {
        switch self {
        case .json: StyledText(table.json)
        case .jsonl: StyledText(table.jsonLines)
        case .csv: StyledText(table.commaSeparated(isSafe: isCSVSafe))
        case .table: table.aligned
        case .tsv, .text, .ids, .markdown, .html: StyledText(table.tabSeparated)
        }
    }

    /// The renderer of a format that is the same for every command; nil for formats that depend on the screen or, as
    /// pages do, on other pages.
    package func renderer(
        fields: [Field]?, isGrouped: Bool, isSearch: Bool = false, isCSVSafe: Bool = true
    ) -> (any ListRenderer & PostRenderer)? {
        switch self {
        case .table, .text, .html: nil
        case .markdown: MarkdownRenderer(isGrouped: isGrouped)
        case .tsv: TabSeparatedRenderer(fields: fields, isSearch: isSearch)
        case .json: JSONRenderer(fields: fields, isGrouped: isGrouped)
        case .jsonl: JSONLinesRenderer(fields: fields)
        case .csv:
            CommaSeparatedRenderer(
                fields: fields ?? Field.commaSeparated(isSearch: isSearch), isGrouped: isGrouped, isSafe: isCSVSafe)
        case .ids: IDRenderer()
        }
    }
}
