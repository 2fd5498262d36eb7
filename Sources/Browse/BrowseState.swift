import BlogLibrary
import Model
import Rendering
import Store
import Terminal

/// Everything the full-screen reader knows and shows: pure, with no terminal, no store and no clock.
///
/// ``handle(_:)`` takes what happens and returns the work that is wanted; ``frame()`` is the screen.
package struct BrowseState: Sendable {
    package internal(set) var size: ScreenSize
    let keys: KeyMap
    /// How dates are written, with the time that ages are relative to.
    package var dates: DateText
    package internal(set) var list: ListPane
    /// The lists below a search, to come back to.
    var earlierLists: [ListPane] = []
    package internal(set) var post: PostPane?
    package internal(set) var sources = SourcesPane()
    /// The help, or the output of a command, on top of the rest.
    package internal(set) var text: TextPane?
    package internal(set) var focus = Focus.list
    package internal(set) var prompt: Prompt?
    /// The last result, until the next key.
    package internal(set) var notice: Message?
    /// How many of how many sources are refreshed; nil while none is.
    var progress: (done: Int, count: Int)?
    /// Whether somebody asked for a refresh and waits for its result.
    var isRefreshAwaited = false
    /// Whether the refresh of the start is still under way.
    package internal(set) var isStarting = false
    /// How many posts came since the list was made.
    package internal(set) var newPosts = 0
    /// The marks that can be undone here, the last one last.
    var marks: [Marked] = []
    /// What to do when more rows have come.
    var pending: Pending?
    /// Keys that wait for rows or lines, so that none is lost that was typed ahead.
    private var held: [Key] = []
    /// The command whose output is awaited; nil for none.
    var runningCommand: String?
    /// Whether the next step from the end of the list leads to another list.
    var isNextListOffered = false
    /// Up to which place of a ranking posts were asked for.
    private var fetchedUpTo = 0
    private var isFetching = false
    /// The name of what the list shows.
    var place: String
    /// Whether list and post are side by side; nil where the width decides.
    var isSplit: Bool?
    /// Whether the sources are shown beside the list; nil where the width decides.
    var showsSources: Bool?
    private var lastNumber = 0

    package enum Focus: Sendable {
        case sources, list, post
    }

    /// A mark that was made here, with the posts that did not have it before.
    struct Marked: Sendable {
        let mark: Mark
        let posts: Set<PostID>
    }

    enum Pending: Sendable {
        /// Go to the next unread post behind a row, and open it.
        case unread(after: Int, opens: Bool)
        case markShown
        case markBelow
        case end
    }

    /// The state at the start, and the work that is wanted first.
    ///
    /// - Parameters:
    ///   - place: the name of what is listed.
    ///   - opensFirst: whether the first post is opened at once.
    package static func start(
        _ request: ListRequest, place: String, size: ScreenSize, keys: KeyMap = KeyMap(), dates: DateText,
        opensFirst: Bool = false, refreshes: Bool = true
    ) -> (BrowseState, [BrowseEffect]) {
        var state = BrowseState(
            size: size, keys: keys, dates: dates, list: ListPane(request, number: 0), place: place)
        if opensFirst { state.pending = .unread(after: -1, opens: true) }
        var effects = state.load(request, keepsPost: false) + [.sources]
        if refreshes { effects.append(.refresh(request.scope, isForced: false)) }
        state.isStarting = refreshes
        state.layOut()
        return (state, effects)
    }

    private init(size: ScreenSize, keys: KeyMap, dates: DateText, list: ListPane, place: String) {
        self.size = size
        self.keys = keys
        self.dates = dates
        self.list = list
        self.place = place
    }

    // MARK: Events

    /// Takes what happened, and returns the work that is wanted.
    package mutating func handle(_ event: BrowseEvent) -> [BrowseEffect] {
        var effects: [BrowseEffect] = []
        switch event {
        case .key(let key): effects = take(key)
        case .paste(let text): prompt?.insert(text)
        case .resized(let size): effects = resize(size)
        case .rows(let rows, let isEnd, let number): effects = add(rows, isEnd: isEnd, to: number)
        case .listFailed(let message, let number):
            guard number == list.number else { break }
            list.fail(message)
            (notice, pending) = (message, nil)
        case .counts(let counts, let number): if number == list.number { list.counts = counts }
        case .article(let number):
            showAwaitedText(number)
            if number == post?.number { post?.showsArticle = true }
        case .articleFailed(let message, let number):
            guard number == post?.number || number == post?.awaited?.number else { break }
            notice = message
            guard number == post?.awaited?.number, let open = post else { break }
            post?.awaited = nil
            // The reading of its own text was ended for that of the article.
            if !open.isComplete { effects = readAgain(width: open.textWidth) }
        case .lines(let lines, let isSummary, let number):
            showAwaitedText(number)
            guard number == post?.number else { break }
            post?.isSummary = isSummary
            post?.append(lines)
        case .picture(let rows, let line, let number):
            if number == post?.number { post?.insert(rows, above: line) }
        case .comment(let comment, let lines, let number):
            if number == post?.number { post?.append(comment, lines) }
        case .read(let message, let number):
            guard number == post?.number else { break }
            post?.end()
            if let message { notice = message }
        case .readFailed(let message, let number):
            guard number == post?.number else { break }
            post?.failure = message
            post?.end()
        case .sources(let sources):
            self.sources.show(sources)
            if isNextListOffered { offerNextList() }
        case .refreshing(let done, let count): progress = (done, count)
        case .fetched(let count):
            isFetching = false
            if count > list.rows.count { effects = load(list.request, keepsPost: true) }
        case .refreshed(let new, let message): effects = endRefresh(new, message)
        case .undone(let report): effects = note(undone: report)
        case .output(let lines, let command):
            guard runningCommand == command else { break }
            (runningCommand, notice) = (nil, nil)
            let wrapped = lines.flatMap { TextLayout.wrap($0, width: max(size.columns, 1)) }
            text = TextPane(title: "| \(command)", lines: wrapped.map { StyledText($0) })
        case .notice(let message): notice = message
        }
        effects += pressHeldKeys()
        layOut()
        effects += noteShown()
        return effects + wantedRows()
    }

    // MARK: Typing ahead

    private mutating func take(_ key: Key) -> [BrowseEffect] {
        if key == .escape && !held.isEmpty || [.escape, .control("c")].contains(key) && pending != nil {
            (pending, held) = (nil, [])
            return []
        }
        // In a list the order of keys tells which post is meant; for a post, another key ends the waiting.
        let isInOrder = focus == .list && prompt == nil && !held.isEmpty && keys[key] != .quit
        if isInOrder || waits(key) {
            if held.count < Self.mostHeld { held.append(key) }
            return []
        }
        (held, pending) = ([], nil)
        return press(key)
    }

    private mutating func pressHeldKeys() -> [BrowseEffect] {
        var effects: [BrowseEffect] = []
        while let key = held.first, !waits(key) {
            held.removeFirst()
            // A post that has just come isn't left before it was seen.
            if focus == .post, keys[key] == .readOn, post?.isAtEnd == true { continue }
            effects += press(key)
        }
        return effects
    }

    /// Whether a key has to wait for rows, or for the lines that it would show.
    private func waits(_ key: Key) -> Bool {
        guard prompt == nil, let action = keys[key], action != .quit else { return false }
        if list.isStale && focus != .post || pending != nil { return true }
        guard text == nil else { return false }
        switch focus {
        case .sources: return false
        case .list:
            let step = action == .nextPost ? 1 : action.distance(page: list.page)
            guard !list.isComplete, let step, step > 0 else { return false }
            return list.cursor + step >= list.rows.count
        case .post:
            guard let post, !post.isComplete else { return false }
            let step = action == .readOn ? post.page : action.distance(page: post.page)
            guard let step, step > 0 else { return false }
            return !post.has(linesBelow: step)
        }
    }

    private static let mostHeld = 10_000

    /// A number for a list or a reading.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private mutating func resize(_ size: ScreenSize) -> [BrowseEffect] {
        self.size = size
        layOut()
        return readAgainIfNeeded()
    }

    /// Reads the post again if its lines are of another width than there is room for.
    mutating func readAgainIfNeeded() -> [BrowseEffect] {
        let width = layout.textWidth
        guard let open = post, open.textWidth != width, layout.post != nil else { return [] }
        return readAgain(width: width)
    }

    /// Reads the post again, and comes back to the same place in it.
    mutating func readAgain(width: Int, isForced: Bool = false) -> [BrowseEffect] {
        guard let open = post else { return [] }
        let number = nextNumber()
        post?.restart(number: number, textWidth: width)
        let article = open.awaited?.article ?? open.article
        post?.article = article
        return [
            .stopReading,
            .read(PostRequest(post: open.post, width: width, number: number, article: article, isForced: isForced)),
        ]
    }

    /// Reads the article behind the post's link, or its own text again; what is shown stays until that comes.
    mutating func toggleArticle() -> [BrowseEffect] {
        guard let open = post, layout.post != nil else {
            guard let row = list.current else { return [] }
            return self.open(row, at: list.cursor, article: .always)
        }
        guard !open.post.source.isOfPages else {
            notice = "A page has no text other than its article"
            return []
        }
        let isArticle = open.awaited.map { $0.article == .always } ?? open.showsArticle
        let number = nextNumber()
        let request = PostRequest(
            post: open.post, width: open.textWidth, number: number, article: isArticle ? .never : .always,
            replacesText: true)
        post?.awaited = request
        return [.read(request)]
    }

    /// Shows the text that was asked for, now that it comes.
    private mutating func showAwaitedText(_ number: Int) {
        guard let awaited = post?.awaited, awaited.number == number else { return }
        post?.replace(with: awaited)
    }

    // MARK: Lists

    /// Reads a list from its beginning.
    mutating func load(_ request: ListRequest, keepsPost: Bool) -> [BrowseEffect] {
        let number = nextNumber()
        if request.posts != list.request.posts { (fetchedUpTo, isFetching) = (0, false) }
        // At the top one wants to see what is new, unless a post is open.
        let keepsPost = keepsPost && (list.cursor > 0 || post != nil)
        let rows = Self.firstRows + (keepsPost ? list.cursor : 0)
        list.restart(request, number: number, keepsPost: keepsPost)
        newPosts = 0
        layOut()
        return [
            .list(request, number: number, rows: list.want(rows) ?? rows),
            .count(request, number: number),
        ]
    }

    private static let firstRows = 100

    /// Wants as many rows of the list as moving needs.
    mutating func wantedRows() -> [BrowseEffect] {
        let rows = held.isEmpty || list.isStale ? moreRows(nil) : moreRows(list.cursor + held.count + Self.firstRows)
        return rows + morePosts()
    }

    /// Wants posts of a ranking that were never fetched, when the cursor comes to the last one that was.
    private mutating func morePosts() -> [BrowseEffect] {
        // Some of them may have been removed, so fewer come than were asked for.
        guard list.lacksPosts, !isFetching, list.cursor + list.page >= list.rows.count,
            fetchedUpTo < list.counts?.posts ?? 0
        else { return [] }
        fetchedUpTo = max(fetchedUpTo, list.rows.count) + Self.fetchedAtOnce
        isFetching = true
        return [.fetch(list.request, upTo: fetchedUpTo)]
    }

    private static let fetchedAtOnce = 100

    /// Wants rows of the list, so many in all; nil for as many as moving needs.
    mutating func moreRows(_ count: Int?) -> [BrowseEffect] {
        list.want(count).map { [.rows(upTo: $0, list: list.number)] } ?? []
    }

    private mutating func add(_ rows: [ListRow], isEnd: Bool, to number: Int) -> [BrowseEffect] {
        guard number == list.number else { return [] }
        list.append(rows, isEnd: isEnd)
        guard let pending else { return [] }
        switch pending {
        case .unread(let row, let opens):
            if row == -1, opens, let first = list.rows.first {
                self.pending = nil
                return open(first, at: 0)
            }
            return goToUnread(after: row, opens: opens)
        case .markShown, .markBelow, .end:
            guard isEnd else { return moreRows(Self.allRows) }
            self.pending = nil
            switch pending {
            case .markShown: return markShown()
            case .markBelow: return markBelow()
            default: list.move(to: list.rows.count - 1)
            }
            return []
        }
    }

    static let allRows = Int.max

    private mutating func endRefresh(_ new: Int, _ message: Message?) -> [BrowseEffect] {
        progress = nil
        newPosts += new
        if isRefreshAwaited, new == 0 { notice = "No new posts" }
        (isRefreshAwaited, isStarting) = (false, false)
        if let message { notice = message }
        var effects: [BrowseEffect] = [.sources]
        // Nothing moves under a cursor that somebody has placed.
        let isAtTop = list.cursor == 0 && post == nil && prompt == nil && list.request.search == nil
        if new > 0 || list.rows.isEmpty, isAtTop { effects += load(list.request, keepsPost: false) }
        return effects
    }

    // MARK: Posts

    /// Opens a post of the list.
    ///
    /// - Parameter article: whether the article behind its link is shown; nil for what holds for its source.
    mutating func open(_ row: ListRow, at index: Int, article: ArticleChoice? = nil) -> [BrowseEffect] {
        list.move(to: index)
        let number = nextNumber()
        var effects = leavePost()
        let marked = list.request.search.map { MarkedWords(search: SearchInput($0).words) } ?? MarkedWords()
        focus = .post
        // Only with a post is it known how wide its text may be.
        post = PostPane(row, number: number, textWidth: 0, marked: marked)
        let width = layout.textWidth
        post?.restart(number: number, textWidth: width)
        post?.article = article
        layOut()
        effects.append(.read(PostRequest(post: row.id, width: width, number: number, article: article)))
        return effects
    }

    /// Ends the reading of the post, and notes which of its comments were seen.
    mutating func leavePost() -> [BrowseEffect] {
        guard let open = post else { return [] }
        post = nil
        let seen = open.seenComments
        return [.stopReading] + (seen.isEmpty ? [] : [.noteSeen(comments: seen.sorted(), open.post)])
    }

    /// Notes what is on the screen: a post is read once its text is there, and never before.
    private mutating func noteShown() -> [BrowseEffect] {
        guard text == nil, layout.post != nil else { return [] }
        post?.noteSeen()
        guard let open = post, open.hasText, !open.isSummary, !open.isNoted else { return [] }
        post?.isNoted = true
        return noteRead(open.post)
    }

    private mutating func noteRead(_ id: PostID) -> [BrowseEffect] {
        let changed = note(.read, [id])
        if !changed.isEmpty { marks.append(Marked(mark: .read, posts: Set(changed))) }
        return [.noteRead(id)] + sourcesIfShown
    }

    /// What keeps the counts of the sources right, where they are shown.
    var sourcesIfShown: [BrowseEffect] { layout.sources == nil ? [] : [.sources] }
}
