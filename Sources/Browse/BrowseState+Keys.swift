import BlogLibrary
import Model
import Rendering
import Store
import Terminal

extension BrowseState {
    /// Does what a key means where the focus is.
    mutating func press(_ key: Key) -> [BrowseEffect] {
        if prompt != nil { return type(key) }
        notice = nil
        if runningCommand != nil, keys[key] == .back {
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
        return perform(action, isLeaving: ![.escape, .left, .backspace, .character("h")].contains(key))
    }

    private static func digit(_ key: Key) -> Int? {
        guard case .character(let character) = key, let digit = character.wholeNumberValue, character.isASCII, digit > 0
        else { return nil }
        return digit
    }

    /// - Parameter isLeaving: whether going back from the list quits.
    mutating func perform(_ action: Action, isLeaving: Bool) -> [BrowseEffect] {
        switch action {
        case .help: text = .help(keys, in: focus, width: size.columns)
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: return leavePost() + [.quit]
        case .back: return back(isLeaving: isLeaving)
        case _ where text != nil: performInText(action)
        case _ where Self.needsPosts.contains(action) && layout.list == nil && layout.post == nil:
            notice = "There are no posts on the screen"
        case .undo: return [.undo]
        case .refreshAll:
            isRefreshAwaited = true
            return [.refresh(.everything, isForced: true)]
        case .refresh: return refresh()
        case .sources: return toggleSources()
        case .split:
            isSplit = !layout.isSplit
            layOut()
            return readAgainIfNeeded()
        case .search: prompt = Prompt(focus == .post ? .find : .search)
        case .filter: prompt = Prompt(.filter, text: list.request.filter)
        case .forward, .backward: return goForward(action == .forward)
        case .pipe: if markedRow != nil { prompt = Prompt(.pipe) }
        case .toggleRead: return toggleRead()
        case .save: return toggleSaved()
        case .markShown: return markShown()
        case .markAbove: return markAbove()
        case .markBelow: return markBelow()
        case .browser, .discussion:
            // It may have to be fetched first.
            let effects = selected { action == .browser ? .openPage($0) : .openDiscussion($0) }
            if !effects.isEmpty { notice = "Opening…" }
            return effects
        case .copy: return selected { .copyLink($0) }
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

    /// Actions that must not change posts that nobody sees.
    private static let needsPosts: Set<Action> = [
        .toggleRead, .save, .markShown, .markAbove, .markBelow, .browser, .discussion, .copy, .pipe, .article,
    ]

    private func selected(_ effect: (PostID) -> BrowseEffect) -> [BrowseEffect] {
        let id = focus == .post ? post?.post : list.current?.id
        return id.map { [effect($0)] } ?? []
    }

    // MARK: Text

    private mutating func performInText(_ action: Action) {
        guard let page = text?.page else { return }
        if let distance = action.distance(page: page) { text?.scroll(by: distance) }
        switch action {
        case .first: text?.scroll(to: 0)
        case .last: text?.scroll(to: .max)
        case .readOn: text?.scroll(by: page)
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
        case .last: sources.moveToEnd()
        case .open, .readOn: return go(to: sources.current.scope, sources.current.name)
        default: break
        }
        return []
    }

    /// Lists the posts of a scope.
    mutating func go(to scope: Scope, _ name: String) -> [BrowseEffect] {
        let query: Query = if case .query(let query, _) = firstList.request.posts { query } else { Query() }
        var request = ListRequest(.query(query, scope))
        request.show = list.request.show
        let effects = leavePost()
        (earlierLists, focus, place, showsSources) = ([], .list, name, layout.isSourcesBeside ? showsSources : nil)
        sources.select(scope)
        return effects + load(request, keepsPost: false)
    }

    /// The list below all searches.
    private var firstList: ListPane { earlierLists.first ?? list }

    /// The pane that has the focus when the sources no longer have it: the list, unless only a post is shown.
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
        return readAgainIfNeeded() + sourcesIfShown
    }

    // MARK: Lists

    private mutating func performInList(_ action: Action) -> [BrowseEffect] {
        if let distance = action.distance(page: list.page) { list.move(by: distance) }
        switch action {
        case .first: list.move(to: 0)
        case .last:
            guard list.isComplete else {
                pending = .end
                return moreRows(Self.allRows)
            }
            list.move(to: list.rows.count - 1)
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

    /// Goes to the next unread post behind a row, then from the top; at the end of all of them to the next source.
    mutating func goToUnread(after row: Int, opens: Bool) -> [BrowseEffect] {
        pending = nil
        let above = list.isComplete ? list.unread(after: -1) : nil
        // A post that could not be read stays unread, and isn't the next one again.
        if let next = list.unread(after: row) ?? above.flatMap({ $0 == row ? nil : $0 }) {
            guard opens else {
                list.move(to: next)
                return []
            }
            return open(list.rows[next], at: next)
        }
        guard list.isComplete else {
            pending = .unread(after: row, opens: opens)
            return moreRows(list.rows.count + Self.manyRows)
        }
        guard let other = sources.unread(after: list.request.scope), earlierLists.isEmpty else {
            notice = "No more unread posts here"
            return []
        }
        guard isNextListOffered else {
            isNextListOffered = true
            offerNextList()
            // What was just read may be counted still.
            return [.sources]
        }
        let effects = go(to: other.scope, other.name)
        isNextListOffered = false
        notice = "Now in \(other.name)"
        if opens { pending = .unread(after: -2, opens: true) }
        return effects
    }

    /// Says which list is next, if there is one.
    mutating func offerNextList() {
        guard let other = sources.unread(after: list.request.scope) else {
            isNextListOffered = false
            notice = "No more unread posts here"
            return
        }
        notice = "No more unread posts here. Press again to go on to \(other.name)"
    }

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
        focus = .list
        return leavePost() + load(request, keepsPost: true)
    }

    private mutating func refresh() -> [BrowseEffect] {
        if focus == .post, newPosts == 0, let open = post {
            return readAgain(width: open.textWidth, isForced: true)
        }
        guard newPosts == 0 else { return load(list.request, keepsPost: true) }
        let scope: Scope = list.current.map { .sources([$0.id.source]) } ?? list.request.scope
        isRefreshAwaited = true
        return [.refresh(scope, isForced: true)]
    }

    /// Goes on to the next pane or link.
    private mutating func goForward(_ isForward: Bool) -> [BrowseEffect] {
        if focus == .post, !layout.isSplit || post?.link != nil || isForward {
            if post?.selectLink(forward: isForward) == true { return [] }
            guard layout.isSplit else {
                notice = isForward ? "No more links below" : "No more links above"
                return []
            }
        }
        let panes = [layout.sources.map { _ in Focus.sources }, .list, layout.post.map { _ in Focus.post }]
            .compactMap { $0 }
        guard layout.isSplit || layout.isSourcesBeside, let index = panes.firstIndex(of: focus) else { return [] }
        focus = panes[(index + (isForward ? 1 : panes.count - 1)) % panes.count]
        post?.deselectLink()
        return []
    }

    // MARK: Posts

    private mutating func performInPost(_ action: Action) -> [BrowseEffect] {
        guard let page = post?.page else { return [] }
        if let distance = action.distance(page: page) { post?.scroll(by: distance) }
        switch action {
        case .first: post?.scroll(to: 0)
        case .last: post?.scroll(to: .max)
        case .readOn:
            if post?.isAtEnd == true { return goToUnread(after: list.cursor, opens: true) }
            post?.scroll(by: page)
        case .open: return openLink()
        case .nextPost, .previousPost: return openNeighbour(action == .nextPost ? 1 : -1)
        case .next, .previous: return goOn(forward: action == .next)
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

    private mutating func goOn(forward: Bool) -> [BrowseEffect] {
        guard post?.sought == nil else {
            if post?.findNext(forward: forward) == false { notice = Self.notFound }
            return []
        }
        return forward ? goToUnread(after: list.cursor, opens: true) : goToUnreadBefore(opens: true)
    }

    private static let notFound: Message = "Not found"

    // MARK: Back

    private mutating func back(isLeaving: Bool) -> [BrowseEffect] {
        if text != nil {
            text = nil
            return []
        }
        switch focus {
        case .post:
            if post?.link != nil {
                post?.deselectLink()
            } else if post?.sought != nil {
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
            if let earlier = earlierLists.popLast() {
                list = earlier
                // Nobody reads its rows any more.
                if !list.isComplete { return load(list.request, keepsPost: true) }
            } else if !list.request.filter.isEmpty {
                var request = list.request
                request.filter = ""
                return load(request, keepsPost: true)
            } else if isLeaving {
                return leavePost() + [.quit]
            } else if !sources.isEmpty {
                return toggleSourcesFocus()
            }
        }
        return []
    }

    /// Goes to the left of the list.
    private mutating func toggleSourcesFocus() -> [BrowseEffect] {
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
            return take(entered)
        case .backspace where prompt?.text.isEmpty == true: prompt = nil
        default: _ = prompt?.edit(key)
        }
        return []
    }

    mutating func take(_ entered: Prompt) -> [BrowseEffect] {
        switch entered.purpose {
        case .find:
            let isFound = (text != nil ? text?.find(entered.text) : post?.find(entered.text)) ?? true
            if !isFound { notice = Self.notFound }
        case .search:
            guard !entered.text.isEmpty else { return [] }
            var request = ListRequest(firstList.request.posts, search: entered.text)
            if case .these = request.posts { request.posts = .query(Query(), .everything) }
            if list.request.search == nil { earlierLists.append(list) }
            let effects = leavePost()
            focus = .list
            return effects + load(request, keepsPost: false)
        case .filter:
            var request = list.request
            request.filter = entered.text
            let effects = leavePost()
            focus = .list
            return effects + load(request, keepsPost: false)
        case .pipe:
            guard let row = markedRow, !entered.text.isEmpty else { return [] }
            runningCommand = entered.text
            notice = "Running “\(entered.text)” (\(keys.name(of: .back)): stop)"
            let article = post?.post == row.id ? post?.shownArticle : nil
            return [.pipe(row.id, article: article, command: entered.text)]
        }
        return []
    }
}
