import BlogEssentials
import BlogModel

/// Brings the marks on the posts of a service's feeds together with those that its server has.
///
/// This is the rule for a post whose marks differ:
///
/// | the mark | wins |
/// | --- | --- |
/// | was set here, and the server has yet to be told, or doesn't show it when asked at once | what is here |
/// | was sent in a sync that broke off, and the server doesn't show it | read, saved and labels that either has |
/// | is in a set of the server's | the server |
/// | isn't in a set that is whole, and the server has the item | the server |
/// | isn't in such a set, but the item's contents have it | the contents |
/// | isn't in such a set, but the server has the item no more, or hasn't been asked | what is here |
/// | isn't in such a set, and the server has the item again, which it had no more | read, saved and labels that either has |
package struct MarkReconciliation {
    private let database: Database
    /// The key of the service's source.
    private let service: Int64
    private let marks: ServiceMarks

    /// The items that may be of other posts than before.
    private let unconfirmed: Set<String>

    /// - Parameter unconfirmed: the items of which nothing is taken, because they may be of other posts than before.
    package init(
        _ marks: ServiceMarks, except unconfirmed: Set<String> = [], of service: Int64, in database: Database
    ) {
        (self.marks, self.unconfirmed, self.service, self.database) = (marks, unconfirmed, service, database)
    }

    /// A mark that a post would get, if nothing else were known.
    private struct Difference {
        let post: Int64
        let item: String
        let mark: Mark
        /// Whether a set names the item; if the sets lack it, the server may have deleted it.
        let isNamed: Bool
    }

    /// What a server has of the items that it was asked for.
    package struct FoundItems: Sendable {
        package var existing: Set<String> = []
        package var deleted: Set<String> = []
        /// The marks that are set on those of which the server told the contents.
        package var marks: [String: Set<Mark>] = [:]
        /// Whether the server failed to answer for some.
        package var isUnanswered = false

        package init() {}

        package mutating func add(_ other: FoundItems) {
            existing.formUnion(other.existing)
            deleted.formUnion(other.deleted)
            marks.merge(other.marks) { $1 }
            isUnanswered = isUnanswered || other.isUnanswered
        }

        /// Whether the contents of an item have another mark than a set that lacks the item lets one think.
        fileprivate func contradict(_ mark: Mark, on item: String) -> Bool {
            guard let marks = marks[item] else { return false }
            return switch mark {
            case .read: !marks.contains(.read)
            case .unsaved: marks.contains(.saved)
            case .unlabelled(let label): marks.hasLabel(label)
            case .unread, .saved, .labelled: false
            }
        }
    }

    /// What the server's sets would change.
    package struct Changes: Sendable {
        /// How many marks would change if the server had all items.
        package let count: Int
        /// Whether some are because a set has no items at all, or isn't listed, as in an answer in error.
        package let areOfEmptySet: Bool
        /// The items that would lose marks because the sets lack them.
        ///
        /// That proves nothing: the server may have deleted them, so it is asked first. Those that it was found not to have
        /// lately are left out.
        package let doubtful: [String]
        /// The items that would get labels which they have at the server.
        package let labelled: [String: [String]]
        /// The items whose marks would change, without those that the server was found not to have lately.
        package let items: [String]
    }

    /// - Parameter isWhole: whether the server is asked for all items, also those that it was found not to have lately.
    package func changes(at now: Date, isWhole: Bool = false) throws -> Changes {
        let differences = try differences()
        let deleted = Set(isWhole ? [] : try ServiceItems(database, service: service).lately(deleted: now))
        let doubtful = Set(differences.lazy.filter { !$0.isNamed }.map(\.item)).subtracting(deleted)
        let ofEmpty = differences.count { difference in
            switch difference.mark {
            case .read: marks.unread.items.isEmpty
            case .unsaved: marks.starred.items.isEmpty
            case .unlabelled(let label): marks.labels?[label]?.items.isEmpty ?? true
            default: false
            }
        }
        var labelled: [String: [String]] = [:]
        for difference in differences {
            if case .labelled(let label) = difference.mark { labelled[label, default: []].append(difference.item) }
        }
        let named = Set(differences.lazy.filter(\.isNamed).map(\.item))
        return Changes(
            count: differences.count, areOfEmptySet: ofEmpty > 0, doubtful: doubtful.sorted(), labelled: labelled,
            items: doubtful.union(named).sorted())
    }

    /// Gives the posts the marks that the server has; notes the items that aren't stored.
    ///
    /// - Parameters:
    ///   - found: which of the doubtful items the server has.
    ///   - pull: from ``MarkQueue/beginPull(of:)``.
    /// - Returns: how many marks that were just sent it hasn't taken, or are for items that it doesn't have.
    package func apply(found: FoundItems, pull: Int64) throws -> Int {
        let queue = MarkQueue(database)
        let items = ServiceItems(database, service: service)
        let labels = labelSets
        let waiting = try queue.end(pull: pull, of: service) {
            confirmation(of: $0, on: $1, wasMissing: $2, labels, found)
        }
        let returned = Set(try items.returned { found.existing.contains($0) || marks.items.contains($0) })
            .subtracting(unconfirmed)
        var certain: [Difference] = []
        for difference in try differences() {
            let isCertain =
                difference.isNamed || found.existing.contains(difference.item) || returned.contains(difference.item)
            guard isCertain, difference.isNamed || !found.contradict(difference.mark, on: difference.item),
                try !queue.has(difference.mark, onItem: difference.item, of: service)
            else { continue }
            if !difference.isNamed, difference.mark != .read, returned.contains(difference.item) {
                try MarkQueue.add(difference.mark.opposite, to: difference.post, in: database)
            } else {
                certain.append(difference)
            }
        }
        for (mark, differences) in Dictionary(grouping: certain, by: \.mark) {
            try Marking.setUnqueued(mark, differences.map(\.post), in: database)
        }
        try markTwins(of: certain.filter { $0.mark == .read }.map(\.post))
        try items.forget(returned: returned)
        try items.noteMissing(marks, except: unconfirmed)
        // FreshRSS marks a post as unread when it was edited.
        try items.note(edited: certain.filter { $0.mark == .unread }.map(\.item))
        return waiting
    }

    private var labelSets: LabelSets? { marks.labels.map { LabelSets($0, areComplete: marks.areLabelsComplete) } }

    /// Whether the server shows a mark on an item.
    private func confirmation(
        of mark: Mark, on item: String, wasMissing: Bool, _ labels: LabelSets?, _ found: FoundItems
    ) -> MarkQueue.Confirmation {
        func answer(_ isNamed: Bool, _ isWhole: Bool, wants: Bool) -> MarkQueue.Confirmation {
            if isNamed { return wants ? .shown : .notShown }
            // What isn't in the set is certain if the server has the item: it is asked if that takes something back here.
            if !isWhole || found.deleted.contains(item) { return .withoutItem }
            if found.existing.contains(item) {
                let isShown = found.contradict(wants ? mark.opposite : mark, on: item) ? wants : !wants
                return isShown ? .shown : .notShown
            }
            if wants { return .withoutItem }
            if found.isUnanswered { return .unanswered }
            return !wasMissing || marks.items.contains(item) ? .shown : .withoutItem
        }
        switch mark {
        case .read, .unread:
            return answer(marks.unread.contains(item), marks.unread.isWhole, wants: mark == .unread)
        case .saved, .unsaved:
            return answer(marks.starred.contains(item), marks.starred.isWhole, wants: mark == .saved)
        case .labelled(let label), .unlabelled(let label):
            guard let labels else { return .shown }
            let isNamed = labels.has(label, item)
            return answer(isNamed, labels.certainlyLack(label, on: item), wants: mark == .labelled(label))
        }
    }

    private func differences() throws -> [Difference] {
        let labels = labelSets
        let posts = try database.statement(
            """
            SELECT key, post_id, is_read, is_saved, labels FROM posts
            WHERE \(ServiceItems.isFollowed(service)) AND number IS NOT NULL
            """)
        defer { posts.reset() }
        var differences: [Difference] = []
        while try posts.step() {
            let (post, item) = (posts.integer(0), posts.text(1) ?? "")
            if unconfirmed.contains(item) { continue }
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
        for key in try posts.flatMap(Stories(database).readTwins) {
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
    private let sets: [String: (name: String, set: ServiceSet)]
    private let named: [(name: String, set: ServiceSet)]
    private let areComplete: Bool

    init(_ sets: [String: ServiceSet], areComplete: Bool) {
        self.sets = Dictionary(sets.map { (Folding.searchable($0.key), ($0.key, $0.value)) }) { first, _ in first }
        named = sets.filter { !$0.value.items.isEmpty }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        self.areComplete = areComplete
    }

    /// The labels that an item has at the server, but not among its own.
    func labels(lacking own: [String], on item: String) -> [String] {
        named.filter { label in label.set.contains(item) && !own.contains { Label.isSame($0, label.name) } }.map(\.name)
    }

    func has(_ label: String, _ item: String) -> Bool {
        sets[Folding.searchable(label)]?.set.contains(item) == true
    }

    /// Whether it is certain that an item doesn't have a label.
    func certainlyLack(_ label: String, on item: String) -> Bool {
        guard let set = sets[Folding.searchable(label)]?.set else { return areComplete }
        return set.isWhole && !set.contains(item)
    }
}
