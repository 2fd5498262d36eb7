import BlogCommandLine
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// A post on the screen, followed by its comments.
package struct PostPane: TextScrolling, Sendable {
    /// Its row in the list, or the one that it would have.
    package private(set) var row: ListRow
    /// The number of the request, which tells its lines from those of an earlier one.
    package private(set) var number: Int
    /// The columns that its lines are laid out for.
    package internal(set) var textWidth = 0
    private(set) var text = LineStore()
    /// In the order of the text.
    private var pictures: [PictureRows] = []
    private var comments: [ThreadComment] = []
    /// The comments that aren't folded away, each with its first line, counted from the end of the body.
    private var shownComments: [(index: Int, line: Int)] = []
    private var commentLines = 0
    /// The comments whose replies are folded.
    private var folded: Set<String> = []
    /// The depth of the folded comment whose replies are being appended; nil for none.
    private var foldedDepth: Int?
    package private(set) var isComplete = false
    /// Why it could not be read; nil if it could.
    package private(set) var failure: Message?
    var viewport = Viewport()
    /// The comments that have arrived, which so aren't new next time, wherever the user has scrolled to.
    package private(set) var seenComments: Set<String> = []
    /// The position to return to as soon as its lines have arrived; nil for none.
    private var anchor: Anchor?
    /// How many letters were above the screen when it was last left; nil for none.
    private(set) var lettersReadBefore: Int?
    /// How much of the text has been searched for the anchor.
    private var scanned = (lines: 0, letters: 0)
    var search: LineSearch?
    /// The words of the list's search, which are highlighted unless the post is searched.
    private let listMarks: MarkedWords
    /// The selected link, which Enter opens.
    package private(set) var link: Link?

    /// A picture above a line of the text.
    private struct PictureRows: Sendable {
        let line: Int
        let rows: [StyledText]
        /// Its first line in the body, in which earlier pictures count.
        var start = 0
    }

    private struct ThreadComment: Sendable {
        let comment: Comment
        let lines: [StyledText]
    }

    /// A position that doesn't depend on the width of the lines.
    private enum Anchor: Sendable {
        /// After this number of letters of the body.
        case letters(Int)
        /// A line of the comment with this ID.
        case comment(String, line: Int)
    }

    /// A numbered link of the post or of a comment.
    package struct Link: Hashable, Sendable {
        let line: Int
        /// The columns of its number.
        let columns: Range<Int>
        package let number: Int

        fileprivate func precedes(_ other: Link) -> Bool {
            (line, columns.lowerBound) < (other.line, other.columns.lowerBound)
        }
    }

    package init(_ row: ListRow, number: Int, article: ArticleChoice?, marked: MarkedWords) {
        self.row = row
        self.number = number
        self.article = article
        listMarks = marked
    }

    package var post: PostID { row.id }
    /// Its title on one line.
    package var title: String { row.title }

    /// Marks it if it is one of these posts; false if that changes nothing.
    mutating func apply(_ mark: Mark, to posts: Set<PostID>) -> Bool { posts.contains(post) && row.apply(mark) }

    // MARK: Articles

    /// Whether to show the article that the post links to; nil for the setting of its source.
    package private(set) var article: ArticleChoice?
    /// Whether the text is that article.
    package internal(set) var showsArticle = false
    /// The request whose text replaces the current one as soon as it arrives; nil for none.
    package internal(set) var replacement: PostRequest?

    /// The choice that yields the current text.
    var shownArticle: ArticleChoice? { showsArticle ? .always : article }

    /// Shows the beginning of the ``replacement`` if it has this number.
    private mutating func replace(ifNumbered number: Int) {
        guard let replacement, replacement.number == number else { return }
        let article = replacement.article
        restart(number: number, textWidth: replacement.width)
        (self.article, anchor) = (article, nil)
    }

    // MARK: Results

    /// Takes in a result of loading it, and returns a message about what is missing.
    mutating func receive(_ event: BrowseEvent) -> Message? {
        switch event {
        case .lettersRead(let letters, let number):
            // A post that is laid out anew is where it was.
            guard number == self.number, lettersReadBefore == nil else { break }
            lettersReadBefore = letters
            // The user may have moved meanwhile.
            if !isComplete, top == 0, anchor == nil { anchor = .letters(letters) }
        case .article(let number):
            replace(ifNumbered: number)
            if number == self.number { showsArticle = true }
        case .lines(let lines, let isSummary, let number):
            replace(ifNumbered: number)
            guard number == self.number else { break }
            self.isSummary = isSummary
            append(lines)
        case .picture(let rows, let line, let number):
            if number == self.number { insert(rows, above: line) }
        case .comment(let comment, let lines, let number):
            guard number == self.number else { break }
            seenComments.insert(comment.id)
            append(comment, lines)
        case .postLoaded(let message, let number):
            guard number == self.number else { break }
            finish()
            return message
        case .postFailed(let message, let number):
            if number == self.number { finish(message) }
        default: break
        }
        return nil
    }

    // MARK: Lines

    /// Whether the lines are only a summary, because the text could not be read.
    package internal(set) var isSummary = false
    /// Whether it has been marked as read.
    package internal(set) var isMarkedRead = false
    /// Whether its article was shown and recorded as read.
    var isArticleMarked = false

    package var hasText: Bool { text.count > 0 }

    package var lineCount: Int { bodyCount + commentLines }

    package mutating func append(_ lines: [StyledText]) {
        text.append(lines)
        restorePosition()
    }

    package mutating func append(_ comment: Comment, _ lines: [StyledText]) {
        comments.append(ThreadComment(comment: comment, lines: lines))
        show(comments.count - 1)
        restorePosition()
    }

    package mutating func finish(_ failure: Message? = nil) {
        if let failure { self.failure = failure }
        isComplete = true
        restorePosition()
        anchor = nil
    }

    /// Starts again with lines of another width, and returns to the same position.
    package mutating func restart(number: Int, textWidth: Int) {
        // A window that is dragged changes its size again before the lines have arrived.
        anchor = anchor ?? currentAnchor
        scanned = (0, 0)
        article = replacement?.article ?? article
        self.number = number
        self.textWidth = textWidth
        (text, pictures, comments, shownComments, commentLines) = (LineStore(), [], [], [], 0)
        (isComplete, failure, link, viewport.top, foldedDepth) = (false, nil, nil, 0, nil)
        (showsArticle, replacement) = (false, nil)
    }

    /// The position at the top of the screen; nil at the beginning.
    private var currentAnchor: Anchor? {
        guard top >= bodyCount, !shownComments.isEmpty else {
            let lines = top - pictures.filter { $0.start < top }.reduce(0) { $0 + $1.rows.count }
            return lines > 0 ? .letters((0..<lines).reduce(0) { $0 + Self.letterCount(text[$1]) }) : nil
        }
        let shown = shownComments[shownIndex(at: top - bodyCount)]
        return .comment(comments[shown.index].comment.id, line: top - bodyCount - shown.line)
    }

    /// How many letters are above the screen; nil at the beginning, at the end, in a text of less than three screens, and as
    /// long as it isn't known.
    var lettersRead: Int? {
        guard isComplete, failure == nil, !isSummary, anchor == nil else { return lettersReadBefore }
        guard !isAtEnd, bodyCount > 3 * viewport.height, case .letters(let letters)? = currentAnchor else { return nil }
        return letters
    }

    private mutating func restorePosition() {
        // The lines below must fill the screen, or else it would not be at the top.
        guard let line = anchorLine, isComplete || line + viewport.height <= lineCount else { return }
        viewport.top = min(line, farthestTop)
        anchor = nil
    }

    /// The line of the anchor; nil if it has not arrived.
    private var anchorLine: Int? {
        mutating get {
            switch anchor {
            case nil: return nil
            case .letters(let count):
                while scanned.letters < count, scanned.lines < text.count {
                    scanned.letters += Self.letterCount(text[scanned.lines])
                    scanned.lines += 1
                }
                return scanned.letters >= count ? scanned.lines : nil
            case .comment(let id, let line):
                let shown = shownComments.last { comments[$0.index].comment.id == id }
                return shown.map { bodyCount + $0.line + min(line, comments[$0.index].lines.count - 1) }
            }
        }
    }

    /// The number of letters in a line, without spaces and box-drawing characters, which depend on the width.
    private static func letterCount(_ line: StyledText) -> Int {
        line.plain.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2F && !(0x2500...0x257F).contains($1.value) ? 1 : 0) }
    }

    /// A line of the body or of a comment.
    func line(_ number: Int) -> StyledText {
        guard number >= bodyCount else { return bodyLine(number) }
        let offset = number - bodyCount
        let shown = shownComments[shownIndex(at: offset)]
        return lines(ofComment: shown.index)[offset - shown.line]
    }

    // MARK: Pictures

    /// Inserts a picture above a line of the text, without moving what is on the screen below it.
    package mutating func insert(_ rows: [StyledText], above line: Int) {
        let index = pictures.firstIndex { $0.line > line } ?? pictures.count
        pictures.insert(PictureRows(line: line, rows: rows), at: index)
        var count = 0
        for index in pictures.indices {
            pictures[index].start = pictures[index].line + count
            count += pictures[index].rows.count
        }
        if pictures[index].start < top { viewport.top += rows.count }
        link = nil
    }

    /// The number of lines of the body, including pictures.
    private var bodyCount: Int { text.count + pictures.reduce(0) { $0 + $1.rows.count } }

    private func bodyLine(_ number: Int) -> StyledText {
        guard let picture = pictures.last(where: { $0.start <= number }) else { return text[number] }
        let row = number - picture.start
        return row < picture.rows.count ? picture.rows[row] : text[picture.line + row - picture.rows.count]
    }

    // MARK: Comments

    /// The lines of a comment, with the number of folded replies.
    private func lines(ofComment index: Int) -> [StyledText] {
        let (comment, lines) = (comments[index].comment, comments[index].lines)
        guard folded.contains(comment.id) else { return lines }
        let hidden = replyCount(ofComment: index)
        return lines.enumerated().map { $0 == 1 ? $1 + StyledText(" [+\(hidden)]", .unread) : $1 }
    }

    /// The number of direct and indirect replies that have arrived.
    private func replyCount(ofComment index: Int) -> Int {
        comments[(index + 1)...].prefix { $0.comment.depth > comments[index].comment.depth }.count
    }

    private mutating func show(_ index: Int) {
        let comment = comments[index].comment
        if let depth = foldedDepth {
            if comment.depth > depth { return }
            foldedDepth = nil
        }
        if folded.contains(comment.id) { foldedDepth = comment.depth }
        shownComments.append((index, commentLines))
        commentLines += comments[index].lines.count
    }

    private mutating func showAllComments() {
        (shownComments, commentLines, foldedDepth, link) = ([], 0, nil, nil)
        for index in comments.indices { show(index) }
        move(by: 0)
    }

    /// The index in ``shownComments`` of the comment at a line, counted from the end of the body.
    private func shownIndex(at line: Int) -> Int { max(shownComments.partitioningIndex { $0.line > line } - 1, 0) }

    /// The depth of the comment whose heading is on a line; nil for any other line.
    func depth(ofCommentAt line: Int) -> Int? {
        guard line > bodyCount, !shownComments.isEmpty else { return nil }
        let shown = shownComments[shownIndex(at: line - bodyCount - 1)]
        return bodyCount + shown.line + 1 == line ? comments[shown.index].comment.depth : nil
    }

    /// The index in ``shownComments`` of the comment that keys apply to: the first one that begins on the screen, or the
    /// one that fills it.
    private var currentComment: Int? {
        guard !shownComments.isEmpty, top + viewport.height > bodyCount else { return nil }
        let offset = max(top - bodyCount, 0)
        let index = shownIndex(at: offset)
        // Skip a comment whose heading, which follows an empty line, is above the screen.
        if shownComments[index].line + 1 < offset, index + 1 < shownComments.count,
            shownComments[index + 1].line < top + viewport.height - bodyCount
        {
            return index + 1
        }
        return index
    }

    /// Folds or unfolds the replies to the current comment; false if it has none.
    package mutating func foldBranch() -> Bool {
        guard let current = currentComment.map({ shownComments[$0].index }), replyCount(ofComment: current) > 0 else {
            return false
        }
        let id = comments[current].comment.id
        if folded.remove(id) == nil { folded.insert(id) }
        showAllComments()
        return true
    }

    /// Folds the replies to all top-level comments, or unfolds everything; the current comment stays in view.
    package mutating func foldAll() {
        let current = currentComment.map { shownComments[$0].index }
        let roots = comments.indices.filter { comments[$0].comment.depth == 0 && replyCount(ofComment: $0) > 0 }
        let all = Set(roots.map { comments[$0].comment.id })
        folded = folded.isSuperset(of: all) ? [] : folded.union(all)
        showAllComments()
        guard let current, top + viewport.height > bodyCount else { return }
        if let shown = shownComments.last(where: { $0.index <= current }) { scrollToComment(bodyCount + shown.line) }
    }

    package mutating func goToComment(forward: Bool) {
        let roots = shownComments.filter { comments[$0.index].comment.depth == 0 }.map { bodyCount + $0.line }
        let target = forward ? roots.first { $0 > top } : roots.last { $0 < top }
        if let target { scrollToComment(target) }
    }

    /// Scrolls a comment to the top of the screen, even if less than a screen follows.
    private mutating func scrollToComment(_ line: Int) {
        (viewport.top, anchor) = (min(max(line, 0), farthestTop), nil)
    }

    // MARK: Scrolling

    package mutating func resize(_ height: Int) {
        viewport.height = height
        move(by: 0)
    }

    private var top: Int { viewport.top }
    private var lastTop: Int { viewport.lastTop(of: lineCount) }
    /// The last top that jumping to a comment can lead to.
    private var farthestTop: Int { max(lastTop, shownComments.last.map { bodyCount + $0.line } ?? 0) }
    package var isAtEnd: Bool { isComplete && top >= lastTop }

    /// Whether an action needs lines that have not arrived.
    func lacksLines(for action: Action) -> Bool {
        let step = action == .readOn ? viewport.page : action.distance(page: viewport.page)
        guard !isComplete, let step, step > 0 else { return false }
        return top + step > lastTop
    }

    /// How much of it is above the bottom of the screen, in percent.
    package var percent: Int { lineCount == 0 ? 100 : min((top + viewport.height) * 100 / lineCount, 100) }

    package mutating func move(to line: Int) {
        viewport.top = min(max(line, 0), lastTop)
        anchor = nil
    }

    package mutating func move(by lines: Int) {
        let old = top
        viewport.top = min(max(top + lines, 0), max(lastTop, min(top, farthestTop)))
        // The user has chosen another position than the one to return to.
        if lines != 0, top != old { anchor = nil }
    }

    // MARK: Links

    /// Selects the next numbered link from the screen on; false if there is none.
    package mutating func selectLink(forward: Bool) -> Bool {
        let current = link.flatMap { visibleLines.contains($0.line) ? $0 : nil }
        let start = current?.line ?? (forward ? visibleLines.lowerBound : visibleLines.upperBound - 1)
        for number in stride(from: start, through: forward ? lineCount - 1 : 0, by: forward ? 1 : -1) {
            let links = links(ofLine: number)
            let next =
                forward
                ? links.first { candidate in current.map { $0.precedes(candidate) } ?? true }
                : links.last { candidate in current.map { candidate.precedes($0) } ?? true }
            guard let next else { continue }
            link = next
            if !visibleLines.contains(number) { move(to: number - viewport.height / 2) }
            return true
        }
        return false
    }

    /// Whether any link that arrived so far can be selected.
    var hasLinks: Bool { (0..<lineCount).contains { !links(ofLine: $0).isEmpty } }

    package mutating func deselectLink() { link = nil }

    /// Selects the link with a number, the first one on the screen or below, or else above; false if there is none.
    package mutating func selectLink(numbered number: Int) -> Bool {
        guard let found = findLink(numbered: number) else { return false }
        link = found
        if !visibleLines.contains(found.line) { move(to: found.line - viewport.height / 2) }
        return true
    }

    private func findLink(numbered number: Int) -> Link? {
        let label = "[\(number)]"
        let start = visibleLines.lowerBound
        for index in [start..<lineCount, 0..<start].joined() where line(index).plain.contains(label) {
            if let found = links(ofLine: index).first(where: { $0.number == number }) { return found }
        }
        return nil
    }

    /// Whether the selected link is in a comment.
    package var hasLinkInComment: Bool { link.map { $0.line >= bodyCount } ?? false }

    /// The address of the selected link, if it is in a comment and safe to open.
    package var addressInComment: String? {
        guard let link, hasLinkInComment else { return nil }
        let comment = comments[shownComments[shownIndex(at: link.line - bodyCount)].index].comment
        let targets = DocumentRenderer.targets(of: BodyText.document(of: comment))
        return targets.indices.contains(link.number - 1) ? LinkTarget.safe(targets[link.number - 1]) : nil
    }

    /// The numbers in brackets that follow links in a line, or at the end of the line before it; but not those of the
    /// addresses below a post.
    private func links(ofLine number: Int) -> [Link] {
        let plain = line(number).plain
        return plain.matches(of: #/\[(\d{1,4})\]/#).compactMap { match in
            guard let value = Int(match.1) else { return nil }
            if match.range.lowerBound == plain.startIndex {
                let isAddress = plain[match.range.upperBound...].wholeMatch(of: #/ [a-z]+:\S+/#) != nil
                guard !isAddress, number > 0, !line(number - 1).isEmpty else { return nil }
            }
            let start = DisplayWidth.of(plain[..<match.range.lowerBound])
            return Link(line: number, columns: start..<start + match.0.count, number: value)
        }
    }

    // MARK: View

    func draw(in frame: inout Frame, _ area: Area) {
        guard !area.isEmpty else { return }
        let margin = max((area.width - textWidth) / 2, 0)
        let marked = search?.marked ?? listMarks
        let current = currentComment.map { bodyCount + shownComments[$0].line + 1 }
        for (screenLine, index) in visibleLines.enumerated() {
            frame.write(marked.marking(line(index)), line: screenLine, in: area, margin: margin)
            if index == current, margin > 0 || area.column > 0 {
                frame.write("▸", row: area.row + screenLine, column: area.column + max(margin - 2, 0))
            }
            if let link, link.line == index {
                let start = area.column + margin
                frame.reverse(
                    row: area.row + screenLine,
                    columns: start + link.columns.lowerBound..<start + link.columns.upperBound)
            }
        }
        if let failure {
            let lines = failure.text.split(separator: "\n").flatMap { StyledText(String($0)).wrapped(to: textWidth) }
            let first = lineCount == 0 ? 0 : lineCount - top + 1
            for (number, line) in lines.enumerated() {
                frame.write(line, line: first + number, in: area, margin: margin)
            }
        } else if !hasText, !isComplete {
            let title = StyledText(title, .title).wrapped(to: textWidth)
            for (number, line) in (title + ["", StyledText("Loading…", .muted)]).enumerated() {
                frame.write(line, line: number, in: area, margin: margin)
            }
        }
    }
}
