import BlogCommandLine
import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import BlogBrowse
@testable import BlogLibrary
@testable import BlogRendering
@testable import BlogStore
@testable import BlogTerminal

/// The full-screen reader without its screen and its library: keys and results in, frames and requested work out.
struct BrowseSession {
    private var controls: BrowseControls
    /// The work requested since ``takeWork()``.
    private var work: [String] = []
    /// The number of the list requested last.
    private(set) var list = 0
    /// The number of the reading requested last.
    private(set) var reading = 0
    /// The number of the request for the page behind a link.
    private(set) var link = 0
    var wrongLink: Int { link - 1 }

    /// A number that no list or reading has.
    static let wrongNumber = 999_999

    /// A session on 1 January 2026, whose list has arrived.
    ///
    /// - Parameter posts: the rows of the list; nil if none have arrived.
    init(
        _ posts: [ListRow]?, columns: Int = 44, rows: Int = 6, isEnd: Bool = true,
        request: ListRequest = ListRequest(.query(Query(), .everything)), keys: KeyMap = KeyMap(),
        opensFirst: Bool = false, beginsWithSources: Bool = false, refreshes: Bool = false
    ) {
        let dates = DateText(now: Date(timeIntervalSince1970: 1_767_225_600), timeZone: .gmt)
        let (state, effects) = BrowseState.start(
            request, listName: "All posts", size: ScreenSize(columns: columns, rows: rows), keys: keys, dates: dates,
            opensFirst: opensFirst, beginsWithSources: beginsWithSources, refreshes: refreshes)
        controls = BrowseControls(state)
        note(effects)
        guard let posts else { return }
        give(rows: posts, isEnd: isEnd)
        if !opensFirst { work = [] }
    }

    // MARK: Events

    /// Handles an event, and returns the resulting work.
    @discardableResult
    mutating func give(_ event: BrowseEvent) -> [String] {
        let effects = controls.handle(event)
        note(effects)
        return effects.map(Self.text)
    }

    /// Presses keys by their names, with spaces between them.
    @discardableResult
    mutating func press(_ keys: String) -> [String] {
        keys.split(separator: " ").flatMap { name in
            guard let key = Key(name: String(name)) else {
                Issue.record("unknown key “\(name)”")
                return [String]()
            }
            return give(.key(key))
        }
    }

    /// Types a text into a prompt, and presses Enter.
    @discardableResult
    mutating func enter(_ text: String) -> [String] {
        for character in text { give(.key(.character(character))) }
        return press("enter")
    }

    @discardableResult
    mutating func give(rows: [ListRow], isEnd: Bool = true) -> [String] {
        give(.rows(rows, isEnd: isEnd, list: list))
    }

    /// Ends a refresh that brought new posts of all sources, and finds so many posts of the list in the store.
    @discardableResult
    mutating func endRefresh(new: Int, posts: Int, unread: Int? = nil) -> [String] {
        let work = give(.refreshed(new: new, nil))
        return work + give(.checked([:], ListCounts(posts: posts, unread: unread ?? posts), list: list))
    }

    /// Delivers the numbers of the list's posts.
    mutating func give(posts: Int) { give(.counts(ListCounts(posts: posts, unread: posts), list: list)) }

    /// Delivers lines of the open post and, unless more follow, its end.
    @discardableResult
    mutating func give(lines: [String], isSummary: Bool = false, isEnd: Bool = true) -> [String] {
        let work = give(.lines(lines.map { StyledText($0) }, isSummary: isSummary, request: reading))
        return isEnd ? work + give(.postLoaded(nil, request: reading)) : work
    }

    /// Delivers a comment of two lines or more; its ID is the name of its author.
    @discardableResult
    mutating func give(comment id: String, depth: Int = 0, _ lines: String...) -> [String] {
        let text = lines.isEmpty ? ["says \(id)"] : lines
        let comment = Comment(
            id: id, author: Author(name: id), publishDate: Timestamp(secondsSince1970: 1_767_214_800),
            body: text.joined(separator: " "), depth: depth, removal: nil, replyCount: 0, isNew: false)
        let margin = String(repeating: "│ ", count: depth)
        let shown = (["", id + " · 3h"] + text).map { StyledText(margin + $0) }
        return give(.comment(comment, shown, request: reading))
    }

