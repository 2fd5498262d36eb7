/// Generated stories and threads for Hacker News.
struct MadeUpNews: Sendable {
    private static let firstStory = 100_000
    private static let storyCount = 1_000
    private static let firstComment = 200_000
    /// The number of IDs reserved for each story's comments.
    private static let commentsPerStory = 20

    private let threads = [
        MadeUpThread(story: 500_000, comments: 500, depth: 8),
        MadeUpThread(story: 2_000_000, comments: 2_000, depth: 12),
        MadeUpThread(story: 3_000_200, comments: 200, depth: 200),
        MadeUpThread(story: 3_010_000, comments: 10_000, depth: 10_000),
    ]

    /// A story or comment; nil for other IDs.
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

    /// The IDs of `count` stories, starting at an index.
    static func stories(from index: Int, count: Int) -> [Int] {
        (0..<max(0, count)).map { firstStory + (index + $0) % storyCount }
    }

    /// The IDs of `count` stories, newest first.
    static func newestStories(count: Int) -> [Int] {
        (0..<max(0, count)).map { firstStory + storyCount - 1 - $0 % storyCount }
    }

    private static func thread(index: Int) -> MadeUpThread {
        let story = firstStory + index
        return MadeUpThread(
            story: story, firstComment: firstComment + index * commentsPerStory,
            // A third of the stories have no comments.
            comments: max(0, MadeUpWords.number(seed: story &* 3, below: 12) - 3),
            depth: 1 + MadeUpWords.number(seed: story &* 5, below: 3))
    }
}

/// A generated story and its comments, the same for the same parameters on every machine.
///
/// The items are numbered: the story is 0, and a comment has a higher number than its parent.
struct MadeUpThread: Sendable {
    private let story: Int
    private let firstComment: Int
    private let parents: [Int]
    private let kids: [[Int]]

    /// - Parameters:
    ///   - firstComment: the lowest ID of the comments; by default, the one after the story's.
    ///   - depth: the level of the deepest comment; direct replies are at level 1.
    init(story: Int, firstComment: Int? = nil, comments count: Int, depth: Int) {
        var parents = [0]
        var levels = [0]
        var kids = [[Int]](repeating: [], count: count + 1)
        for number in stride(from: 1, through: count, by: 1) {
            // The first comments form a chain of the full depth.
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

    /// The story or a comment of the thread; nil for other IDs.
    func item(_ id: Int) -> MadeUpItem? {
        if id == story {
            return .story(id, kids: kidIDs(of: 0), descendants: parents.count - 1)
        }
        let number = id - firstComment + 1
        guard parents.indices.contains(number), number > 0 else { return nil }
        return .comment(id, story: story, minutes: number, parent: self.id(parents[number]), kids: kidIDs(of: number))
    }

    private func id(_ number: Int) -> Int { number == 0 ? story : firstComment + number - 1 }

    /// In the API's order, which isn't that of the IDs.
    private func kidIDs(of number: Int) -> [Int] {
        func rank(_ id: Int) -> Int { MadeUpWords.number(seed: id, below: .max) }
        return kids[number].map(id).sorted { rank($0) < rank($1) }
    }

    /// The story for every third comment, else an earlier comment.
    private static func parent(of number: Int, story: Int) -> Int {
        let seed = story &* 41 &+ number
        return MadeUpWords.number(seed: seed, below: 3) == 0 ? 0 : MadeUpWords.number(seed: -seed, below: number)
    }
}
