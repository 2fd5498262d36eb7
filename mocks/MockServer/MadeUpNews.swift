/// The stories and threads of Hacker News that no file holds.
struct MadeUpNews: Sendable {
    private static let firstStory = 100_000
    private static let storyCount = 1_000
    private static let firstComment = 200_000
    /// How many ids each story has for its comments; more than it ever uses.
    private static let commentsPerStory = 20

    private let threads = [
        MadeUpThread(story: 500_000, comments: 500, depth: 8),
        MadeUpThread(story: 2_000_000, comments: 2_000, depth: 12),
        MadeUpThread(story: 3_000_200, comments: 200, depth: 200),
        MadeUpThread(story: 3_010_000, comments: 10_000, depth: 10_000),
    ]

    /// A made-up story or comment, or nil for any other id.
    func item(_ id: Int) -> MadeUpItem? {
        switch id {
        case Self.firstStory..<Self.firstStory + Self.storyCount:
            Self.thread(index: id - Self.firstStory).item(id)
        case Self.firstComment..<Self.firstComment + Self.storyCount * Self.commentsPerStory:
            Self.thread(index: (id - Self.firstComment) / Self.commentsPerStory).item(id)
        default:
            threads.lazy.compactMap { $0.item(id) }.first
        }
    }

    /// The highest id of all.
    var lastID: Int { threads.map(\.lastID).max() ?? 0 }

    /// Stories starting at an offset.
    static func stories(from index: Int, count: Int) -> [Int] {
        (0..<max(0, count)).map { firstStory + (index + $0) % storyCount }
    }

    /// `count` stories, the newest first.
    static func newestStories(count: Int) -> [Int] {
        (0..<max(0, count)).map { firstStory + storyCount - 1 - $0 % storyCount }
    }

    private static func thread(index: Int) -> MadeUpThread {
        let story = firstStory + index
        return MadeUpThread(
            story: story, firstComment: firstComment + index * commentsPerStory,
            // A third of the stories has nothing said about them.
            comments: max(0, MadeUpWords.number(place: story &* 3, below: 12) - 3),
            depth: 1 + MadeUpWords.number(place: story &* 5, below: 3))
    }
}
