import BlogCommandLine
import BlogMarkup
import BlogModel
import BlogTerminal

extension BrowseState {
    mutating func press(_ key: Key) -> [BrowseEffect] {
        if prompt != nil { return type(key) }
        notice = nil
        if runningCommand != nil, keys[key] == .leave {
            runningCommand = nil
            notice = "Stopped"
            return [.stopCommand]
        }
        defer { isNextListOffered = isNextListOffered && [.readOn, .next].contains(keys[key]) }
        if text == nil, focus == .post, let number = Self.digit(key), let open = post {
            return [.openLink(open.post, number, article: open.shownArticle)]
        }
        guard let action = keys[key] else {
            notice = "\(key.name) does nothing (\(keys.name(of: .help)) shows all keys)"
            return []
        }
        return perform(action, quits: ![.escape, .left, .backspace, .character("h")].contains(key))
    }

    private static func digit(_ key: Key) -> Int? {
        guard case .character(let character) = key, let digit = character.wholeNumberValue, character.isASCII, digit > 0
        else { return nil }
        return digit
    }

    /// - Parameter quits: whether going back from the list quits.
    mutating func perform(_ action: Action, quits: Bool) -> [BrowseEffect] {
        switch action {
        case .help: text = .help(keys, in: focus, width: size.columns)
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: return leavePost() + [.quit]
        case .leave: return back(quits: quits)
        case _ where text != nil: performInText(action)
        case _ where Self.needsPosts.contains(action) && layout.list == nil && layout.post == nil:
            notice = "No posts on the screen"
        case .undo: return [.undo]
        case .refreshAll:
            isRefreshRequested = true
            return [.refresh(.everything, isForced: true)]
        case .refresh: return refresh()
        case .sources: return toggleSources()
        case .split:
            isSplit = !layout.isSplit
            layOut()
            return reloadPostIfWidthChanged()
        case .search: prompt = Prompt(focus == .post ? .find : .search)
        case .filter: prompt = Prompt(.filter, text: list.request.filter)
        case .nextLinkOrPane, .previousLinkOrPane: return moveFocus(forward: action == .nextLinkOrPane)
        case .pipe: if markedRow != nil { prompt = Prompt(.pipe) }
        case .toggleRead: return toggleRead()
        case .save: return toggleSaved()
        case .markShown: return markShown()
        case .markAbove: return markAbove()
        case .markBelow: return markBelow()
        case .browser, .discussion:
            // The post may have to be fetched first.
            let effects = withCurrentPost { action == .browser ? .openPage($0) : .openDiscussion($0) }
            if !effects.isEmpty { notice = "Opening…" }
            return effects
        case .copy: return withCurrentPost { .copyLink($0) }
        case .article: return toggleArticle()
        case .showAll: return show(.all)
        case .showUnread: return show(.unread)
        case .showSaved: return show(.saved)
        default:
            switch focus {
            case .sources: return performInSources(action)
            case .list: return performInList(action)
            case .post: return performInPost(action)
            }
        }
        return []
    }

    /// Actions on posts, which must be visible.
    private static let needsPosts: Set<Action> = [
        .toggleRead, .save, .markShown, .markAbove, .markBelow, .browser, .discussion, .copy, .pipe, .article,
    ]

    private func withCurrentPost(_ effect: (PostID) -> BrowseEffect) -> [BrowseEffect] {
        let id = focus == .post ? post?.post : list.current?.id
        return id.map { [effect($0)] } ?? []
    }

    // MARK: Text

    private mutating func performInText(_ action: Action) {
        guard let viewport = text?.viewport else { return }
        if let distance = action.distance(page: viewport.page) { text?.scroll(to: viewport.top + distance) }
        switch action {
        case .first: text?.scroll(to: 0)
        case .last: text?.scroll(to: .max)
        case .readOn: text?.scroll(to: viewport.top + viewport.page)
        case .search: prompt = Prompt(.find)
        case .next, .previous: if text?.findNext(forward: action == .next) == false { notice = Self.notFound }
        default: break
        }
    }

    // MARK: Sources

    private mutating func performInSources(_ action: Action) -> [BrowseEffect] {
        if let distance = action.distance(page: sources.page) { sources.move(by: distance) }
        switch action {
        case .first: sources.move(to: 0)
        case .last: sources.move(to: .max)
        case .open, .readOn: return openList(of: sources.current)
        default: break
        }
        return []
    }

