import BlogLibrary
import Model
import Rendering
import Store
import Terminal

/// What happens to the screen: keys, and the results of its effects.
package enum BrowseEvent: Sendable {
    case key(Key)
    /// Text that was pasted, which never runs as keys.
    case paste(String)
    case resized(ScreenSize)
    /// More rows of the list that was requested with this number.
    case rows([ListRow], isEnd: Bool, list: Int)
    /// The list can't be read.
    case listFailed(Message, list: Int)
    /// How many posts the list has.
    case counts(ListCounts, list: Int)
    /// The text of the post that is being read under this number is the article behind its link.
    case article(reading: Int)
    /// The article that was asked for can't be had, or not a newer one.
    case articleFailed(Message, reading: Int)
    /// More lines of the post that is being read under this number; of a summary if its text can't be had.
    case lines([StyledText], isSummary: Bool, reading: Int)
    /// A picture of it, drawn with symbols, above one of its lines.
    case picture([StyledText], line: Int, reading: Int)
    /// A comment on it with its lines.
    case comment(Comment, [StyledText], reading: Int)
    /// All of it has come; the message says what is missing.
    case read(Message?, reading: Int)
    /// It can't be read.
    case readFailed(Message, reading: Int)
    case sources([SourceState])
    case refreshing(done: Int, count: Int)
    /// Of a ranking so many posts are there now.
    case fetched(Int)
    /// A refresh ended with so many new posts; the message is about failures.
    case refreshed(new: Int, Message?)
    /// The last marking was undone; nil if there was none.
    case undone(MarkingReport?)
    /// The output of a command.
    case output([String], command: String)
    case notice(Message)
}

/// Work that the screen wants done: its results come back as events.
package enum BrowseEffect: Sendable, Equatable {
    /// Reads a list from its beginning, at least so many rows.
    case list(ListRequest, number: Int, rows: Int)
    /// Reads on until the list has so many rows.
    case rows(upTo: Int, list: Int)
    case count(ListRequest, number: Int)
    case read(PostRequest)
    /// Nobody waits for the post any more.
    case stopReading
    case noteRead(PostID)
    case noteSeen(comments: [String], PostID)
    case mark(Mark, [PostID])
    case undo
    case sources
    /// Refreshes what a list shows; `isForced` is whether also what isn't due.
    case refresh(Scope, isForced: Bool)
    /// Fetches the first posts of a ranking, so many in all.
    case fetch(ListRequest, upTo: Int)
    case openPage(PostID)
    case openLink(PostID, Int, article: ArticleChoice?)
    case openAddress(String)
    case openDiscussion(PostID)
    case copyLink(PostID)
    case pipe(PostID, article: ArticleChoice?, command: String)
    case stopCommand
    case redraw
    case suspend
    case quit
}

/// A post that is to be read.
package struct PostRequest: Sendable, Hashable {
    package let post: PostID
    /// The columns for its lines.
    package let width: Int
    /// The number of the reading.
    package let number: Int
    /// Whether the article behind its link is shown; nil for what holds for its source.
    package var article: ArticleChoice?
    /// Whether what may have changed is requested.
    package var isForced = false
    /// Whether another text of the post is shown until this one comes, and stays if there is no article.
    package var replacesText = false
}

/// What a list on the screen shows.
package struct ListRequest: Sendable, Hashable {
    package var posts: Posts
    /// The posts of ``posts`` that are shown.
    package var show = Show.asRequested
    /// The words and conditions of a filter as typed; "" for none.
    package var filter = ""
    /// The words and conditions of a search over everything in the scope; nil for a list.
    package var search: String?

    package enum Posts: Sendable, Hashable {
        case query(Query, Scope)
        /// These posts in this order.
        case these([PostID])
    }

    package enum Show: Sendable, Hashable {
        /// As the command line asks.
        case asRequested
        case all
        case unread
        case saved
    }

    package init(_ posts: Posts, search: String? = nil) {
        self.posts = posts
        self.search = search
    }

    /// The sources whose posts they are.
    package var scope: Scope {
        switch posts {
        case .query(_, let scope): scope
        case .these(let posts): .sources(posts.map(\.source).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        }
    }
}
