import BlogEssentials
import BlogModel

/// Brings the marks on the posts of a service's feeds together with those that its server has.
///
/// This is the rule for a post whose marks differ:
///
/// | the mark | wins |
/// | --- | --- |
/// | was set here, and the server has yet to be told, or was told since it was asked | what is here |
/// | is in a set of the server's | the server |
/// | isn't in a set that is whole, and the server has the item | the server |
/// | isn't in such a set, but the server has the item no more, or hasn't been asked | what is here |
package struct MarkReconciliation {
    private let database: Database
    /// The key of the service's source.
    private let service: Int64
    private let marks: ServiceMarks

    package init(_ marks: ServiceMarks, of service: Int64, in database: Database) {
        (self.marks, self.service, self.database) = (marks, service, database)
    }

    /// A mark that a post would get, if nothing else were known.
    private struct Difference {
        let post: Int64
        let item: String
        let mark: Mark
        /// Whether a set names the item; if the sets lack it, the server may have deleted it.
        let isNamed: Bool
    }

    /// What the server's sets would change.
    package struct Changes: Sendable {
        /// How many marks would change if the server had all items.
        package let count: Int
        /// The items that would lose marks because the sets lack them.
        ///
        /// That proves nothing: the server may have deleted them, so it is asked first. Those that it was found not to have
        /// lately are left out.
        package let doubtful: [String]
    }

    package func changes(at now: Date) throws -> Changes {
        let differences = try differences()
        let deleted = Set(try ServiceItems(database, service: service).lately(deleted: now))
        let doubtful = Set(differences.lazy.filter { !$0.isNamed }.map(\.item)).subtracting(deleted)
        return Changes(count: differences.count, doubtful: doubtful.sorted())
    }

    /// Gives the posts the marks that the server has; notes the items that aren't stored.
    ///
    /// - Parameters:
    ///   - existing: those of the doubtful items that the server has.
    ///   - pull: from ``MarkQueue/beginPull(of:)``.
    package func apply(existing: Set<String>, pull: Int64) throws {
        let queue = MarkQueue(database)
        try queue.end(pull: pull, of: service)
        let certain = try differences().filter {
            try ($0.isNamed || existing.contains($0.item)) && !queue.has($0.mark, onItem: $0.item, of: service)
        }
        for (mark, differences) in Dictionary(grouping: certain, by: \.mark) {
            try Marking.setUnqueued(mark, differences.map(\.post), in: database)
        }
        try markTwins(of: certain.filter { $0.mark == .read }.map(\.post))
        let items = ServiceItems(database, service: service)
        try items.noteMissing(marks)
        // FreshRSS marks a post as unread when it was edited.
        try items.note(edited: certain.filter { $0.mark == .unread }.map(\.item))
    }

    private func differences() throws -> [Difference] {
        let labels = marks.labels.map { LabelSets($0) }
        let posts = try database.statement(
            """
            SELECT key, post_id, is_read, is_saved, labels FROM posts
            WHERE \(ServiceItems.isFollowed(service)) AND number IS NOT NULL
            """)
        defer { posts.reset() }
        var differences: [Difference] = []
        while try posts.step() {
            let (post, item) = (posts.integer(0), posts.text(1) ?? "")
            func add(_ mark: Mark, isNamed: Bool) {
                differences.append(Difference(post: post, item: item, mark: mark, isNamed: isNamed))
            }
            let (isUnread, isStarred) = (marks.unread.contains(item), marks.starred.contains(item))
            if posts.bool(2), isUnread { add(.unread, isNamed: true) }
            if !posts.bool(2), !isUnread, marks.unread.isWhole { add(.read, isNamed: false) }
            if !posts.bool(3), isStarred { add(.saved, isNamed: true) }
            if posts.bool(3), !isStarred, marks.starred.isWhole { add(.unsaved, isNamed: false) }
            guard let labels else { continue }
            let own = posts.text(4).map { TagLines.tags($0) } ?? []
            for label in labels.labels(lacking: own, on: item) { add(.labelled(label), isNamed: true) }
            for label in own where labels.certainlyLack(label, on: item) { add(.unlabelled(label), isNamed: false) }
        }
        return differences
    }

    /// Whoever has read a story on another machine has read its duplicates of other sources, too.
    private func markTwins(of posts: [Int64]) throws {
        let stories = Stories(database)
        for key in try stories.twins(of: posts.filter(stories.isStory)) {
            try database.run(
                """
                UPDATE posts SET is_read = 1 WHERE key = ?
                    AND source IN (SELECT key FROM sources WHERE service IS NULL)
                """, [.integer(key)])
        }
    }
}

/// The items that have labels at a server; case and accents of a label don't count.
private struct LabelSets {
    private let sets: [String: ServiceSet]
    /// The server's spellings of the labels of each item.
    private let labels: [String: [String]]

    init(_ sets: [String: ServiceSet]) {
        self.sets = Dictionary(sets.map { (Folding.searchable($0.key), $0.value) }) { first, _ in first }
        labels = sets.sorted { $0.key < $1.key }.reduce(into: [:]) { labels, set in
            for item in set.value.items { labels[item, default: []].append(set.key) }
        }
    }

    /// The labels that an item has at the server, but not among its own.
    func labels(lacking own: [String], on item: String) -> [String] {
        guard let labels = labels[item] else { return [] }
        return labels.filter { label in !own.contains { Label.isSame($0, label) } }
    }

    /// Whether it is certain that an item doesn't have a label; the server has no others than it lists.
    func certainlyLack(_ label: String, on item: String) -> Bool {
        guard let set = sets[Folding.searchable(label)] else { return true }
        return set.isWhole && !set.contains(item)
    }
}
