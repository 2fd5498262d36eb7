import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// Everything the full-screen reader knows and shows: a pure value, without a terminal, a store or a clock.
///
/// It changes as results arrive and as ``BrowseControls`` carries out the user's actions; a ``BrowseView`` draws it.
package struct BrowseState: Sendable {
    package internal(set) var size: ScreenSize
    let keys: KeyMap
    /// How dates are written, including the current time.
    package var dates: DateText
    package internal(set) var list: ListPane
    /// The list to return to from a search; nil if the list isn't a search, or was one from the start.
    var listBeforeSearch: ListPane?
    package internal(set) var post: PostPane?
    /// The posts to return to from one that was opened by a link, most recent last.
    private var postsBelow: [PostPane] = []
    /// The number of the request for the post behind a link; nil for none.
    private var linkRequest: Int?
    package internal(set) var sources = SourcesPane()
    /// The help or the output of a command, which covers the panes.
    package internal(set) var text: TextPane?
    package internal(set) var focus = Focus.list
    package internal(set) var prompt: Prompt?
    /// What was entered at prompts, by ``Prompt/Purpose/nameOfHistory``; the newest last.
    private(set) var entered: [String: [String]] = [:]
    /// The prompt to show again if what it asked for fails.
    var promptToRepeat: Prompt?
    /// A message that is shown until the next key.
    package internal(set) var notice: Message?
    /// The message that was shown a minute ago, which is long enough.
    private var oldNotice: Message?
    /// What has arrived since the list was loaded.
    var arrivals: Arrivals
    /// The number of marks when the list was last compared with the store, and when its posts were counted.
    private var marksBeforeCheck = 0, marksBeforeCount = 0
    /// The marks that undo can take back, most recent last.
    private var marks = MarkHistory()
    /// What to do when more rows have been loaded.
    var pending: Pending?
    /// The command whose output is expected; nil for none.
    var runningCommand: String?
    /// The user's command that was the last thing to be started; its output is shown only until the next key.
    var startedCommand: String?
    /// Whether the next step past the end of the list opens the next one.
    var isNextListOffered = false
    /// How many posts of the ranking have been requested.
    private var requestedRanks = 0
    private var isFetchingRanking = false
    var listName: String
    /// The list to return to from that of a source.
    private var firstList: (scope: Scope, name: String)
    /// Which posts it shows.
    private let firstShow: ListRequest.Show
    private let firstSorting: Sorting
    /// Whether list and post are side by side; nil to let the width decide.
    var isSplit: Bool?
    /// Whether the sources are shown; nil to let the width decide.
    var showsSources: Bool?
    private var lastNumber = 0

    package enum Focus: Sendable {
        case sources, list, post
    }

    enum Pending: Sendable {
        case openFirst
        /// Go to the next unread post after a row, or from the first row on for nil.
        case unread(after: Int?, opens: Bool)
        case workWithAllRows(@Sendable (inout BrowseState) -> [BrowseEffect])
    }

    /// The initial state, and the first work to do.
    ///
    /// - Parameters:
    ///   - opensFirst: whether to open the first post at once.
    ///   - beginsWithSources: whether the cursor is in the sources first.
    ///   - refreshes: whether to refresh sources that are due.
    package static func start(
        _ request: ListRequest, listName: String, size: ScreenSize, keys: KeyMap = KeyMap(), dates: DateText,
        opensFirst: Bool = false, beginsWithSources: Bool = false, refreshes: Bool = true
    ) -> (BrowseState, [BrowseEffect]) {
        var state = BrowseState(
            size: size, keys: keys, dates: dates, list: ListPane(request, number: 0),
            arrivals: Arrivals(isStarting: refreshes), listName: listName,
            firstList: (request.scope, listName), firstShow: request.show,
            firstSorting: request.query.arrangement.sorting)
        if opensFirst { state.pending = .openFirst }
        if beginsWithSources { (state.showsSources, state.focus) = (true, .sources) }
        var effects = state.load(request, keepsPost: false) + [.loadSources]
        if refreshes { effects.append(.refresh(request.scope, isForced: false)) }
        state.layOut()
        return (state, effects)
    }

    // MARK: Events

    /// Takes in a result or a new size, and returns the work to do.
    mutating func apply(_ event: BrowseEvent) -> [BrowseEffect] {
        switch event {
        case .key, .paste: break
        case .resized(let size): return resize(size)
        case .rows(let rows, let isEnd, let number): return add(rows, isEnd: isEnd, to: number)
        case .listFailed(let message, let number):
            guard number == list.number else { break }
            list.fail(message)
            (notice, pending) = (message, nil)
        case .counts(let counts, let number): if number == list.number { return show(counts) }
        case .countedElsewhere(let count, let number): if number == list.number { list.elsewhere = count }
        case .lettersRead, .article, .lines, .picture, .comment, .postLoaded, .postFailed:
            if let message = post?.receive(event) { notice = message }
        case .articleFailed(let message, let number): return fail(article: number, message)
        case .linked(let row, let number): if number == linkRequest { return openLinked(row) }
        case .linkedToOwnPage(let number): if number == linkRequest { return readOwnPage() }
        case .overview(let overview, let labels): return show(overview, labels)
        case .refreshing(let done, let count): arrivals.progress = (done, count)
        case .rankingFetched(let count):
            isFetchingRanking = false
            if count > list.rows.count { return load(list.request, keepsPost: true) }
        case .refreshed(let new, let message): return endRefresh(new, message)
        case .undone(let report): return showUndone(report)
        case .tookBack(let message):
            (notice, promptToRepeat) = (message, nil)
            marks.forget()
            return [.loadSources] + load(list.request, keepsPost: true)
        case .allMarked(let report):
            notice = report.changed == 0 ? Self.nothingToMark : markedAsRead(report.changed)
            return [.loadSources] + checkList()
        case .output(let lines, let command): show(lines, of: command)
        case .found(let proposal): propose(proposal)
        case .followFailed(let message):
            defer { promptToRepeat = nil }
            notice = message
            if prompt == nil, let again = promptToRepeat {
                prompt = again.saying(message.text)
            }
        case .unfollowed(let source): return showUnfollowed(source)
        case .ruleTested(let rule, let found):
            guard prompt == nil else { break }
            prompt = Prompt(.rule(tested: rule, label: "\(found.text). Enter adds the rule: "), text: rule)
        case .rulesChanged(let message, let added):
            notice = added == nil ? message : "\(message) (\(keys.name(of: .undo)) to remove it)"
            return load(list.request, keepsPost: true) + [.loadSources]
        case .notice(let message): notice = message
        case .storeChanged: return [.loadSources] + checkList()
        case .checked(let states, let counts, let number): if number == list.number { return show(states, counts) }
        case .minutePassed:
            if notice == oldNotice { notice = nil }
            oldNotice = notice
        }
        return []
    }

    /// Completes the changes of an event: adapts the panes, records what is on the screen, and requests missing rows.
    ///
    /// - Parameter typedAhead: the number of keys that wait for rows.
    mutating func settle(typedAhead: Int) -> [BrowseEffect] {
        layOut()
        let effects = recordShown()
        return effects + neededRows(typedAhead: typedAhead)
    }

    /// Records what was entered at a prompt, to be recalled at the next one of its kind.
    mutating func remember(_ prompt: Prompt) {
        guard let name = prompt.purpose.nameOfHistory, !prompt.text.isEmpty else { return }
        entered[name, default: []].removeAll { $0 == prompt.text }
        entered[name, default: []].append(prompt.text)
    }

    /// A new number for a request.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private mutating func resize(_ size: ScreenSize) -> [BrowseEffect] {
        let hadSources = layout.sources != nil
        self.size = size
        layOut()
        // Their numbers were those of when they were last on the screen.
        return (hadSources ? [] : sourcesIfShown) + reloadPostIfWidthChanged()
    }

    /// Adapts the panes to the layout.
    mutating func layOut() {
        // The sources may have disappeared with the space for them, or with the last source.
        if focus == .sources, layout.sources == nil { focus = focusWithoutSources }
        let layout = layout
        let height = max(size.rows - 1, 1)
        list.resize(layout.list?.height ?? height)
        post?.resize(layout.post?.height ?? height)
        sources.resize(layout.sources?.height ?? height)
        text?.resize(height)
    }

    // MARK: Lists

    /// Loads a list from its beginning.
    mutating func load(_ request: ListRequest, keepsPost: Bool) -> [BrowseEffect] {
        let number = nextNumber()
        if request.posts != list.request.posts { (requestedRanks, isFetchingRanking) = (0, false) }
        // With the cursor at the top and no post open, show what is new.
        let isWider = request != list.request && !list.request.isUnrestricted
        let keepsPost = keepsPost && (list.cursor > 0 || list.isRestoring || isWider || post != nil)
        let rows = Self.firstRows + (keepsPost ? list.cursor : 0)
        list.restart(request, number: number, keepsPost: keepsPost)
        arrivals.restart()
        marksBeforeCount = marks.total
        layOut()
        return [
            .loadList(request, number: number, rows: list.requestRows(rows) ?? rows),
            .countPosts(request, number: number),
        ]
    }

    private static let firstRows = 100

    /// Requests the rows that moving the cursor needs.
    mutating func neededRows(typedAhead: Int = 0) -> [BrowseEffect] {
        let count = typedAhead == 0 || list.isStale ? nil : list.cursor + typedAhead + Self.firstRows
        return requestRows(count) + fetchMoreOfRanking()
    }

    /// Fetches further posts of a ranking when the cursor reaches the last ones that were fetched.
    private mutating func fetchMoreOfRanking() -> [BrowseEffect] {
        // Fewer posts may arrive than were requested, as some may have been deleted.
        guard list.lacksPosts, !isFetchingRanking, list.cursor + list.viewport.page >= list.rows.count,
            requestedRanks < list.counts?.posts ?? 0
        else { return [] }
        requestedRanks = max(requestedRanks, list.rows.count) + Self.ranksPerFetch
        isFetchingRanking = true
        return [.fetchRanking(list.request, upTo: requestedRanks)]
    }

    private static let ranksPerFetch = 100

    /// Requests rows of the list, `count` in all; nil for as many as moving the cursor needs.
    mutating func requestRows(_ count: Int?) -> [BrowseEffect] {
        list.requestRows(count).map { [.loadRows(upTo: $0, list: list.number)] } ?? []
    }

    private mutating func add(_ rows: [ListRow], isEnd: Bool, to number: Int) -> [BrowseEffect] {
        guard number == list.number else { return [] }
        list.append(rows, isEnd: isEnd)
        guard let pending else { return countElsewhere() }
        switch pending {
        case .openFirst:
            guard let first = list.rows.first else { return goToUnread(after: nil, opens: true) }
            self.pending = nil
            return open(first, at: 0)
        case .unread(let row, let opens): return goToUnread(after: row, opens: opens)
        case .workWithAllRows(let work):
            self.pending = nil
            return withAllRows(work)
        }
    }

    /// Counts the posts outside the list that match a search without a hit in it.
    private func countElsewhere() -> [BrowseEffect] {
        guard list.isComplete, list.rows.isEmpty, let everywhere = list.request.searchElsewhere else { return [] }
        return [.countElsewhere(everywhere, list: list.number)]
    }

    /// Does some work now, or when all rows have been loaded.
    mutating func withAllRows(
        _ work: @escaping @Sendable (inout BrowseState) -> [BrowseEffect]
    ) -> [BrowseEffect] {
        guard list.isComplete else {
            pending = .workWithAllRows(work)
            return requestRows(.max)
        }
        return work(&self)
    }

    /// Shows the numbers of the list, unless they may lack what was marked meanwhile.
    private mutating func show(_ counts: ListCounts) -> [BrowseEffect] {
        guard marks.total == marksBeforeCount else {
            marksBeforeCount = marks.total
            return [.countPosts(list.request, number: list.number)]
        }
        list.counts = shown(counts)
        return []
    }

    /// The numbers of a list of unread posts with those of its posts that were read since.
    private func shown(_ counts: ListCounts) -> ListCounts {
        guard list.request.show == .unread, !list.isStale else { return counts }
        return ListCounts(posts: counts.unread + list.rows.count(where: \.isRead), unread: counts.unread)
    }

    /// Compares the list with the store.
    mutating func checkList() -> [BrowseEffect] {
        marksBeforeCheck = marks.total
        return [.check(list.request, number: list.number, list.rows.map(\.id))]
    }

    /// Shows what another process has changed: marks in their places, and the number of new posts.
    private mutating func show(_ states: [PostID: PostState], _ counts: ListCounts?) -> [BrowseEffect] {
        // What was marked here meanwhile may not have been stored when the marks were read.
        guard self.marks.total == marksBeforeCheck else { return checkList() }
        let labels = Set(states.values.flatMap(\.labels) + list.rows.flatMap(\.labels))
        let marks = Mark.named.map(\.mark) + labels.flatMap { [Mark.labelled($0), .unlabelled($0)] }
        for mark in marks { _ = apply(mark, to: Set(states.filter { mark.isSet(in: $0.value) }.keys)) }
        let (added, told) = arrivals.compare(list.counts, with: counts, isOfUnread: list.request.show == .unread)
        if list.counts != nil, let counts { list.counts = shown(counts) }
        if added > 0, notice == Self.noNewPosts { notice = nil }
        // The new ones appear by themselves, as those of a refresh here, unless the user reads or has moved, or rows would go.
        if added > 0, list.rows.isEmpty || isAtTop && !list.hasOutdatedRows, arrivals.progress == nil {
            return load(list.request, keepsPost: false)
        }
        switch told {
        case .nothing(let place)?: notice = place.map { "\(Self.noNewPosts.text) in \($0)" } ?? Self.noNewPosts
        case .elsewhere(let count, let place?)?: notice = "\(count) new in \(place)"
        case .elsewhere(let count, nil)?: notice = "\(Self.noNewPosts.text) here, \(count) elsewhere"
        case .unknown?:
            notice = "Refreshed"
            return load(list.request, keepsPost: true)
        case .here?, .told?:
            let isOutdated = list.hasOutdatedRows || arrivals.isUncounted || arrivals.hasLost
            return isOutdated ? load(list.request, keepsPost: true) : []
        case nil: return []
        }
        // Posts may have other titles than before.
        return load(list.request, keepsPost: true)
    }

    /// Whether the user reads no post and has not moved in the list, so that it may change.
    private var isAtTop: Bool {
        list.cursor == 0 && post == nil && prompt == nil && text == nil && pending == nil && list.request.search == nil
    }

    private static let noNewPosts: Message = "No new posts"

    private mutating func endRefresh(_ new: Int, _ message: Message?) -> [BrowseEffect] {
        let isExpected = arrivals.end(new: new, isTold: message != nil)
        // Otherwise the mark of the source is enough: a dead feed would be announced at every start.
        if let message, isExpected || list.rows.isEmpty { notice = message }
        let showsNew = (new > 0 || list.rows.isEmpty) && isAtTop
        if showsNew { return [.loadSources] + load(list.request, keepsPost: false) }
        return [.loadSources] + (new > 0 || isExpected ? checkList() : [])
    }

    /// Goes back to the first list from that of a source, or from other posts of it; nil if it is the first one.
    mutating func returnToFirstList() -> [BrowseEffect]? {
        guard case .query = list.request.posts else { return nil }
        if list.request.scope != firstList.scope { return openList(of: firstList) }
        var request = list.request
        request.show = firstShow
        guard request.isOther(than: list.request) else { return nil }
        return show(request, keepsPost: true)
    }

    /// Whether the list is that of another source or folder than the first one.
    var isFromSources: Bool {
        if case .query = list.request.posts { list.request.scope != firstList.scope } else { false }
    }

    mutating func openList(of source: (scope: Scope, name: String)) -> [BrowseEffect] {
        let listed = (listBeforeSearch ?? list).request
        var query = listed.query
        if [.date, .rank].contains(query.arrangement.sorting) {
            query.arrangement.sorting = sorting(of: source.scope)
        }
        var request = ListRequest(.query(query, source.scope))
        (request.show, request.arrangement) = (list.request.show, listed.arrangement)
        (listBeforeSearch, listName) = (nil, source.name)
        if !layout.isSourcesBeside { showsSources = nil }
        sources.select(source.scope)
        return show(request)
    }

    /// The order of a list unless the user chooses one, as on the command line.
    private func sorting(of scope: Scope) -> Sorting {
        if scope == firstList.scope { return firstSorting }
        guard case .sources(let sources) = scope else { return .date }
        return Capabilities(of: sources).sorting
    }

    /// Closes the post, and loads a list.
    mutating func show(_ request: ListRequest, keepsPost: Bool = false) -> [BrowseEffect] {
        let effects = leavePost()
        focus = .list
        return effects + load(request, keepsPost: keepsPost)
    }

    /// Whether keys apply to a link rather than to its post.
    var hasLinkSelected: Bool { focus == .post && text == nil && post?.link != nil }

    /// The pane that gets the focus when the sources lose it.
    var focusWithoutSources: Focus { post == nil || layout.isSplit ? .list : .post }

    // MARK: Sources

    private mutating func show(_ overview: SourceOverview, _ labels: [LabelCounts]) -> [BrowseEffect] {
        let (before, sources) = (self.sources, overview.sources)
        self.sources.show(overview, labels)
        let isOtherSource = !before.isEmpty && before.isDefault != self.sources.isDefault
        if list.request.scope == .everything, !sources.isEmpty {
            if !self.sources.isDefault || isOtherSource {
                listName = sources.count == 1 ? Sanitizer.line(sources[0].displayName) : "All posts"
            }
            if firstList.scope == .everything { firstList.name = listName }
        } else if let name = self.sources.name(of: list.request.scope) {
            // Its title may have changed.
            listName = name
        }
        if isNextListOffered { offerNextList() }
        // All posts are those of the sources that are followed, as soon and as long as there are any.
        if isOtherSource, list.request.scope == .everything { return load(list.request, keepsPost: false) }
        list.rename(self.sources.renamed(since: before))
        return []
    }

    /// The source with the cursor, or else that of the post that keys apply to; nil for a folder.
    var currentSource: SourceState? {
        if focus == .sources { return sources.currentSource }
        if let row = markedRow { return sources.source(row.id.source) }
        // The list of a source may be empty.
        guard case .sources(let ids) = list.request.scope, ids.count == 1 else { return nil }
        return sources.source(ids[0])
    }

    /// Asks whether to follow what was found, with options that can be changed.
    private mutating func propose(_ found: FollowProposal) {
        let title = TextLayout.truncate(found.title, width: 40)
        // The best one is recalled first.
        for other in found.others.prefix(Self.maxOthers).reversed() { remember(Prompt(.follow, text: other)) }
        let hint = found.others.isEmpty ? "" : "\(keys.name(of: .follow)) and up for another feed"
        guard !found.isFollowed else {
            notice = "Already following \(title) as \(found.name)\(hint.isEmpty ? "" : " (\(hint))")"
            return
        }
        // The user may have begun something else.
        guard prompt == nil else { return }
        notice = nil
        let facts = [Counted.posts(found.posts), hint].filter { !$0.isEmpty }.joined(separator: "; ")
        prompt = Prompt(
            .source(found.address, label: "Follow “\(title)” (\(facts)) as: "),
            text: found.name)
    }

    private static let maxOthers = 20

    private mutating func showUnfollowed(_ source: SourceState) -> [BrowseEffect] {
        notice = "Unfollowed \(source.name) (\(keys.name(of: .undo)) to undo)"
        if list.request.scope == .sources([source.id]) {
            return openList(of: (.everything, "All posts")) + [.loadSources]
        }
        return [.loadSources] + load(list.request, keepsPost: true)
    }

    // MARK: Commands

    /// Shows the output of a command that the user waits for; of another one, the last line.
    private mutating func show(_ lines: [String], of command: String) {
        guard [runningCommand, startedCommand].contains(command) else {
            notice = "\(command) ended: \(TextLayout.truncate(lines.last { !$0.isEmpty } ?? "", width: 60))"
            return
        }
        if runningCommand == command { runningCommand = nil }
        (startedCommand, notice) = (nil, nil)
        guard lines != UserCommand.noOutput else { return notice = "\(command) ended without output" }
        let wrapped = lines.flatMap { TextLayout.wrap($0, width: max(size.columns, 1)) }
        text = TextPane(title: "| \(command)", lines: wrapped.map { StyledText($0) })
    }

    // MARK: Unread posts

    /// Goes to the next unread post after a row, or after nil from the first row on, then wraps around.
    ///
    /// If there is none, a second step goes to the next list.
    mutating func goToUnread(after row: Int?, opens: Bool) -> [BrowseEffect] {
        pending = nil
        let wrapped = list.isComplete ? list.unread(after: nil) : nil
        // A post that could not be read stays unread, but must not be its own successor.
        if let next = list.unread(after: row) ?? wrapped.flatMap({ $0 == row ? nil : $0 }) {
            guard opens else {
                list.move(to: next)
                return []
            }
            return open(list.rows[next], at: next)
        }
        guard list.isComplete else {
            pending = .unread(after: row, opens: opens)
            return requestRows(list.rows.count + Self.manyRows)
        }
        guard let other = sources.unread(after: list.request.scope), listBeforeSearch == nil else {
            notice = Self.noMoreUnread
            return []
        }
        guard isNextListOffered else {
            isNextListOffered = true
            offerNextList()
            // The numbers of unread posts may still include those just read.
            return [.loadSources]
        }
        let effects = openList(of: other)
        isNextListOffered = false
        notice = "Now in \(other.name)"
        if opens { pending = .unread(after: nil, opens: true) }
        return effects
    }

    /// Names the next list, if there is one.
    private mutating func offerNextList() {
        let other = sources.unread(after: list.request.scope)
        isNextListOffered = other != nil
        notice = other.map { "\(Self.noMoreUnread.text). Press again to go on to \($0.name)" } ?? Self.noMoreUnread
    }

    private static let noMoreUnread: Message = "No more unread posts here"
    private static let manyRows = 2000

    mutating func goToUnreadBefore(opens: Bool) -> [BrowseEffect] {
        guard let previous = list.unread(before: list.cursor) else {
            notice = "No unread posts above"
            return []
        }
        list.move(to: previous)
        return opens ? open(list.rows[previous], at: previous) : []
    }

    // MARK: Posts

    /// Opens a post of the list.
    ///
    /// - Parameter article: whether to show the article that it links to; nil for the setting of its source.
    mutating func open(_ row: ListRow, at index: Int, article: ArticleChoice? = nil) -> [BrowseEffect] {
        list.move(to: index)
        return leavePost() + show(row, article: article)
    }

    private mutating func show(_ row: ListRow, article: ArticleChoice?) -> [BrowseEffect] {
        let number = nextNumber()
        let marked = list.request.search.map { MarkedWords(search: $0) } ?? MarkedWords()
        focus = .post
        post = PostPane(row, number: number, article: article, marked: marked)
        // The layout, and so the width, depends on whether a post is open.
        let width = layout.textWidth
        post?.textWidth = width
        layOut()
        return [.loadPost(PostRequest(post: row.id, width: width, number: number, article: article))]
    }

    /// Requests the post behind a link, which is to be read here.
    mutating func requestLinked(_ target: BrowseTarget) -> [BrowseEffect] {
        let number = nextNumber()
        linkRequest = number
        notice = "Loading the linked page…"
        return [.readLink(target, number: number)]
    }

    /// Opens a post over the one with the link to it.
    private mutating func openLinked(_ row: ListRow) -> [BrowseEffect] {
        (linkRequest, notice) = (nil, nil)
        guard let below = post else { return [] }
        postsBelow.append(below)
        // A page that was added for the link has no text but its article.
        return [.stopLoadingPost] + show(row, article: nil)
    }

    /// Shows the article of the post, to whose page a link in it leads, as "Read more" does.
    private mutating func readOwnPage() -> [BrowseEffect] {
        (linkRequest, notice) = (nil, nil)
        guard post?.showsArticle == false else {
            notice = "This is the page of the link"
            return []
        }
        return toggleArticle()
    }

    /// Closes a post that was opened by a link, and shows the one with the link again; nil if it was opened elsewhere.
    mutating func returnToPost() -> [BrowseEffect]? {
        guard let below = postsBelow.popLast(), let closed = post else { return nil }
        linkRequest = nil
        post = below
        layOut()
        let effects = [.stopLoadingPost] + closed.left
        guard below.isComplete else { return effects + reloadPost(width: layout.textWidth) }
        return effects + reloadPostIfWidthChanged()
    }

    mutating func reloadPostIfWidthChanged() -> [BrowseEffect] {
        let layout = layout
        guard let post, post.textWidth != layout.textWidth, layout.post != nil else { return [] }
        return reloadPost(width: layout.textWidth)
    }

    /// Loads the open post again, and returns to the same position in it.
    mutating func reloadPost(width: Int, isForced: Bool = false) -> [BrowseEffect] {
        let number = nextNumber()
        post?.restart(number: number, textWidth: width)
        guard let post else { return [] }
        let request = PostRequest(
            post: post.post, width: width, number: number, article: post.article, isForced: isForced)
        return [.stopLoadingPost, .loadPost(request)]
    }

    /// Switches between the post's own text and the article that it links to; the old text stays until the new one
    /// arrives.
    mutating func toggleArticle() -> [BrowseEffect] {
        guard let open = post, layout.post != nil else {
            guard let row = list.current else { return [] }
            return self.open(row, at: list.cursor, article: .always)
        }
        guard !open.post.source.isOfPages else {
            notice = "This page has no text other than its article"
            return []
        }
        let isArticle = open.replacement.map { $0.article == .always } ?? open.showsArticle
        let request = PostRequest(
            post: open.post, width: open.textWidth, number: nextNumber(), article: isArticle ? .never : .always,
            replacesText: true)
        post?.replacement = request
        return [.loadPost(request)]
    }

    private mutating func fail(article number: Int, _ message: Message) -> [BrowseEffect] {
        guard let open = post, number == open.number || number == open.replacement?.number else { return [] }
        notice = message
        guard number == open.replacement?.number else { return [] }
        post?.replacement = nil
        // Loading the article has stopped the loading of the post's own text.
        return open.isComplete ? [] : reloadPost(width: open.textWidth)
    }

    /// Closes the post, and records which of its comments were seen.
    mutating func leavePost() -> [BrowseEffect] {
        guard let open = post else { return [] }
        defer { (post, postsBelow, linkRequest) = (nil, [], nil) }
        return [.stopLoadingPost] + open.left + postsBelow.reversed().flatMap(\.left)
    }

    /// Records what is on the screen as seen; a post counts as read as soon as its text is shown.
    private mutating func recordShown() -> [BrowseEffect] {
        guard text == nil, layout.post != nil else { return [] }
        guard let open = post, open.hasText, !open.isSummary, !open.isMarkedRead || !open.isArticleMarked else {
            return []
        }
        if open.isMarkedRead, !open.showsArticle { return [] }
        post?.isMarkedRead = true
        post?.isArticleMarked = open.showsArticle
        let changed = apply(.read, to: [open.post])
        marks.record(.read, changed)
        return [.recordReading(open.post, withArticle: open.showsArticle)] + sourcesIfShown
    }

    /// Updates the numbers of unread posts, if they are on the screen.
    var sourcesIfShown: [BrowseEffect] { layout.sources == nil ? [] : [.loadSources] }

    // MARK: Marks

    /// The post to mark: the open one, or the one with the cursor.
    var markedRow: ListRow? {
        if focus == .post, let post { post.row } else { list.current }
    }

    mutating func toggleRead() -> [BrowseEffect] {
        guard let row = markedRow else { return [] }
        let effects = mark(row.isRead ? .unread : .read, [row.id])
        notice = row.isRead ? "Marked as unread" : "Marked as read"
        return effects
    }

    mutating func toggleSaved() -> [BrowseEffect] {
        guard let row = markedRow else { return [] }
        let effects = mark(row.isSaved ? .unsaved : .saved, [row.id])
        notice = row.isSaved ? "No longer saved" : "Saved"
        return effects
    }

    /// Gives the post a label, or removes it if the post has it.
    mutating func toggleLabel(_ typed: String) -> [BrowseEffect] {
        guard let row = markedRow else { return [] }
        guard let label = Label.typed(typed) else {
            notice = UsageError.badLabel(typed).message()
            return []
        }
        let mark: Mark
        if let own = row.labels.first(where: { Label.isSame($0, label) }) {
            mark = .unlabelled(own)
        } else {
            mark = .labelled(sources.labels.first { Label.isSame($0, label) } ?? label)
            sources.add(label: label)
        }
        let effects = self.mark(mark, [row.id])
        notice = mark.sentence(of: "1 post")
        return effects
    }

    mutating func markShown() -> [BrowseEffect] { withAllRows { $0.markRead($0.list.rows[...]) } }

    mutating func markAbove() -> [BrowseEffect] { markRead(list.rows[..<min(list.cursor, list.rows.count)]) }

    mutating func markBelow() -> [BrowseEffect] {
        withAllRows { $0.markRead($0.list.rows[min($0.list.cursor + 1, $0.list.rows.count)...]) }
    }

    private mutating func markRead(_ rows: ArraySlice<ListRow>) -> [BrowseEffect] {
        let unread = rows.filter { !$0.isRead }.map(\.id)
        guard !unread.isEmpty else {
            notice = Self.nothingToMark
            return []
        }
        let effects = mark(.read, unread)
        notice = markedAsRead(unread.count)
        return effects
    }

    private static let nothingToMark: Message = "No unread posts to mark"

    private func markedAsRead(_ count: Int) -> Message {
        "\(Counted.grouped(posts: count)) marked as read (\(keys.name(of: .undo)) to undo)"
    }

    private mutating func mark(_ mark: Mark, _ posts: [PostID]) -> [BrowseEffect] {
        let changed = apply(mark, to: Set(posts))
        guard !changed.isEmpty else { return [] }
        marks.record(mark, changed)
        return [.mark(mark, changed)] + sourcesIfShown
    }

    /// Marks posts in the lists and the open ones, and returns those that changed in the current list or on the screen.
    mutating func apply(_ mark: Mark, to posts: Set<PostID>) -> [PostID] {
        _ = listBeforeSearch?.apply(mark, to: posts)
        for index in postsBelow.indices { _ = postsBelow[index].apply(mark, to: posts) }
        let changed = list.apply(mark, to: posts)
        guard let open = post?.post, post?.apply(mark, to: posts) == true, !changed.contains(open) else {
            return changed
        }
        return changed + [open]
    }

    mutating func showUndone(_ report: MarkingReport?) -> [BrowseEffect] {
        guard let report else {
            marks.forget()
            notice = "Nothing to undo"
            return []
        }
        let title = report.titles.first.map { ": “\(TextLayout.truncate($0, width: 40))”" } ?? ""
        let more = report.changed > 1 && !title.isEmpty ? " and \(report.changed - 1) more" : ""
        notice = "\(report.mark.sentence(of: Counted.grouped(posts: report.changed))) again\(title)\(more)"
        guard let posts = marks.takeBack(report) else { return load(list.request, keepsPost: true) + sourcesIfShown }
        // They may have left the list, as those that were read have left one of the unread.
        let isListed = !apply(report.mark, to: posts).isEmpty
        return (isListed ? [] : load(list.request, keepsPost: true)) + sourcesIfShown
    }
}

extension PostPane {
    /// The records of the comments that were on the screen, and of where it was left, if that is another place than before.
    fileprivate var left: [BrowseEffect] {
        let seen: [BrowseEffect] = seenComments.isEmpty ? [] : [.recordSeen(comments: seenComments.sorted(), post)]
        return lettersRead == lettersReadBefore ? seen : seen + [.recordPlace(post, letters: lettersRead)]
    }
}