    @discardableResult
    mutating func resize(_ columns: Int, _ rows: Int) -> [String] {
        give(.resized(ScreenSize(columns: columns, rows: rows)))
    }

    // MARK: Results

    var state: BrowseState { controls.state }
    /// The screen as text.
    var screen: [String] { BrowseView(state).frame().text }
    /// The last row.
    var status: String { screen.last ?? "" }
    /// The post with the cursor.
    var current: String { state.list.current?.id.local ?? "-" }
    /// The open post.
    var open: String { state.post?.post.local ?? "-" }

    /// The work requested since the last call.
    mutating func takeWork() -> [String] {
        defer { work = [] }
        return work
    }

    private mutating func note(_ effects: [BrowseEffect]) {
        for effect in effects {
            switch effect {
            case .loadList(_, let number, _): list = number
            case .loadPost(let request): reading = request.number
            case .readLink(_, let number): link = number
            default: break
            }
        }
        work += effects.map(Self.text)
    }

    // MARK: Work as text

    private static func text(_ request: PostRequest) -> String {
        let article = request.article.map { ", article: \($0)" } ?? ""
        return "read \(request.post.local)\(request.isForced ? " again" : "") at \(request.width)\(article)"
    }

    static func text(_ effect: BrowseEffect) -> String {
        switch effect {
        case .loadList(let request, _, let rows): "list \(text(request)), \(rows) rows"
        case .countElsewhere(let request, _): "count elsewhere \(text(request))"
        case .loadRows(let count, _): count == .max ? "all rows" : "\(count) rows"
        case .countPosts: "count"
        case .check: "check"
        case .markAll(let scope): "mark all in \(scope == .everything ? "everything" : "a source")"
        case .loadPost(let request): text(request)
        case .stopLoadingPost: "stop reading"
        case .recordReading(let post, false): "\(post.local) is read"
        case .recordReading(let post, true): "\(post.local) is read with its article"
        case .recordPlace(let post, let letters): "left \(post.local) at \(letters.map { "\($0)" } ?? "no place")"
        case .recordSeen(let comments, let post): "\(comments.joined(separator: " ")) of \(post.local) seen"
        case .mark(let mark, let posts): "mark \(mark.text) \(posts.map(\.local).joined(separator: " "))"
        case .undo: "undo"
        case .loadSources: "sources"
        case .refresh(let scope, let isForced): "refresh \(text(scope))\(isForced ? "" : " if due")"
        case .open(let target): text(target)
        case .copy(let target): "\(text(target)) copied"
        case .readLink(let target, _): "read \(text(target))"
        case .saveLink(let target): "save \(text(target))"
        case .pipe(let post, let article, let command):
            "\(post.local)\(article.map { ", article: \($0)," } ?? "") to “\(command)”"
        case .run(let command, let post, let link): "\(command.name) \(post.local)\(link.map { ", \(text($0))" } ?? "")"
        case .stopCommand: "stop the command"
        case .lookUp(let target): "look up \(text(target))"
        case .follow(let words): "follow \(words.joined(separator: "|"))"
        case .unfollow(let source): "unfollow \(source.name)"
        case .testRule(let rule): "test rule \(rule)"
        case .addRule(let rule): "add rule \(rule)"
        case .fetchRanking(_, let count): "fetch \(count)"
        case .redraw: "redraw"
        case .suspend: "suspend"
        case .quit: "quit"
        }
    }

    private static func text(_ request: ListRequest) -> String {
        let posts: String =
            switch request.posts {
            case .query(_, let scope): text(scope)
            case .these(let posts): "these \(posts.map(\.local).joined(separator: " "))"
            }
        let show = request.show == .asRequested ? "" : " \(request.show)"
        let filter = request.filter.isEmpty ? "" : " with “\(request.filter)”"
        let order = request.arrangement == nil ? "" : " \(request.order)"
        return "\(posts)\(show)\(order)\(filter)\(request.search.map { " for “\($0)”" } ?? "")"
    }

