import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// A key, or a result of a ``BrowseEffect``.
package enum BrowseEvent: Sendable {
    case key(Key)
    /// Pasted text, which never acts as keys.
    case paste(String)
    case resized(ScreenSize)
    /// More rows of the list with this number.
    case rows([ListRow], isEnd: Bool, list: Int)
    case listFailed(Message, list: Int)
    case counts(ListCounts, list: Int)
    /// The lines that follow are those of the linked article.
    case article(request: Int)
    /// The article could not be fetched, or not refreshed.
    case articleFailed(Message, request: Int)
    /// More lines of the post, or of its summary if its text could not be read.
    case lines([StyledText], isSummary: Bool, request: Int)
    /// A picture drawn with symbols, to be shown above a line.
    case picture([StyledText], line: Int, request: Int)
    case comment(Comment, [StyledText], request: Int)
    /// The post and its comments are complete; the message says what is missing.
    case postLoaded(Message?, request: Int)
    case postFailed(Message, request: Int)
    case sources([SourceState])
    case refreshing(done: Int, count: Int)
    /// The number of posts of a ranking that are stored now.
    case rankingFetched(Int)
    /// A refresh has ended; the message is about failures.
    case refreshed(new: Int, Message?)
    /// All posts of a source or folder were marked as read.
    case allMarked(MarkingReport)
    /// The last mark was undone; nil if there was none.
    case undone(MarkingReport?)
    case output([String], command: String)
    case notice(Message)
    /// Another process has changed the store.
    case storeChanged
    /// The marks and the numbers of the list's posts after that; nil for what could not be counted.
    case checked([PostID: PostState], ListCounts?, list: Int)
    /// Time has passed, which ages of posts show.
    case minutePassed
}

/// Work to be done for the screen; the results come back as ``BrowseEvent``s.
package enum BrowseEffect: Sendable, Equatable {
    /// Load a list from its beginning, at least `rows` rows.
    case loadList(ListRequest, number: Int, rows: Int)
    /// Continue loading until the list has `upTo` rows.
    case loadRows(upTo: Int, list: Int)
    case countPosts(ListRequest, number: Int)
    /// Look up the marks of a list's rows, and count its posts again.
    case check(ListRequest, number: Int, [PostID])
    case loadPost(PostRequest)
    case stopLoadingPost
    case recordReading(PostID)
    case recordSeen(comments: [String], PostID)
    case mark(Mark, [PostID])
    /// Mark all posts of sources as read.
    case markAll(Scope)
    case undo
    case loadSources
    /// Refresh the sources of a list: all of them if forced, otherwise those that are due.
    case refresh(Scope, isForced: Bool)
    /// Fetch the first `upTo` posts of a ranking.
    case fetchRanking(ListRequest, upTo: Int)
    case openPage(PostID)
    case openLink(PostID, Int, article: ArticleChoice?)
    case openAddress(String)
    case openDiscussion(PostID)
    case copyPage(PostID)
    case copyLink(PostID, Int, article: ArticleChoice?)
    case copyAddress(String)
    case pipe(PostID, article: ArticleChoice?, command: String)
    case stopCommand
    case redraw
    case suspend
    case quit
}

/// A request for the text of a post.
package struct PostRequest: Sendable, Hashable {
    package let post: PostID
    /// The columns to lay lines out for.
    package let width: Int
    /// Identifies the request in its results.
    package let number: Int
    /// Whether to show the article that the post links to; nil for the setting of its source.
    package var article: ArticleChoice?
    /// Whether to refresh what is stored.
    package var isForced = false
    /// Whether another text of the post stays on the screen until this one arrives, or if there is no article.
    package var replacesText = false
}

/// A request for the rows of a list.
package struct ListRequest: Sendable, Hashable {
    package var posts: Posts
    package var show = Show.asRequested
    /// The words and conditions of a filter as typed; "" for none.
    package var filter = ""
    /// The words and conditions of a search in the whole scope; nil for a list.
    package var search: String?

    package enum Posts: Sendable, Hashable {
        case query(Query, Scope)
        /// These posts in this order.
        case these([PostID])
    }

    package enum Show: Sendable, Hashable {
        /// What the command line's options select.
        case asRequested
        case all
        case unread
        case saved
    }

    package init(_ posts: Posts, search: String? = nil) {
        self.posts = posts
        self.search = search
        guard case .query(let query, _) = posts, query.filter.isUnread != query.filter.isSaved else { return }
        show = query.filter.isUnread ? .unread : .saved
    }

    /// The sources of its posts.
    package var scope: Scope {
        switch posts {
        case .query(_, let scope): scope
        case .these(let posts): .sources(posts.map(\.source).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        }
    }
}
