/// Made-up stories and threads for Hacker News.
struct MadeUpNews: Sendable {
    private static let firstStory = 100_000
    private static let storyCount = 1_000
    private static let firstComment = 200_000
    /// The number of ids reserved for each story's comments.
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
            // A third of the stories have no comments.
            comments: max(0, MadeUpWords.number(place: story &* 3, below: 12) - 3),
            depth: 1 + MadeUpWords.number(place: story &* 5, below: 3))
    }
}

/// A made-up story and its comments: the same numbers give the same thread on every machine.
///
/// Its items are numbered: 0 is the story, and a comment's number is higher than its parent's.
struct MadeUpThread: Sendable {
    private let story: Int
    private let firstComment: Int
    private let parents: [Int]
    private let kids: [[Int]]

    /// A thread of `count` comments, the deepest at level `depth`; direct replies are at level 1.
    ///
    /// - Parameters:
    ///   - firstComment: the id of the first comment, from which all others count up; nil for the one after the
    ///     story's.
    init(story: Int, firstComment: Int? = nil, comments count: Int, depth: Int) {
        var parents = [0]
        var levels = [0]
        var kids = [[Int]](repeating: [], count: count + 1)
        for number in stride(from: 1, through: count, by: 1) {
            // The first comments are a chain of the full depth.
            var parent = number <= depth ? number - 1 : Self.parent(of: number, story: story)
            while levels[parent] == depth { parent = parents[parent] }
            parents.append(parent)
            levels.append(levels[parent] + 1)
            kids[parent].append(number)
        }
        self.story = story
        self.firstComment = firstComment ?? story + 1
        self.parents = parents
        self.kids = kids
    }

    /// The story or a comment of the thread; nil for other ids.
    func item(_ id: Int) -> MadeUpItem? {
        if id == story {
            return .story(id, kids: kidIDs(of: 0), descendants: parents.count - 1)
        }
        let number = id - firstComment + 1
        guard parents.indices.contains(number), number > 0 else { return nil }
        return .comment(id, story: story, minutes: number, parent: self.id(parents[number]), kids: kidIDs(of: number))
    }

    /// The highest id of the thread.
    var lastID: Int { max(story, id(parents.count - 1)) }

    private func id(_ number: Int) -> Int { number == 0 ? story : firstComment + number - 1 }

    /// Ranked as in the API, which isn't the order of ids.
    private func kidIDs(of number: Int) -> [Int] {
        kids[number].map(id).sorted { Self.rank($0) < Self.rank($1) }
    }

    private static func rank(_ id: Int) -> Int { MadeUpWords.number(place: id, below: .max) }

    /// The parent: the story for every third comment, else an earlier comment.
    private static func parent(of number: Int, story: Int) -> Int {
        let place = story &* 41 &+ number
        return MadeUpWords.number(place: place, below: 3) == 0 ? 0 : MadeUpWords.number(place: -place, below: number)
    }
}
