import BlogModel
import BlogStore

/// Puts comments that arrive in any order into the order of their tree.
struct CommentOrder {
    private let selection: CommentSelection
    /// Whether unseen comments count as new, because others have been seen.
    private let marksNew: Bool
    /// The replies at each level on the path to the next comment, and how many of them are done.
    private var path: [(ids: [String], done: Int)]
    private var arrivals: [String: ItemGathering.Arrival] = [:]
    private var depths: [String: Int] = [:]
    private var given = 0
    private(set) var removed = 0

    init(_ ids: [String], _ selection: CommentSelection, marksNew: Bool) {
        self.selection = selection
        self.marksNew = marksNew
        path = [(ids, 0)]
        for id in ids { depths[id] = 0 }
    }

    var isComplete: Bool { selection.limit.map { given >= $0 } ?? false }

    /// Adds a comment and returns the IDs of its replies that should be fetched.
    mutating func note(_ arrival: ItemGathering.Arrival) -> [String] {
        arrivals[arrival.id] = arrival
        guard let item = arrival.item, let depth = depths[arrival.id],
            depth + 1 < selection.levels ?? .max
        else { return [] }
        let replies = (item.entry.metadata.discussion?.replies ?? []).filter { depths[$0] == nil }
        for id in replies { depths[id] = depth + 1 }
        return replies
    }

    /// The comments that can be shown now because all before them have arrived.
    mutating func ready() -> [Comment] {
        var comments: [Comment] = []
        while !isComplete, let level = path.last {
            guard level.done < level.ids.count else {
                path.removeLast()
                continue
            }
            let id = level.ids[level.done]
            let depth = path.count - 1
            // A comment that is listed twice is shown where it is listed first.
            guard depths[id] == depth else {
                path[depth].done += 1
                continue
            }
            guard let arrival = arrivals.removeValue(forKey: id) else { break }
            path[depth].done += 1
            depths[id] = -1
            guard let item = arrival.item else { continue }
            if let comment = comment(item, depth) { comments.append(comment) }
            if depth + 1 < selection.levels ?? .max { path.append((item.entry.metadata.discussion?.replies ?? [], 0)) }
        }
        return comments
    }

    private mutating func comment(_ item: Entry.Stored, _ depth: Int) -> Comment? {
        let metadata = item.entry.metadata
        let removal = metadata.discussion?.removal
        // Of one that was deleted, a text is what was stored before; dead ones come with theirs.
        let isKept = removal == .deleted && !item.entry.text.isEmpty
        if removal != nil, metadata.discussion?.replies.isEmpty != false, !isKept {
            removed += 1
            return nil
        }
        if let author = selection.author, metadata.author.name != author { return nil }
        given += 1
        return Comment(
            id: metadata.id, author: metadata.author, publishDate: metadata.publishDate, body: item.entry.text,
            bodyFormat: item.entry.content?.format, depth: selection.author == nil ? depth : 0, removal: removal,
            replyCount: metadata.discussion?.replies.count ?? 0, isNew: marksNew && !item.state.isRead)
    }
}

/// Which comments of a discussion to show.
public struct CommentSelection: Hashable, Sendable {
    /// How many levels, counted from 1; nil for all.
    public var levels: Int?
    /// The maximum number of comments; nil for all.
    public var limit: Int?
    /// The author whose comments to show; nil for all authors.
    public var author: String?

    /// A selection; by default, all comments.
    public init(levels: Int? = nil, limit: Int? = nil, author: String? = nil) {
        self.levels = levels
        self.limit = limit
        self.author = author
    }
}

/// The comments on a post, each available as soon as it and all before it have arrived.
///
/// It can be iterated only once; iterating throws a ``StoreError``.
public struct CommentStream: AsyncSequence, Sendable {
    let comments: AsyncThrowingStream<Comment, any Error>
    /// Comments that couldn't be fetched; complete once the stream has ended.
    public let missing: MissingItems

    /// An iterator over the comments in the source's order, each followed by its replies.
    public func makeAsyncIterator() -> AsyncThrowingStream<Comment, any Error>.Iterator {
        comments.makeAsyncIterator()
    }
}
