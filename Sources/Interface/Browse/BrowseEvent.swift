import BlogCommandLine
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
    /// How many posts match a search outside the list.
    case countedElsewhere(Int, list: Int)
    /// How many letters of the post were above the screen when it was left.
    case lettersRead(Int, request: Int)
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
    /// The post behind a link.
    case linked(ListRow, number: Int)
    /// The link leads to the page of the post that it is in.
    case linkedToOwnPage(number: Int)
    case overview(SourceOverview, labels: [LabelCounts])
    /// The source at an address that can be followed.
    case found(FollowProposal)
    /// What a rule would find.
    case ruleTested(String, Message)
    /// A rule was added, or removed if there is no number.
    case rulesChanged(Message, added: Int?)
    /// A source or a rule could not be found, followed, added or changed.
    case followFailed(Message)
    case unfollowed(SourceState)
    case refreshing(done: Int, count: Int)
    /// The number of posts of a ranking that are stored now.
    case rankingFetched(Int)
    /// A refresh has ended; the message is about failures.
    case refreshed(new: Int, Message?)
    /// All posts of a source or folder were marked as read.
    case allMarked(MarkingReport)
    /// The last mark was undone; nil if there was nothing to undo.
    case undone(MarkingReport?)
    /// Another change was undone, or can't be.
    case tookBack(Message)
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
    /// Count the posts of a search that has no hit in the list.
    case countElsewhere(ListRequest, list: Int)
    /// Look up the marks of a list's rows, and count its posts again.
    case check(ListRequest, number: Int, [PostID])
    case loadPost(PostRequest)
    case stopLoadingPost
    case recordReading(PostID, withArticle: Bool)
    case recordSeen(comments: [String], PostID)
    /// Record how many letters of the post are above the screen; nil for its beginning or end.
    case recordPlace(PostID, letters: Int?)
    case mark(Mark, [PostID])
    /// Mark all posts of sources as read.
    case markAll(Scope)
    case undo
    case loadSources
    /// Refresh the sources of a list: all of them if forced, otherwise those that are due.
    case refresh(Scope, isForced: Bool)
    /// Fetch the first `upTo` posts of a ranking.
    case fetchRanking(ListRequest, upTo: Int)
    /// Open an address in the browser.
    case open(BrowseTarget)
    case copy(BrowseTarget)
    /// Find or fetch the page at an address, and make it a post to read on the screen.
    case readLink(BrowseTarget, number: Int)
    /// The same, to save it for later.
    case saveLink(BrowseTarget)
    case pipe(PostID, article: ArticleChoice?, command: String)
    /// Run a command of the user's with a post in its environment and on stdin.
    case run(NamedCommand, PostID, link: BrowseTarget?)
    case stopCommand
    /// Find out what there is to follow at an address.
    case lookUp(BrowseTarget)
    /// Follow an address, or change a followed source: the words after `blog follow`.
    case follow([String])
    /// Follow a source again as before.
    case unfollow(SourceState)
    /// Find out what a rule would find, or add it: the words and options after `blog rule add`.
    case testRule(String)
    case addRule(String)
    case redraw
    case suspend
    case quit
}

/// What `blog follow --dry-run` says about an address.
package struct FollowProposal: Hashable, Sendable {
    /// The address that was typed.
    package let address: String
    /// The title of the source, or else its address.
    package let title: String
    /// The name that it would get.
    package let name: String
    package let posts: Int
    package let isFollowed: Bool
    /// The addresses of other feeds of the same page, best first.
    package let others: [String]

    package init(
        address: String, title: String, name: String, posts: Int, isFollowed: Bool, others: [String] = []
    ) {
        (self.address, self.title, self.name) = (address, title, name)
        (self.posts, self.isFollowed, self.others) = (posts, isFollowed, others)
    }
}

/// Something with an address.
package enum BrowseTarget: Sendable, Equatable {
    /// The page of a post.
    case page(PostID)
    case discussion(PostID)
    /// The link with this number in the text of a post, or of the article that is shown instead.
    case link(PostID, Int, article: ArticleChoice?)
    case address(String)
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
    /// The order that was typed; nil for the query's own, and in a search for the best matches first.
    package var arrangement: Arrangement?
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
        case hidden
    }

    package init(_ posts: Posts, search: String? = nil) {
        self.posts = posts
        self.search = search
        guard case .query(let query, _) = posts, query.filter.isUnread != query.filter.isSaved else { return }
        show = query.filter.isUnread ? .unread : .saved
    }

    /// Whether it has all posts of its scope.
    var isUnrestricted: Bool { filter.isEmpty && search == nil && [.all, .asRequested].contains(show) }

    /// Whether it shows other posts than another request of its scope.
    func isOther(than other: ListRequest) -> Bool {
        func kind(_ show: Show) -> Show { show == .asRequested ? .all : show }
        return kind(show) != kind(other.show)
    }

    /// The same search among all stored posts; nil if it is that already, or isn't a search.
    var searchElsewhere: ListRequest? {
        guard let search else { return nil }
        var everywhere = ListRequest(.query(Query(), .everything), search: search)
        (everywhere.show, everywhere.arrangement) = (.all, arrangement)
        var own = self
        if own.show == .asRequested { own.show = .all }
        return own == everywhere ? nil : everywhere
    }

    /// How its posts are sorted and grouped, in words.
    var order: String {
        guard case .query(let query, _) = posts else { return "as given" }
        return arranged(query).words
    }

    /// The order of its posts, which are those of a query.
    package func arranged(_ query: Query) -> Arrangement {
        arrangement ?? (search == nil ? query.arrangement : Arrangement(sorting: .relevance))
    }

    /// The query for its posts; one without conditions if they are given one by one.
    var query: Query { if case .query(let query, _) = posts { query } else { Query() } }

    /// The sources of its posts.
    package var scope: Scope {
        switch posts {
        case .query(_, let scope): scope
        case .these(let posts): .sources(posts.map(\.source).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        }
    }
}

extension Arrangement {
    /// "newest first, by author".
    fileprivate var words: String {
        let order =
            switch sorting {
            case .date: isReversed ? "oldest first" : "newest first"
            case .title: "by title"
            case .author: "by author"
            case .rank: "by rank"
            case .score: "most points first"
            case .comments: "most comments first"
            case .rating: "best rated first"
            case .relevance: "best matches first"
            }
        let reversed = isReversed && sorting != .date ? ", reversed" : ""
        return order + reversed + (grouping.map { ", grouped by \($0.rawValue)" } ?? "")
    }
}
