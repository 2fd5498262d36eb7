import BlogCore
import Foundation

/// How posts that are read are to look, decided once.
struct ReadingStyle {
    let format: Format?
    let fields: [Field]?
    let isRaw: Bool
    private let appearance: Appearance
    /// One post alone is a JSON object, as the API sends it; several are a list.
    private let isSingle: Bool
    private let now: Date

    init(_ invocation: Invocation, format: Format?, fields: [Field]?, _ session: Session, now: Date) {
        self.format = format
        self.fields = fields
        isRaw = invocation.has(.raw)
        appearance = session.appearance
        isSingle = invocation.operands.count == 1 && invocation.operands != ["-"]
        self.now = now
    }

    /// Whether comments can be shown so.
    var hasComments: Bool {
        guard !isRaw else { return false }
        switch format {
        case .json, .jsonl: return fields?.contains(.comments) != false
        case nil: return fields == nil
        case .table, .text, .markdown: return true
        case .tsv, .csv, .ids, .opml: return false
        }
    }

    /// Whether a post is worth showing without its body: to people it is, but programs expect the body.
    var showsSummaries: Bool {
        guard !isRaw, fields == nil else { return false }
        switch format {
        case nil: return appearance.isForPeople
        case .table, .text, .markdown: return true
        case .tsv, .csv, .ids, .json, .jsonl, .opml: return false
        }
    }

    /// The renderer for posts of a source.
    ///
    /// - Parameter hasDiscussions: whether a post there is more than its body, which alone is what a pipe gets of others.
    func renderer(hasDiscussions: Bool) -> any Renderer {
        let isPlain = format == nil && fields == nil && !appearance.isForPeople
        if isRaw || isPlain && !hasDiscussions { return BodyRenderer(isRaw: isRaw) }
        let format = format == .json && isSingle ? .jsonl : format ?? (fields == nil ? .table : .tsv)
        if let renderer = format.renderer(fields: fields, isGrouped: false, isRanked: hasDiscussions) {
            return renderer
        }
        let isBounded = appearance.isTerminal || appearance.isWidthGiven
        return ArticleRenderer(
            width: isPlain
                ? Self.unbounded
                : isBounded && appearance.isWidthGiven
                    ? appearance.width : min(appearance.width, Self.maxColumns),
            codeWidth: isBounded ? appearance.width : nil, isColored: appearance.isColored,
            links: appearance.hasHyperlinks ? .hyperlinks : .numbered, now: now)
    }

    /// Longer lines are hard to read, however wide the terminal.
    private static let maxColumns = 80
    /// In a pipe a paragraph is a line.
    private static let unbounded = 1_000_000
}
