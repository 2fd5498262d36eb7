import BlogCore

/// How records are printed, wherever they go.
enum Format: String, CaseIterable {
    case table
    case tsv
    case json
    case jsonl
    case csv
    case ids
    case markdown
    /// What a terminal gets, but without colour.
    case text

    /// Whether fields can be picked in it.
    var hasFields: Bool { [.tsv, .json, .jsonl, .csv].contains(self) }

    /// The formats in which facts can be shown: they have neither ids nor titles.
    static let ofFacts = allCases.filter { $0 != .ids && $0 != .markdown }

    /// A table of facts in this format.
    ///
    /// Throws ``UsageError/badValue(_:option:expected:nearest:)`` for `ids` and `markdown`: facts have none.
    func text(_ table: FactTable) throws -> String {
        switch self {
        case .table, .tsv, .text: return table.tabSeparated
        case .json: return table.json
        case .jsonl: return table.jsonLines
        case .csv: return table.commaSeparated
        case .ids, .markdown:
            let known = Counted.choices(Self.ofFacts.map(\.rawValue))
            throw UsageError.badValue(rawValue, option: "format", expected: known, nearest: nil)
        }
    }

    /// The renderer for a format that looks the same for every command; nil for `table` and `text`.
    func renderer(
        fields: [Field]?, isGrouped: Bool, isSearch: Bool = false, isRanked: Bool = false
    ) -> (any Renderer)? {
        switch self {
        case .table, .text: nil
        case .markdown: MarkdownRenderer(isGrouped: isGrouped)
        case .tsv:
            TabSeparatedRenderer(
                fields: fields ?? (isSearch ? Field.tabSeparatedHits : isRanked ? Field.tabSeparatedRanks : nil))
        case .json: JSONRenderer(fields: fields, isGrouped: isGrouped)
        case .jsonl: JSONLinesRenderer(fields: fields)
        case .csv:
            CommaSeparatedRenderer(
                fields: fields
                    ?? (isSearch ? Field.commaSeparated + [.snippet] : isRanked ? Field.tabSeparatedRanks : nil),
                isGrouped: isGrouped)
        case .ids: IDRenderer()
        }
    }
}