    private mutating func openList(of source: (scope: Scope, name: String)) -> [BrowseEffect] {
        let query: Query =
            if case .query(let query, _) = (listBeforeSearch ?? list).request.posts { query } else { Query() }
        var request = ListRequest(.query(query, source.scope))
        request.show = list.request.show
        (listBeforeSearch, listName) = (nil, source.name)
        if !layout.isSourcesBeside { showsSources = nil }
        sources.select(source.scope)
        return show(request)
    }

    /// Closes the post, and loads a list.
    private mutating func show(_ request: ListRequest, keepsPost: Bool = false) -> [BrowseEffect] {
        let effects = leavePost()
        focus = .list
        return effects + load(request, keepsPost: keepsPost)
    }

    /// The pane that gets the focus when the sources lose it.
    var focusWithoutSources: Focus { post == nil || layout.isSplit ? .list : .post }

    private mutating func toggleSources() -> [BrowseEffect] {
        if layout.sources != nil {
            showsSources = false
            if focus == .sources { focus = focusWithoutSources }
        } else {
            showsSources = true
            focus = .sources
            sources.select(list.request.scope)
        }
        layOut()
        return reloadPostIfWidthChanged() + sourcesIfShown
    }

    // MARK: Lists

    private mutating func performInList(_ action: Action) -> [BrowseEffect] {
        if let distance = action.distance(page: list.page) { list.move(by: distance) }
        switch action {
        case .first: list.move(to: 0)
        case .last:
            return withAllRows {
                $0.list.move(to: .max)
                return []
            }
        case .readOn where isNextListOffered: return goToUnread(after: list.cursor, opens: true)
        case .open, .readOn: if let row = list.current { return open(row, at: list.cursor) }
        case .nextPost: list.move(by: 1)
        case .previousPost: list.move(by: -1)
        case .next: return goToUnread(after: list.cursor, opens: false)
        case .previous: return goToUnreadBefore(opens: false)
        default: break
        }
        return []
    }

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
    mutating func offerNextList() {
        let other = sources.unread(after: list.request.scope)
        isNextListOffered = other != nil
        notice = other.map { "\(Self.noMoreUnread.text). Press again to go on to \($0.name)" } ?? Self.noMoreUnread
    }

    private static let noMoreUnread: Message = "No more unread posts here"
    private static let manyRows = 2000

    private mutating func goToUnreadBefore(opens: Bool) -> [BrowseEffect] {
        guard let previous = list.unread(before: list.cursor) else {
            notice = "No unread posts above"
            return []
        }
        list.move(to: previous)
        return opens ? open(list.rows[previous], at: previous) : []
    }

    private mutating func show(_ show: ListRequest.Show) -> [BrowseEffect] {
        var request = list.request
        request.show = show
        return self.show(request, keepsPost: true)
    }

    private mutating func refresh() -> [BrowseEffect] {
        if focus == .post, newPosts == 0, let open = post {
            return reloadPost(width: open.textWidth, isForced: true)
        }
        guard newPosts == 0 else { return load(list.request, keepsPost: true) }
        let scope: Scope = list.current.map { .sources([$0.id.source]) } ?? list.request.scope
        isRefreshRequested = true
        return [.refresh(scope, isForced: true)]
    }

    /// Selects the next link of the post, or else the next pane.
    private mutating func moveFocus(forward: Bool) -> [BrowseEffect] {
        let layout = layout
        if focus == .post, !layout.isSplit || post?.link != nil || forward {
            if post?.selectLink(forward: forward) == true { return [] }
            guard layout.isSplit else {
                notice = forward ? "No more links below" : "No more links above"
                return []
            }
        }
        let panes = [layout.sources.map { _ in Focus.sources }, .list, layout.post.map { _ in Focus.post }]
            .compactMap { $0 }
        guard layout.isSplit || layout.isSourcesBeside, let index = panes.firstIndex(of: focus) else { return [] }
        focus = panes[(index + (forward ? 1 : panes.count - 1)) % panes.count]
        post?.deselectLink()
        return []
    }

    // MARK: Posts