    private static func text(_ target: BrowseTarget) -> String {
        switch target {
        case .page(let post): "page of \(post.local)"
        case .discussion(let post): "discussion of \(post.local)"
        case .link(let post, let number, let article):
            "link \(number) of \(post.local)\(article.map { ", article: \($0)" } ?? "")"
        case .address(let address): address
        }
    }

    private static func text(_ scope: Scope) -> String {
        switch scope {
        case .everything: "everything"
        case .folder(let name): "folder \(name)"
        case .label(let name): "label \(name)"
        case .sources(let sources): sources.map(\.address).joined(separator: " ")
        }
    }
}

// MARK: Samples

extension SourceID {
    /// A source named by one letter.
    static func sample(_ name: String) -> SourceID { SourceID(kind: "feed", address: name) }
}

extension ListRow {
    /// A post that is three hours old.
    ///
    /// - Parameter spec: its title, after `-` if the post is read, and after `*` if it is saved.
    static func sample(
        _ id: String, _ spec: String, of source: String = "a", named: String? = nil, group: String? = nil,
        rank: Int? = nil, points: Int? = nil, comments: Int? = nil, author: String = "", summary: String? = nil
    ) -> ListRow {
        let marks = spec.prefix { "-*".contains($0) }
        let metadata = PostMetadata(
            id: id, title: String(spec.dropFirst(marks.count)),
            publishDate: Timestamp(secondsSince1970: 1_767_214_800), postId: id, summary: summary,
            author: Author(name: author), score: points, commentCount: comments)
        let post = StoredPost(
            metadata: metadata, source: .sample(source), group: group,
            state: PostState(isRead: marks.contains("-"), isSaved: marks.contains("*")), rank: rank)
        return ListRow(post, source: named, group: group)
    }

    /// Posts with these titles and the IDs 1, 2 and so on.
    static func samples(_ specs: [String]) -> [ListRow] {
        specs.enumerated().map { sample("\($0 + 1)", $1) }
    }

    /// A number of unread posts, titled by their numbers.
    static func samples(_ count: Int, from first: Int = 1) -> [ListRow] {
        (first..<first + count).map { sample("\($0)", "Post \($0)") }
    }
}

extension SourceState {
    /// A followed source.
    static func sample(_ name: String, title: String? = nil, folder: String = "", unread: Int = 0) -> SourceState {
        sample(.sample(name), name, title: title ?? name.uppercased(), folder: folder, unread: unread)
    }

    /// A saved search.
    static func search(_ name: String, _ typed: String, unread: Int = 0) -> SourceState {
        sample(.search(typed), name, title: nil, folder: "", unread: unread)
    }

    static func sample(
        _ id: SourceID, _ name: String, title: String? = nil, folder: String = "", unread: Int = 0
    ) -> SourceState {
        let stored = StoredSource(
            key: 1, id: id, name: name, folder: folder, title: title,
            followedAt: .distantPast, validators: CacheValidators(etag: nil, lastModified: nil), digest: nil,
            refreshedAt: nil, currentUntil: nil, posts: 10, unread: unread, bodies: 0, comments: 0, validatedAt: nil,
            problem: nil, reason: nil, failedAt: nil, dueAt: nil, failures: 0, movedTo: nil, site: nil, keep: nil,
            prunedAt: nil,
            label: nil, article: nil, articleBody: nil, articleDrop: nil, every: nil, home: nil,
            feed: nil, account: nil, isForgotten: false)
        return SourceState(stored, now: .distantPast)
    }
}

extension MarkingReport {
    /// The report of an undo.
    static func sample(_ mark: Mark, _ titles: String...) -> MarkingReport {
        MarkingReport(mark: mark, known: titles.count, changed: titles.count, unknownIDs: [], titles: titles)
    }
}

extension BrowseEvent {
    /// The event that sources were loaded whose posts have no duplicates.
    static func sources(_ states: [SourceState], labels: [LabelCounts] = []) -> BrowseEvent {
        let own = states.filter { !$0.id.isSearch && !$0.id.isService }
        let folders = own.flatMap { source in FolderPath(source.folder).ancestors.map { ($0, source.unread) } }
        let overview = SourceOverview(
            sources: states, unread: own.reduce(0) { $0 + $1.unread },
            unreadByFolder: Dictionary(folders, uniquingKeysWith: +))
        return .overview(overview, labels: labels)
    }
}
