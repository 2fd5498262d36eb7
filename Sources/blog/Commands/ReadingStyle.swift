import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogRendering
import BlogTerminal

/// The look of posts that are read, decided once.
struct ReadingStyle {
    let format: Format?
    let fields: [Field]?
    let isRaw: Bool
    /// Whether only bodies are wanted.
    private let isBodyOnly: Bool
    private let marked: MarkedWords
    private let pages: PageOptions
    private let appearance: Appearance
    /// One post alone is a JSON object, as the API sends it; several are a list.
    private let isSingle: Bool
    private let now: Date

    init(_ invocation: Invocation, format: Format?, fields: [Field]?, _ session: Session, now: Date) {
        self.format = format
        self.fields = fields
        isRaw = invocation.has(.raw)
        isBodyOnly = invocation.has(.body)
        marked = invocation[.markWords].map { MarkedWords(search: $0) } ?? MarkedWords()
        appearance = session.appearance
        pages = session.pages.options
        isSingle =
            invocation.operands.count == 1 && invocation.operands != ["-"]
            && PostReference(invocation.operands[0])?.isPlural != true
        self.now = now
    }

    /// Whether comments are shown.
    var hasComments: Bool {
        guard !isRaw, !isBodyOnly else { return false }
        if format == .json || format == .jsonl { return fields?.contains(.comments) != false }
        return isForReaders && fields == nil
    }

    /// Whether a summary may replace a missing body: programs that ask for bodies or fields expect the real ones.
    var showsSummaries: Bool { isForReaders && fields == nil && !isRaw && !isBodyOnly }

    /// Whether whole posts are shown, and not their parts.
    private var isForReaders: Bool { [nil, .text, .markdown, .html].contains(format) }

    /// Whether posts are shown for people to read.
    var isForScreen: Bool { format == nil && fields == nil && !isRaw && !isBodyOnly }

    /// The places that a pager can jump to.
    func stop(hasComments: Bool) -> PagerPrompt.Stop? { hasComments ? .comment : isSingle ? nil : .article }
    /// Whether pictures are shown: only in the format for people.
    var showsPictures: Bool { appearance.hasPictures && !isRaw && !isBodyOnly && format == nil && fields == nil }

    /// The columns that text may fill.
    var columns: Int { appearance.isWidthGiven ? appearance.width : min(appearance.width, Self.maxColumns) }

    /// The caption of a late picture.
    func caption(_ place: PicturePlace) -> StyledText {
        let address = place.urls.first?.absoluteString ?? ""
        let link = StyledText(address, .link)
        let name = place.name.isEmpty ? StyledText() : StyledText(place.name, .image) + " "
        return [name + (appearance.hasHyperlinks ? link.linked(to: address) : link)].lines
    }

    /// The renderer for posts of a source.
    ///
    /// A pipe gets the body alone, unless the source has comments.
    func renderer(for capabilities: Capabilities) -> any PostRenderer {
        if isRaw || isBodyOnly { return BodyRenderer(isRaw: isRaw) }
        let isPlain = format == nil && fields == nil && !appearance.isForPeople
        let format = format == .json && isSingle ? .jsonl : format ?? (fields == nil ? .text : .tsv)
        if format == .html { return PostPageRenderer(pages, marked: marked) }
        if isPlain && !capabilities.hasComments {
            return Self.plainRenderer(for: capabilities, appearance, now: now)
        }
        if let renderer = format.renderer(fields: fields, isGrouped: false, isCSVSafe: appearance.isCSVSafe) {
            return renderer
        }
        let isBounded = appearance.isTerminal || appearance.isWidthGiven
        return PostTextRenderer(
            appearance.screen(
                now: now, width: isPlain ? Self.unbounded : columns, isForPrograms: isPlain, hasPictures: showsPictures),
            codeWidth: isBounded ? appearance.width : nil, marked: marked)
    }

    /// The renderer for the next program: the text, with comments if the source has any.
    static func plainRenderer(for capabilities: Capabilities, _ appearance: Appearance, now: Date) -> any PostRenderer {
        guard capabilities.hasComments else {
            return BodyRenderer(isRaw: false, hasHead: true)
        }
        return PostTextRenderer(
            appearance.plainScreen(now: now), codeWidth: nil)
    }

    /// Longer lines are hard to read, however wide the terminal.
    static let maxColumns = 80
    /// In a pipe a paragraph is a line.
    private static let unbounded = 1_000_000
}
