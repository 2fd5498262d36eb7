import BlogLibrary
import Markup
import Model
import Rendering
import Store
import Terminal

/// A post on the screen, with the comments on it.
package struct PostPane: Sendable {
    package let post: PostID
    /// Its title, on one line.
    package let title: String
    /// The number of the reading, so that lines of an earlier one are told apart.
    package internal(set) var number: Int
    /// The columns for which its lines are made.
    package private(set) var textWidth: Int
    private(set) var text = LineStore()
    /// The pictures between lines of the text, in their order.
    private var pictures: [PictureRows] = []
    private var comments: [ThreadComment] = []
    /// The comments that are shown, each with the number of its first line behind the body.
    private var shownComments: [(comment: Int, line: Int)] = []
    private var commentLines = 0
    /// The comments whose replies are folded.
    private var folded: Set<String> = []
    /// The depth of the folded comment that hides what comes now; nil for none.
    private var hiddenBelow: Int?
    /// Whether all of it is there.
    package private(set) var isComplete = false
    /// What is wrong with it; nil for nothing.
    package internal(set) var failure: Message?
    private var top = 0
    private var height = 1
    /// The comments that were on the screen.
    package private(set) var seenComments: Set<String> = []
    /// The place to go back to when its lines have come; nil for none.
    private var wanted: Place?
    /// How many lines were looked at for it, and the letters in them.
    private var searched = (lines: 0, letters: 0)
    /// The text that was looked for; nil for none.
    package var sought: String? { search?.text }
    private var search: SoughtText?
    /// The words of a search in the list, which are marked unless a text is looked for.
    private let listMarks: MarkedWords
    /// The link that Enter opens; nil for none.
    package private(set) var link: Link?

    /// A picture above a line of the text.
    private struct PictureRows: Sendable {
        let line: Int
        let rows: [StyledText]
        /// Where it begins among all lines of the body.
        var start = 0
    }

    /// A comment and its lines.
    private struct ThreadComment: Sendable {
        let comment: Comment
        let lines: [StyledText]
    }

    /// A place that is the same in lines of any width.
    private enum Place: Sendable {
        /// Behind so many letters of the body.
        case letters(Int)
        /// A line of a comment.
        case comment(String, line: Int)
    }

    /// A numbered link of the post, or of a comment.
    package struct Link: Hashable, Sendable {
        let line: Int
        /// The columns of its number.
        let columns: Range<Int>
        package let number: Int
    }

    package init(_ row: ListRow, number: Int, textWidth: Int, marked: MarkedWords) {
        post = row.id
        title = row.title
        self.number = number
        self.textWidth = textWidth
        listMarks = marked
    }

    // MARK: Articles

    /// Whether the article behind its link was asked for; nil for what holds for its source.
    package internal(set) var article: ArticleChoice?
    /// Whether its text is that article.
    package internal(set) var showsArticle = false
    /// The reading whose text replaces the one that is shown as soon as it comes; nil for none.
    package internal(set) var awaited: PostRequest?

    /// The choice that gives the text that is shown.
    var shownArticle: ArticleChoice? { showsArticle ? .always : article }

    /// Shows the beginning of another text of the post.
    mutating func replace(with request: PostRequest) {
        restart(number: request.number, textWidth: request.width)
        (article, wanted) = (request.article, nil)
    }

    // MARK: Lines

    /// Whether only a summary of it has come, as its text can't be had.
    package internal(set) var isSummary = false
    /// Whether it was noted that it was on the screen.
    package internal(set) var isNoted = false

    /// Whether any of its text has come.
    package var hasText: Bool { text.count > 0 }

    /// How many lines are there.
    package var lineCount: Int { bodyCount + commentLines }

    package mutating func append(_ lines: [StyledText]) {
        text.append(lines)
        restore()
    }

    package mutating func append(_ comment: Comment, _ lines: [StyledText]) {
        comments.append(ThreadComment(comment: comment, lines: lines))
        show(comments.count - 1)
        restore()
    }

    package mutating func end() {
        isComplete = true
        restore()
        wanted = nil
    }

    /// Starts again with lines of another width, and comes back to the same place.
    package mutating func restart(number: Int, textWidth: Int) {
        // A window that is dragged changes its size again before the lines have come.
        wanted = wanted ?? place
        searched = (0, 0)
        self.number = number
        self.textWidth = textWidth
        (text, pictures, comments, shownComments, commentLines) = (LineStore(), [], [], [], 0)
        (isComplete, failure, link, top, hiddenBelow) = (false, nil, nil, 0, nil)
        (showsArticle, awaited) = (false, nil)
    }

    /// The place at the top of the screen; nil for the beginning.
    private var place: Place? {
        guard top >= bodyCount, !shownComments.isEmpty else {
            let lines = top - pictures.filter { $0.start < top }.reduce(0) { $0 + $1.rows.count }
            return lines > 0 ? .letters((0..<lines).reduce(0) { $0 + Self.letters(text[$1]) }) : nil
        }
        let shown = shownComments[shownIndex(at: top - bodyCount)]
        return .comment(comments[shown.comment].comment.id, line: top - bodyCount - shown.line)
    }

    private mutating func restore() {
        // What comes below it has to fill the screen, or else the place would be further up.
        guard let target = wantedTop, isComplete || target + height <= lineCount else { return }
        top = min(target, farthestTop)
        wanted = nil
    }

    /// The first line of the screen at the place to go back to; nil if it has not come.
    private var wantedTop: Int? {
        mutating get {
            switch wanted {
            case nil: return nil
            case .letters(let count):
                while searched.letters < count, searched.lines < text.count {
                    searched.letters += Self.letters(text[searched.lines])
                    searched.lines += 1
                }
                return searched.letters >= count ? searched.lines : nil
            case .comment(let id, let line):
                let shown = shownComments.last { comments[$0.comment].comment.id == id }
                return shown.map { bodyCount + $0.line + min(line, comments[$0.comment].lines.count - 1) }
            }
        }
    }

    /// The letters of a line that are the same at any width.
    private static func letters(_ line: StyledText) -> Int {
        // How many lines are drawn depends on the width.
        line.plain.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2F && !(0x2500...0x257F).contains($1.value) ? 1 : 0) }
    }

    /// A line of the body or of a comment.
    func line(_ number: Int) -> StyledText {
        guard number >= bodyCount else { return bodyLine(number) }
        let offset = number - bodyCount
        let place = shownComments[shownIndex(at: offset)]
        return lines(of: place.comment)[offset - place.line]
    }

    // MARK: Pictures

    /// Puts a picture above a line of the text; what is on the screen below it stays there.
    package mutating func insert(_ rows: [StyledText], above line: Int) {
        let index = pictures.firstIndex { $0.line > line } ?? pictures.count
        pictures.insert(PictureRows(line: line, rows: rows), at: index)
        var count = 0
        for index in pictures.indices {
            pictures[index].start = pictures[index].line + count
            count += pictures[index].rows.count
        }
        if pictures[index].start < top { top += rows.count }
        link = nil
    }

    /// How many lines the body has, with its pictures.
    private var bodyCount: Int { text.count + pictures.reduce(0) { $0 + $1.rows.count } }

    private func bodyLine(_ number: Int) -> StyledText {
        guard let picture = pictures.last(where: { $0.start <= number }) else { return text[number] }
        let row = number - picture.start
        return row < picture.rows.count ? picture.rows[row] : text[picture.line + row - picture.rows.count]
    }

    // MARK: Comments

    /// The lines of a comment, with the number of replies that are folded.
    private func lines(of index: Int) -> [StyledText] {
        let (comment, lines) = (comments[index].comment, comments[index].lines)
        guard folded.contains(comment.id) else { return lines }
        let hidden = replyCount(of: index)
        return lines.enumerated().map { $0 == 1 ? $1 + StyledText(" [+\(hidden)]", .unread) : $1 }
    }

    /// How many replies to a comment have come, and replies to those.
    private func replyCount(of index: Int) -> Int {
        comments[(index + 1)...].prefix { $0.comment.depth > comments[index].comment.depth }.count
    }

    private mutating func show(_ index: Int) {
        let comment = comments[index].comment
        if let depth = hiddenBelow {
            if comment.depth > depth { return }
            hiddenBelow = nil
        }
        if folded.contains(comment.id) { hiddenBelow = comment.depth }
        shownComments.append((index, commentLines))
        commentLines += comments[index].lines.count
    }

    private mutating func showAll() {
        (shownComments, commentLines, hiddenBelow, link) = ([], 0, nil, nil)
        for index in comments.indices { show(index) }
        scroll(by: 0)
    }

    /// The place in ``shownComments`` of the comment with a line behind the body.
    private func shownIndex(at offset: Int) -> Int {
        var (low, high) = (0, shownComments.count)
        while low < high {
            let middle = (low + high) / 2
            if shownComments[middle].line <= offset { low = middle + 1 } else { high = middle }
        }
        return max(low - 1, 0)
    }

    /// The depth of the comment whose head a line is; nil for any other line.
    func depth(ofCommentAt line: Int) -> Int? {
        guard line > bodyCount, !shownComments.isEmpty else { return nil }
        let place = shownComments[shownIndex(at: line - bodyCount - 1)]
        return bodyCount + place.line + 1 == line ? comments[place.comment].comment.depth : nil
    }

    /// The comment that the keys are about: the first one that begins on the screen, or else fills it; nil for none.
    private var currentComment: Int? {
        guard !shownComments.isEmpty, top + height > bodyCount else { return nil }
        let offset = max(top - bodyCount, 0)
        let index = shownIndex(at: offset)
        // A comment of which only the end is seen isn't meant; above its head is an empty line.
        if shownComments[index].line + 1 < offset, index + 1 < shownComments.count,
            shownComments[index + 1].line < top + height - bodyCount
        {
            return index + 1
        }
        return index
    }

    /// Folds or unfolds the replies to the current comment; false if it has none.
    package mutating func foldBranch() -> Bool {
        guard let current = currentComment.map({ shownComments[$0].comment }), replyCount(of: current) > 0 else {
            return false
        }
        let id = comments[current].comment.id
        if folded.remove(id) == nil { folded.insert(id) }
        showAll()
        return true
    }

    /// Folds the replies to all comments on the post itself, or unfolds everything; the current comment stays in sight.
    package mutating func foldAll() {
        let current = currentComment.map { shownComments[$0].comment }
        let roots = comments.indices.filter { comments[$0].comment.depth == 0 }
        folded =
            folded.isEmpty ? Set(roots.filter { replyCount(of: $0) > 0 }.map { comments[$0].comment.id }) : []
        showAll()
        guard let current, top + height > bodyCount else { return }
        if let place = shownComments.last(where: { $0.comment <= current }) { goToLine(bodyCount + place.line) }
    }

    package mutating func goToComment(forward: Bool) {
        let roots = shownComments.filter { comments[$0.comment].comment.depth == 0 }.map { bodyCount + $0.line }
        let target = forward ? roots.first { $0 > top } : roots.last { $0 < top }
        if let target { goToLine(target) }
    }

    /// Puts a line of a comment at the top of the screen, even if less than a screen is below it.
    private mutating func goToLine(_ line: Int) { (top, wanted) = (min(max(line, 0), farthestTop), nil) }

    // MARK: Moving

    package mutating func resize(_ height: Int) {
        self.height = max(height, 1)
        scroll(by: 0)
    }

    private var lastTop: Int { max(lineCount - height, 0) }
    /// The same where a comment may be put at the top.
    private var farthestTop: Int { max(lastTop, shownComments.last.map { bodyCount + $0.line } ?? 0) }
    /// The lines on the screen.
    var shown: Range<Int> { top..<max(min(top + height, lineCount), top) }
    package var isAtEnd: Bool { isComplete && isAtLastLine }
    /// Whether the last line that has come is on the screen.
    private var isAtLastLine: Bool { top >= lastTop }
    /// Whether so many lines more can be scrolled to.
    func has(linesBelow count: Int) -> Bool { top + count <= lastTop }
    package var page: Int { max(height - 1, 1) }
    /// How much of it is above the end of the screen, in percent.
    package var percent: Int { lineCount == 0 ? 100 : min((top + height) * 100 / lineCount, 100) }

    package mutating func scroll(to line: Int) {
        top = min(max(line, 0), lastTop)
        wanted = nil
    }

    package mutating func scroll(by lines: Int) {
        top = min(max(top + lines, 0), max(lastTop, min(top, farthestTop)))
    }

    /// Notes that the comments on the screen were seen.
    package mutating func noteSeen() {
        let last = top + height - bodyCount
        guard !shownComments.isEmpty, last > 0 else { return }
        for place in shownComments[shownIndex(at: max(top - bodyCount, 0))...].prefix(while: { $0.line + 1 < last }) {
            seenComments.insert(comments[place.comment].comment.id)
        }
    }

    // MARK: Finding

    /// Looks for a text from here on; whether it is there.
    package mutating func find(_ text: String) -> Bool {
        search = SoughtText(text)
        let (shown, count, pane) = (shown, lineCount, self)
        return search == nil || go(to: search?.first(shown: shown, of: count, line: pane.line))
    }

    /// Goes to the next line with the text that was looked for, around the end; false if there is none.
    package mutating func findNext(forward: Bool) -> Bool {
        let (shown, count, pane) = (shown, lineCount, self)
        return go(to: search?.next(forward: forward, shown: shown, of: count, line: pane.line))
    }

    private mutating func go(to line: Int?) -> Bool {
        if let line { scroll(to: line) }
        return line != nil
    }

    // MARK: Links

    /// Goes to the next numbered link, from the screen on; false if there is none.
    package mutating func selectLink(forward: Bool) -> Bool {
        let link = link.flatMap { shown.contains($0.line) ? $0 : nil }
        let start = link?.line ?? (forward ? shown.lowerBound : shown.upperBound - 1)
        for number in forward ? Array(start..<lineCount) : Array((0..<start + 1).reversed()) {
            let found = Self.links(in: line(number), number)
            let candidates = forward ? found : found.reversed()
            let next = candidates.first { candidate in
                guard let link, link.line == number else { return true }
                return forward
                    ? candidate.columns.lowerBound > link.columns.lowerBound
                    : candidate.columns.lowerBound < link.columns.lowerBound
            }
            guard let next else { continue }
            self.link = next
            if !(top..<top + height).contains(next.line) { scroll(to: next.line - height / 2) }
            return true
        }
        return false
    }

    package mutating func deselectLink() { link = nil }

    /// Whether the link that is selected is one of a comment.
    package var hasLinkInComment: Bool { link.map { $0.line >= bodyCount } ?? false }

    /// The address of the link that is selected, if it is one of a comment and a browser can open it.
    package var addressInComment: String? {
        guard let link, hasLinkInComment else { return nil }
        let comment = comments[shownComments[shownIndex(at: link.line - bodyCount)].comment].comment
        let targets = DocumentRenderer.targets(of: BodyText.document(of: comment))
        return targets.indices.contains(link.number - 1) ? LinkTarget.safe(targets[link.number - 1]) : nil
    }

    /// The numbers in brackets behind links.
    private static func links(in line: StyledText, _ number: Int) -> [Link] {
        let plain = line.plain
        return plain.matches(of: #/\[(\d{1,4})\]/#).compactMap { match in
            guard let value = Int(match.1), match.range.lowerBound != plain.startIndex else { return nil }
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
        for number in 0..<min(height, max(lineCount - top, 0)) {
            let index = top + number
            frame.write(marked.marking(line(index)), line: number, in: area, margin: margin)
            if index == current, margin > 0 || area.column > 0 {
                frame.write("▸", row: area.row + number, column: area.column + max(margin - 2, 0))
            }
            if let link, link.line == index {
                let start = area.column + margin
                frame.reverse(
                    row: area.row + number, columns: start + link.columns.lowerBound..<start + link.columns.upperBound)
            }
        }
        if let failure {
            let lines = failure.text.split(separator: "\n").flatMap { StyledText(String($0)).wrapped(to: textWidth) }
            let first = lineCount == 0 ? 0 : lineCount - top + 1
            for (number, line) in lines.enumerated() {
                frame.write(line, line: first + number, in: area, margin: margin)
            }
        } else if !hasText, !isComplete {
            frame.write(StyledText("Loading…", .muted), line: 0, in: area, margin: margin)
        }
    }
}
