import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogTerminal

/// Turns the user's keys into actions, and carries these out.
package struct BrowseControls: Sendable {
    package var state: BrowseState
    /// Keys typed ahead, which wait for rows or lines.
    private var queuedKeys: [Key] = []
    /// The number of a link whose digits are being typed; nil for none.
    private var typedNumber: Int?

    package init(_ state: BrowseState) {
        self.state = state
    }

    /// Handles an event, and returns the work to do.
    package mutating func handle(_ event: BrowseEvent) -> [BrowseEffect] {
        var effects: [BrowseEffect] = []
        switch event {
        case .key(let key): effects = receive(key)
        case .paste(let text): state.prompt?.insert(text)
        default: effects = state.apply(event)
        }
        effects += pressQueuedKeys()
        return effects + state.settle(typedAhead: queuedKeys.count)
    }

    // MARK: Typing ahead

    private mutating func receive(_ key: Key) -> [BrowseEffect] {
        if key == .escape && !queuedKeys.isEmpty || [.escape, .control("c")].contains(key) && state.pending != nil {
            (state.pending, queuedKeys) = (nil, [])
            return []
        }
        // In a list, which post a key applies to depends on the keys before it; in a post, a new key cancels the wait.
        let followsQueue =
            state.focus == .list && state.prompt == nil && !queuedKeys.isEmpty && state.keys[key] != .quit
        if followsQueue || mustWait(key) {
            if queuedKeys.count < Self.maxQueuedKeys { queuedKeys.append(key) }
            return []
        }
        (queuedKeys, state.pending) = ([], nil)
        return press(key)
    }

    private mutating func pressQueuedKeys() -> [BrowseEffect] {
        var effects: [BrowseEffect] = []
        while let key = queuedKeys.first, !mustWait(key) {
            queuedKeys.removeFirst()
            // Don't leave a post that has just arrived before it was seen.
            if state.focus == .post, state.keys[key] == .readOn, state.post?.isAtEnd == true { continue }
            effects += press(key)
        }
        return effects
    }

    /// Whether a key needs rows or lines that have not arrived.
    private func mustWait(_ key: Key) -> Bool {
        guard state.prompt == nil, let action = state.keys[key], action != .quit else { return false }
        if state.list.isStale && state.focus != .post || state.pending != nil { return true }
        guard state.text == nil else { return false }
        switch state.focus {
        case .sources: return false
        case .list: return state.list.lacksRows(for: action)
        case .post: return state.post?.lacksLines(for: action) ?? false
        }
    }

    private static let maxQueuedKeys = 10_000

    // MARK: Keys

    private mutating func press(_ key: Key) -> [BrowseEffect] {
        if state.prompt != nil { return type(key) }
        (state.notice, state.startedCommand) = (nil, nil)
        if state.runningCommand != nil, state.keys[key] == .back {
            state.runningCommand = nil
            state.notice = "Stopped"
            return [.stopCommand]
        }
        defer { state.isNextListOffered = state.isNextListOffered && [.readOn, .next].contains(state.keys[key]) }
        if state.text == nil, state.focus == .post, let digit = Self.digit(key), digit > 0 || typedNumber != nil {
            selectLink(digit)
            return []
        }
        typedNumber = nil
        if state.text == nil, let command = state.keys.command(for: key) { return start(command) }
        guard let action = state.keys[key] else {
            state.notice = "\(key.name) does nothing (\(state.keys.name(of: .help)) shows all keys)"
            return []
        }
        // There is nothing farther to the left.
        if action == .back, state.focus == .sources, state.text == nil, [.left, .character("h")].contains(key) {
            return []
        }
        return perform(action, quits: ![.escape, .left, .backspace, .character("h")].contains(key))
    }

    private static func digit(_ key: Key) -> Int? {
        guard case .character(let character) = key, character.isASCII else { return nil }
        return character.wholeNumberValue
    }

    /// Selects a link by a digit, which continues the number before it.
    private mutating func selectLink(_ digit: Int) {
        let number = (typedNumber ?? 0) * 10 + digit
        if state.post?.selectLink(numbered: number) == true {
            typedNumber = number < 1000 ? number : nil
        } else {
            state.post?.deselectLink()
            state.notice = "No link \(number) in this post"
            typedNumber = nil
        }
    }

    // MARK: Actions

    /// - Parameter quits: whether going back from the list quits.
    mutating func perform(_ action: Action, quits: Bool) -> [BrowseEffect] {
        switch action {
        case .help: state.text = .help(state.keys, in: state.focus, width: state.size.columns)
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: return state.leavePost() + [.quit]
        case .back: return back(quits: quits)
        case _ where state.text != nil: performInText(action)
        case .markShown where state.focus == .sources: return [.markAll(state.sources.current.scope)]
        case _ where action.needsPosts && state.layout.list == nil && state.layout.post == nil:
            state.notice = "No posts on the screen"
        case _ where action.needsPosts && state.focus == .sources:
            state.notice = "No post is selected (\(state.keys.name(of: .nextLinkOrPane)) goes to the list)"
        case .undo: return [.undo]
        case .follow: return follow()
        case .editSource, .rename, .folder, .unfollow: return changeSource(action)
        case .command: state.prompt = Prompt(.command)
        case .refreshAll:
            state.arrivals.request()
            return [.refresh(.everything, isForced: true)]
        case .refresh: return refresh()
        case .sources: return toggleSources()
        case .split:
            state.isSplit = !state.layout.isSplit
            state.layOut()
            return state.reloadPostIfWidthChanged()
        case .search: state.prompt = Prompt(searching)
        case .filter: state.prompt = Prompt(.filter, text: state.list.request.filter)
        case .sort: askForOrder()
        case .nextLinkOrPane, .previousLinkOrPane: return moveFocus(forward: action == .nextLinkOrPane)
        case .pipe: if state.markedRow != nil { state.prompt = Prompt(.pipe) }
        case .label: if state.markedRow != nil { state.prompt = Prompt(.label) }
        case .rule: askForRule()
        case .toggleRead: return state.toggleRead()
        case .toggleSaved where state.hasLinkSelected: return selectedLink().map { [.saveLink($0)] } ?? []
        case .toggleSaved: return state.toggleSaved()
        case .markShown: return state.markShown()
        case .markAbove: return state.markAbove()
        case .markBelow: return state.markBelow()
        case .browser, .discussion:
            // The post may have to be fetched first.
            let effects =
                action == .browser && state.hasLinkSelected
                ? selectedLink().map { [.open($0)] } ?? []
                : withCurrentPost { .open(action == .browser ? .page($0) : .discussion($0)) }
            if !effects.isEmpty { state.notice = "Opening…" }
            return effects
        case .copy where state.hasLinkSelected: return selectedLink().map { [.copy($0)] } ?? []
        case .copy: return withCurrentPost { .copy(.page($0)) }
        case .article: return state.toggleArticle()
        case .showAll where state.focus == .sources: state.sources.hideRead(false)
        case .showUnread where state.focus == .sources: state.sources.hideRead(true)
        case .showAll: return show(.all)
        case .showUnread: return show(.unread)
        case .showSaved: return show(.saved)
        case .showHidden: return show(.hidden)
        case .down, .up, .first, .last, .halfDown, .halfUp, .pageDown, .pageUp, .readOn, .open, .nextPost,
            .previousPost, .next, .previous, .fold, .foldAll, .nextComment, .previousComment:
            switch state.focus {
            case .sources: return performInSources(action)
            case .list: return performInList(action)
            case .post: return performInPost(action)
            }
        }
        return []
    }

    /// What is searched: a list's posts, or what is on the screen.
    private var searching: Prompt.Purpose { state.focus == .list ? .search : .find }

    private func withCurrentPost(_ effect: (PostID) -> BrowseEffect) -> [BrowseEffect] {
        let id = state.focus == .post ? state.post?.post : state.list.current?.id
        return id.map { [effect($0)] } ?? []
    }

    // MARK: Text

    private mutating func performInText(_ action: Action) {
        guard state.text?.move(action) == false else { return }
        switch action {
        case .readOn: state.text?.move(.pageDown)
        case .search: state.prompt = Prompt(.find)
        case .next, .previous:
            if state.text?.findNext(forward: action == .next) == false { state.notice = Self.notFound }
        default: break
        }
    }

    // MARK: Sources

    private mutating func performInSources(_ action: Action) -> [BrowseEffect] {
        if state.sources.move(action) { return [] }
        switch action {
        case .open, .readOn: return state.openList(of: state.sources.current)
        case .fold: if !state.sources.fold() { state.notice = "No folder here" }
        case .foldAll: state.sources.foldAll()
        case .next, .previous:
            let isFound = state.sources.findNext(forward: action == .next)
            if !isFound { state.notice = state.sources.hasSearch ? Self.notFound : "No other source has unread posts" }
        default: break
        }
        return []
    }

    private mutating func toggleSources() -> [BrowseEffect] {
        if state.layout.sources != nil {
            state.showsSources = false
            if state.focus == .sources { state.focus = state.focusWithoutSources }
        } else {
            state.showsSources = true
            state.focus = .sources
            state.sources.select(state.list.request.scope)
        }
        state.layOut()
        return state.reloadPostIfWidthChanged() + state.sourcesIfShown
    }

    /// Asks for an address to follow, or looks up the selected link.
    private mutating func follow() -> [BrowseEffect] {
        guard state.hasLinkSelected else {
            state.prompt = Prompt(.follow)
            return []
        }
        return selectedLink().map { lookUp($0) } ?? []
    }

    /// Follows or changes a source; if that fails, the prompt, if any, appears again with what was typed.
    private mutating func follow(_ words: [String], _ entered: Prompt?) -> [BrowseEffect] {
        state.promptToRepeat = entered
        return [.follow(words)]
    }

    private mutating func lookUp(_ target: BrowseTarget) -> [BrowseEffect] {
        (state.notice, state.promptToRepeat) = ("Looking for a feed…", nil)
        return [.lookUp(target)]
    }

    private mutating func changeSource(_ action: Action) -> [BrowseEffect] {
        guard let source = state.currentSource else {
            state.notice =
                state.focus == .sources ? "Select a source, not a folder or a label" : "No source is selected"
            return []
        }
        let (name, folder) = (source.name, source.folder.isEmpty ? "/" : source.folder)
        switch action {
        case .unfollow:
            state.promptToRepeat = nil
            return [.unfollow(source)]
        case .rename: state.prompt = Prompt(.source(name, label: "New name of \(name): "), text: name)
        case .folder: state.prompt = Prompt(.folder(name, label: "Folder of \(name): "), text: folder)
        default:
            let names = "--as \(name) --title \(ShellWords.quoted(source.label ?? "none"))"
            let others =
                " --folder \(ShellWords.quoted(folder)) --article \(source.article?.rawValue ?? "none")"
                + " --keep \(source.keep?.text ?? "none") --every \(source.every?.text ?? "none")"
            state.prompt = Prompt(
                .source(name, label: "\(name): "), text: source.id.listsOthers ? names : names + others)
        }
        return []
    }

    /// Starts a command of the user's for the current post.
    mutating func start(_ command: NamedCommand) -> [BrowseEffect] {
        guard let row = state.markedRow, state.focus != .sources else {
            state.notice = "No post is selected"
            return []
        }
        let link = state.hasLinkSelected ? selectedLink() : nil
        state.startedCommand = command.name
        state.notice = "Running \(command.name)…"
        return [.run(command, row.id, link: link)]
    }

    // MARK: Lists

    private mutating func performInList(_ action: Action) -> [BrowseEffect] {
        switch action {
        case .last:
            return state.withAllRows {
                $0.list.move(.last)
                return []
            }
        case .readOn where state.isNextListOffered: return state.goToUnread(after: state.list.cursor, opens: true)
        case .readOn where state.list.current == nil: return state.goToUnread(after: nil, opens: true)
        case .open, .readOn: if let row = state.list.current { return state.open(row, at: state.list.cursor) }
        case .nextPost: state.list.move(by: 1)
        case .previousPost: state.list.move(by: -1)
        case .next: return state.goToUnread(after: state.list.cursor, opens: false)
        case .previous: return state.goToUnreadBefore(opens: false)
        default: state.list.move(action)
        }
        return []
    }

    private mutating func show(_ show: ListRequest.Show) -> [BrowseEffect] {
        var request = state.list.request
        request.show = show
        if show == .all, state.list.rows.isEmpty, let everywhere = request.searchElsewhere { request = everywhere }
        return state.show(request, keepsPost: true)
    }

    private mutating func refresh() -> [BrowseEffect] {
        if state.focus == .post, state.arrivals.new == 0, let open = state.post {
            return state.reloadPost(width: open.textWidth, isForced: true)
        }
        // During a refresh, what has arrived so far is shown.
        guard state.arrivals.new == 0, !state.arrivals.hasLost, state.arrivals.progress == nil else {
            return state.load(state.list.request, keepsPost: true)
        }
        let place = state.focus == .sources ? state.sources.current : nil
        state.arrivals.request(of: place?.name)
        return [.refresh(place?.scope ?? state.list.request.scope, isForced: true)]
    }

    /// Selects the next link of the post, or else the next pane.
    private mutating func moveFocus(forward: Bool) -> [BrowseEffect] {
        let layout = state.layout
        if state.focus == .post, !layout.isSplit || state.post?.link != nil || forward {
            if state.post?.selectLink(forward: forward) == true { return [] }
            guard layout.isSplit else {
                let hasLinks = state.post?.hasLinks == true
                state.notice = !hasLinks ? "No links" : forward ? "No more links below" : "No more links above"
                return []
            }
        }
        let posts: [BrowseState.Focus] =
            layout.isSplit
            ? [.list] + (layout.post == nil ? [] : [.post])
            : [state.post == nil || state.focus == .list ? .list : .post]
        let panes = (layout.sources == nil ? [] : [.sources]) + posts
        guard layout.isSplit || layout.isSourcesBeside, let index = panes.firstIndex(of: state.focus) else { return [] }
        state.focus = panes[(index + (forward ? 1 : panes.count - 1)) % panes.count]
        state.post?.deselectLink()
        return []
    }

    // MARK: Posts

    private mutating func performInPost(_ action: Action) -> [BrowseEffect] {
        switch action {
        case .readOn:
            if state.post?.isAtEnd == true { return state.goToUnread(after: state.list.cursor, opens: true) }
            state.post?.move(.pageDown)
        case .open:
            guard let link = selectedLink() else { return [] }
            return state.requestLinked(link)
        case .nextPost, .previousPost: return openNeighbour(action == .nextPost ? 1 : -1)
        case .next, .previous: return goToMatchOrUnread(forward: action == .next)
        case .fold: if state.post?.foldBranch() == false { state.notice = "No replies to fold" }
        case .foldAll: state.post?.foldAll()
        case .nextComment, .previousComment: state.post?.goToComment(forward: action == .nextComment)
        default: state.post?.move(action)
        }
        return []
    }

    /// The selected link, which has a number in the post, or an address in a comment; nil for none.
    private mutating func selectedLink() -> BrowseTarget? {
        guard let open = state.post, let link = open.link else { return nil }
        guard open.hasLinkInComment else { return .link(open.post, link.number, article: open.shownArticle) }
        guard let address = open.addressInComment else {
            state.notice = "Link \(link.number) of this comment isn't a web address"
            return nil
        }
        return .address(address)
    }

    private mutating func openNeighbour(_ step: Int) -> [BrowseEffect] {
        let index = state.list.cursor + step
        guard state.list.rows.indices.contains(index) else {
            state.notice = step > 0 ? "This is the last post" : "This is the first post"
            return []
        }
        return state.open(state.list.rows[index], at: index)
    }

    private mutating func goToMatchOrUnread(forward: Bool) -> [BrowseEffect] {
        guard state.post?.search == nil else {
            if state.post?.findNext(forward: forward) == false { state.notice = Self.notFound }
            return []
        }
        return forward ? state.goToUnread(after: state.list.cursor, opens: true) : state.goToUnreadBefore(opens: true)
    }

    private static let notFound: Message = "Not found"

    // MARK: Back

    private mutating func back(quits: Bool) -> [BrowseEffect] {
        if state.text != nil {
            state.text = nil
            return []
        }
        switch state.focus {
        case .post:
            if state.post?.link != nil {
                state.post?.deselectLink()
            } else if state.post?.search != nil {
                _ = state.post?.find("")
            } else if let effects = state.returnToPost() {
                return effects
            } else {
                state.focus = .list
                return state.leavePost()
            }
        case .sources:
            if !state.layout.isSourcesBeside { state.showsSources = nil }
            state.focus = state.focusWithoutSources
            if quits, let effects = state.returnToFirstList() { return effects }
        case .list:
            if state.layout.post != nil { return state.leavePost() }
            if let earlier = state.listBeforeSearch {
                (state.list, state.listBeforeSearch) = (earlier, nil)
                // Loading its rows stopped when the search began.
                if !state.list.isComplete { return state.load(state.list.request, keepsPost: true) }
                // What was marked meanwhile, here or elsewhere, was marked in the search only.
                return state.checkList()
            } else if !state.list.request.filter.isEmpty {
                var request = state.list.request
                request.filter = ""
                return state.load(request, keepsPost: true)
            } else if quits, state.isFromSources, !state.sources.isEmpty {
                return focusSources()
            } else if quits {
                return state.returnToFirstList() ?? state.leavePost() + [.quit]
            } else if !state.sources.isEmpty {
                return focusSources()
            }
        }
        return []
    }

    private mutating func focusSources() -> [BrowseEffect] {
        guard state.layout.sources == nil else {
            state.focus = .sources
            return []
        }
        return toggleSources()
    }

    // MARK: Order

    private mutating func askForOrder() {
        guard case .query(let query, _) = state.list.request.posts else {
            state.notice = "These posts stay in the order given"
            return
        }
        let words = state.list.request.arranged(query).optionWords
        state.prompt = Prompt(.sort(label: "Sort by (now \(words.joined(separator: " "))): "))
    }

    /// Sorts the list in the words of `blog list --sort`.
    private mutating func sort(_ entered: Prompt) -> [BrowseEffect] {
        guard case .query = state.list.request.posts else { return [] }
        let words = entered.text.split(separator: " ").map(String.init)
        var request = state.list.request
        if words.isEmpty {
            // Back to the list's own order.
            request.arrangement = nil
            return request == state.list.request ? [] : state.show(request)
        }
        do {
            request.arrangement = try Arrangement(optionWords: words, ofSearch: request.search != nil)
        } catch {
            state.prompt = entered.saying((error as? UsageError)?.message().text ?? "")
            return []
        }
        return state.show(request)
    }

    // MARK: Rules

    private mutating func askForRule() {
        guard state.markedRow != nil else { return }
        var prompt = Prompt(.rule(tested: nil, label: "Rule (Tab: others): "))
        prompt.complete(among: ruleCandidates)
        state.prompt = prompt
    }

    /// Rules that hide posts like the current one.
    private var ruleCandidates: [String] {
        guard let row = state.markedRow else { return [] }
        func quoted(_ text: String) -> String {
            let isWord = text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || $0.properties.numericType != nil
            }
            // A search can't have a quotation mark between two, but finds the words beside it.
            return isWord
                ? text : "\"\(text.unicodeScalars.split(separator: "\"").map(String.init).joined(separator: " "))\""
        }
        let hasWords = row.author.contains { $0.isLetter || $0.isNumber }
        let author = hasWords ? ["author:\(quoted(row.author))"] : []
        let source = state.sources.source(row.id.source).map { ["source:\($0.name)"] } ?? []
        let words = row.title.split { !$0.isLetter && !$0.isNumber }.filter { $0.count >= Self.minLength }
        let site = row.site.map { ["\"\($0)\""] } ?? []
        let lowercased = words.map { String($0).lowercased() }.filter { !Self.commonWords.contains($0) }
        let titles = lowercased.map { "title:" + $0 }
        return (author + site + source + titles).map { $0 + " --hide" }
    }

    /// Shorter words are rarely what a rule is about, nor are those that any title may have.
    private static let minLength = 4
    private static let commonWords = Set(
        """
        about after again been before being could does doing done from have into just like made make more most much only \
        other over should some such than that their them then there these they this those very want were what when where \
        which while will with would your
        """.split(separator: " ").map(String.init))

    // MARK: Prompt

    private mutating func type(_ key: Key) -> [BrowseEffect] {
        switch key {
        case .escape, .control("c"): state.prompt = nil
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        case .enter:
            guard let entered = state.prompt else { return [] }
            state.prompt = nil
            state.remember(entered)
            return submit(entered)
        case .backspace where state.prompt?.text.isEmpty == true: state.prompt = nil
        case .up, .down:
            let history = state.prompt?.purpose.nameOfHistory.flatMap { state.entered[$0] } ?? []
            state.prompt?.recall(history, isOlder: key == .up)
        case .tab:
            let candidates = completions
            state.prompt?.complete(among: candidates)
        default: state.prompt?.edit(key)
        }
        return []
    }

    /// What Tab completes the text of the prompt to.
    private var completions: [String] {
        switch state.prompt?.purpose {
        case .command: Action.inOrder.map(\.rawValue).sorted() + state.keys.commands.keys.sorted()
        case .folder: state.sources.folders
        case .label: state.sources.labels
        case .rule: ruleCandidates
        case .sort: Sorting.allCases.map(\.rawValue)
        default: []
        }
    }

    /// Carries out an action or a command by its name, with the words that a prompt would ask for.
    private mutating func carryOut(_ typed: String) -> [BrowseEffect] {
        let parts = typed.trimmed.split(separator: " ", maxSplits: 1).map(String.init)
        guard let name = parts.first else { return [] }
        let words = parts.count > 1 ? parts[1].trimmed : ""
        if let command = state.keys.commands[name], words.isEmpty { return start(command) }
        // As in vim and less.
        let isQuit = ["q", "q!", "wq", "x"].contains(name) && words.isEmpty
        guard let action = isQuit ? .quit : Action(rawValue: name) else {
            let known = Action.inOrder.map(\.rawValue) + state.keys.commands.keys
            let nearest = NearestName.of(name, among: known).map { ". Did you mean “\($0)”?" } ?? ""
            state.notice = "“\(name)” is no action\(nearest)"
            return []
        }
        return words.isEmpty ? perform(action, quits: true) : carryOut(action, words)
    }

    private mutating func carryOut(_ action: Action, _ words: String) -> [BrowseEffect] {
        switch action {
        case .search: return submit(Prompt(searching, text: words))
        case .filter: return submit(Prompt(.filter, text: words))
        case .sort: return sort(Prompt(.sort(label: ""), text: words))
        case .pipe: return submit(Prompt(.pipe, text: words))
        case .label: return submit(Prompt(.label, text: words))
        case .rule: return submit(Prompt(.rule(tested: nil, label: ""), text: words))
        case .follow: return lookUp(.address(words))
        case .rename, .folder:
            guard let source = state.currentSource else { return changeSource(action) }
            return follow([source.name, action == .rename ? "--as" : "--folder", words], nil)
        default:
            state.notice = "“\(action.rawValue)” takes no words"
            return []
        }
    }

    /// Carries out the command typed at a prompt.
    mutating func submit(_ entered: Prompt) -> [BrowseEffect] {
        switch entered.purpose {
        case .find:
            let isFound =
                state.text?.find(entered.text)
                ?? (state.focus == .sources ? state.sources.find(entered.text) : state.post?.find(entered.text)) ?? true
            if !isFound { state.notice = Self.notFound }
        case .command: return carryOut(entered.text)
        case .follow:
            guard !entered.text.trimmed.isEmpty else { return [] }
            return lookUp(.address(entered.text.trimmed))
        case .source(let name, _):
            guard let words = ShellWords.words(of: entered.text) else {
                state.prompt = entered.saying("A quote isn't closed")
                return []
            }
            // The first word is the name, unless it is an option.
            let isNamed = words.first.map { !$0.hasPrefix("-") } ?? false
            if isNamed, words.contains("--as") {
                state.prompt = entered.saying("Unexpected “\(words[0])” beside --as")
                return []
            }
            return follow([name] + (isNamed ? ["--as"] : []) + words, entered)
        case .folder(let name, _): return follow([name, "--folder", entered.text], entered)
        case .sort: return sort(entered)
        case .search:
            guard !entered.text.isEmpty else { return [] }
            let listed = (state.listBeforeSearch ?? state.list).request
            var request = ListRequest(listed.posts, search: entered.text)
            request.show = listed.show
            if case .these = request.posts { request.posts = .query(Query(), .everything) }
            if state.list.request.search == nil { state.listBeforeSearch = state.list }
            return state.show(request)
        case .filter:
            var request = state.list.request
            request.filter = entered.text
            return state.show(request, keepsPost: true)
        case .rule(let tested, _):
            guard !entered.text.trimmed.isEmpty else { return [] }
            state.promptToRepeat = entered
            return [entered.text == tested ? .addRule(entered.text) : .testRule(entered.text)]
        case .label: return entered.text.trimmed.isEmpty ? [] : state.toggleLabel(entered.text)
        case .pipe:
            guard let row = state.markedRow, !entered.text.isEmpty else { return [] }
            state.runningCommand = entered.text
            state.notice = "Running “\(entered.text)” (\(state.keys.name(of: .back)) to stop)"
            let article = state.post?.post == row.id ? state.post?.shownArticle : nil
            return [.pipe(row.id, article: article, command: entered.text)]
        }
        return []
    }
}