    private mutating func performInPost(_ action: Action) -> [BrowseEffect] {
        guard let page = post?.viewport.page else { return [] }
        if let distance = action.distance(page: page) { post?.scroll(by: distance) }
        switch action {
        case .first: post?.scroll(to: 0)
        case .last: post?.scroll(to: .max)
        case .readOn:
            if post?.isAtEnd == true { return goToUnread(after: list.cursor, opens: true) }
            post?.scroll(by: page)
        case .open: return openLink()
        case .nextPost, .previousPost: return openNeighbour(action == .nextPost ? 1 : -1)
        case .next, .previous: return goToMatchOrUnread(forward: action == .next)
        case .fold: if post?.foldBranch() == false { notice = "No replies to fold" }
        case .foldAll: post?.foldAll()
        case .nextComment, .previousComment: post?.goToComment(forward: action == .nextComment)
        default: break
        }
        return []
    }

    private mutating func openLink() -> [BrowseEffect] {
        guard let open = post, let link = open.link else { return [] }
        guard open.hasLinkInComment else {
            return [.openLink(open.post, link.number, article: open.shownArticle)]
        }
        guard let address = open.addressInComment else {
            notice = "Link \(link.number) of this comment isn't a web address"
            return []
        }
        return [.openAddress(address)]
    }

    private mutating func openNeighbour(_ step: Int) -> [BrowseEffect] {
        let index = list.cursor + step
        guard list.rows.indices.contains(index) else {
            notice = step > 0 ? "This is the last post" : "This is the first post"
            return []
        }
        return open(list.rows[index], at: index)
    }

    private mutating func goToMatchOrUnread(forward: Bool) -> [BrowseEffect] {
        guard post?.search == nil else {
            if post?.findNext(forward: forward) == false { notice = Self.notFound }
            return []
        }
        return forward ? goToUnread(after: list.cursor, opens: true) : goToUnreadBefore(opens: true)
    }

    private static let notFound: Message = "Not found"

    // MARK: Back

    private mutating func back(quits: Bool) -> [BrowseEffect] {
        if text != nil {
            text = nil
            return []
        }
        switch focus {
        case .post:
            if post?.link != nil {
                post?.deselectLink()
            } else if post?.search != nil {
                _ = post?.find("")
            } else {
                focus = .list
                return leavePost()
            }
        case .sources:
            if !layout.isSourcesBeside { showsSources = nil }
            focus = focusWithoutSources
        case .list:
            if layout.post != nil { return leavePost() }
            if let earlier = listBeforeSearch {
                (list, listBeforeSearch) = (earlier, nil)
                // Loading its rows stopped when the search began.
                if !list.isComplete { return load(list.request, keepsPost: true) }
            } else if !list.request.filter.isEmpty {
                var request = list.request
                request.filter = ""
                return load(request, keepsPost: true)
            } else if quits {
                return leavePost() + [.quit]
            } else if !sources.isEmpty {
                return focusSources()
            }
        }
        return []
    }

    private mutating func focusSources() -> [BrowseEffect] {
        guard layout.sources == nil else {
            focus = .sources
            return []
        }
        return toggleSources()
    }

    // MARK: Prompt

    private mutating func type(_ key: Key) -> [BrowseEffect] {
        switch key {
        case .escape, .control("c"): prompt = nil
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        case .enter:
            guard let entered = prompt else { return [] }
            prompt = nil
            return submit(entered)
        case .backspace where prompt?.text.isEmpty == true: prompt = nil
        default: prompt?.edit(key)
        }
        return []
    }

    /// Carries out the command typed at a prompt.
    mutating func submit(_ entered: Prompt) -> [BrowseEffect] {
        switch entered.purpose {
        case .find:
            let isFound = (text != nil ? text?.find(entered.text) : post?.find(entered.text)) ?? true
            if !isFound { notice = Self.notFound }
        case .search:
            guard !entered.text.isEmpty else { return [] }
            var request = ListRequest((listBeforeSearch ?? list).request.posts, search: entered.text)
            if case .these = request.posts { request.posts = .query(Query(), .everything) }
            if list.request.search == nil { listBeforeSearch = list }
            return show(request)
        case .filter:
            var request = list.request
            request.filter = entered.text
            return show(request)
        case .pipe:
            guard let row = markedRow, !entered.text.isEmpty else { return [] }
            runningCommand = entered.text
            notice = "Running “\(entered.text)” (\(keys.name(of: .leave)) to stop)"
            let article = post?.post == row.id ? post?.shownArticle : nil
            return [.pipe(row.id, article: article, command: entered.text)]
        }
        return []
    }
}
