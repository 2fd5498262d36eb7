import BlogKit

/// How records are printed, wherever they go.
enum Format: String, CaseIterable {
    case table
    case tsv
    case json
    case jsonl
    case csv
    case ids

    /// The renderer for a format that looks the same for every command; nil for `table`.
    func renderer(fields: [Field]?, isGrouped: Bool) -> (any Renderer)? {
        switch self {
        case .table: nil
        case .tsv: TabSeparatedRenderer(fields: fields)
        case .json: JSONRenderer(fields: fields, isGrouped: isGrouped)
        case .jsonl: JSONLinesRenderer(fields: fields)
        case .csv: CommaSeparatedRenderer(fields: fields, isGrouped: isGrouped)
        case .ids: IDRenderer()
        }
    }
}
