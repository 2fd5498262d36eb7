import Foundation
@testable import BlogModel
@testable import BlogStore

/// The expected contents of a store after any number of steps, as simply as possible.
package struct StoreModel {
    package struct Post {
        package var metadata: PostMetadata
        package var isListed = false
        package var state = PostState()
        package var body: String?
        package var article: String?
        package var isCurrent = false
        /// The step in which its words arrived or last changed.
        package var newAt: Int
        /// The step in which its words last changed for a reader.
        package var changedAt: Int?
    }

    package private(set) var posts: [PostID: Post] = [:]
    /// By cursor and source, the step after which posts are new.
    private var cursors: [String: [SourceID: Int]] = [:]
    /// The markings of each step that can be undone.
    private var markings: [[(mark: Mark, posts: Set<PostID>)]] = []
    /// The order in which posts arrived.
    private var arrivals: [PostID] = []
    /// A rule, by its number: it hides posts with a word, or gives them a mark.
    package struct Rule {
        package let word: String
        package var mark: Mark?
        /// The posts that it has ever found.
        fileprivate var hits: Set<PostID> = []
    }

    package private(set) var rules: [Int: Rule] = [:]
    /// Which of the deleted posts had been read.
    private var pruned: [PostID: Bool] = [:]

    package init(posts: [PostID: Post] = [:]) {
        self.posts = posts
    }

    /// Stores a list of a source.
    package mutating func list(_ records: [PostMetadata], of source: SourceID, at step: Int) {
        for id in posts.keys where id.source == source { posts[id]?.isListed = false }
        for record in records {
            take(record, of: source, at: step)
            posts[PostID(source: source, local: record.id)]?.isListed = true
        }
    }

    /// Stores the metadata of a single post.
    package mutating func take(_ record: PostMetadata, of source: SourceID, at step: Int) {
        let id = PostID(source: source, local: record.id)
        guard let old = posts[id] else {
            posts[id] = Post(metadata: record, newAt: step)
            let isStoryRead = twins(of: id).contains { posts[$0]?.state.isRead == true && isOfSite($0) }
            posts[id]?.state = PostState(isRead: pruned.removeValue(forKey: id) ?? false || isStoryRead)
            arrivals.append(id)
            return
        }
        guard old.metadata != record else { return }
        posts[id]?.metadata = record
        posts[id]?.isCurrent = false
        let (now, before) = (record, old.metadata)
        if (now.title, now.summary, now.author.name) != (before.title, before.summary, before.author.name) {
            note(id, at: step)
        }
    }

    package mutating func body(_ text: String, of id: PostID, at step: Int) {
        guard let old = posts[id] else { return }
        if let body = old.body, body != text { note(id, at: step) }
        posts[id]?.body = text
        posts[id]?.isCurrent = true
    }

    package mutating func article(_ text: String, of id: PostID) {
        posts[id]?.article = text
    }

    private mutating func note(_ id: PostID, at step: Int) {
        posts[id]?.newAt = step
        posts[id]?.changedAt = step
    }

    /// Returns how many of the posts this changed, besides their duplicates.
    package mutating func mark(_ mark: Mark, _ ids: [PostID]) -> Int {
        let isOfStory = [.read, .unread].contains(mark)
        let others = isOfStory ? known(ids).flatMap(twins).filter { posts[$0].map(isHidden) == false } : []
        let changes = [(mark, apply(mark, to: Set(ids))), (mark, apply(mark, to: Set(others)))]
        record(changes)
        return changes[0].1.count
    }

    private mutating func record(_ changes: [(mark: Mark, posts: Set<PostID>)]) {
        let changes = changes.filter { !$0.posts.isEmpty }
        if !changes.isEmpty { markings.append(changes) }
    }

    private func known(_ ids: [PostID]) -> [PostID] { ids.filter { posts[$0] != nil } }

    // MARK: Duplicates

    /// The posts of other sources with the same link.
    private func twins(of id: PostID) -> [PostID] {
        guard let link = posts[id]?.metadata.link else { return [] }
        return posts.filter { $0.key.source != id.source && $0.value.metadata.link == link }.map(\.key)
    }

    /// Whether a post is of the site that it links to.
    private func isOfSite(_ id: PostID) -> Bool { posts[id]?.metadata.link?.hasPrefix(id.source.address) == true }

    /// The posts of a list of several sources without those for which another one is listed.
    package func withoutDuplicates(_ ids: Set<PostID>) -> Set<PostID> {
        func rank(_ id: PostID) -> (Int, Int) { (isOfSite(id) ? 0 : 1, arrivals.firstIndex(of: id) ?? 0) }
        return ids.filter { id in !twins(of: id).contains { ids.contains($0) && rank($0) < rank(id) } }
    }

    /// Renames a label, or deletes it for nil; returns how many posts had it.
    package mutating func rename(label: String, to name: String?) -> Int {
        let ids = Set(posts.filter { $0.value.state.labels.contains(label) }.keys)
        let marks = [Mark.unlabelled(label)] + (name.map { [.labelled($0)] } ?? [])
        record(marks.map { ($0, apply($0, to: ids)) })
        if let name { renameInRules(label, to: name) }
        return ids.count
    }

    private mutating func renameInRules(_ label: String, to name: String) {
        for number in rules.keys where rules[number]?.mark == .labelled(label) {
            rules[number]?.mark = .labelled(name)
        }
    }

    /// Returns how many posts this changed; nil if there is nothing to undo.
    package mutating func undo() -> Int? {
        guard let last = markings.popLast() else { return nil }
        // A label that others have, too, wasn't only renamed.
        if last.count == 2, case .unlabelled(let former) = last[0].mark, case .labelled(let name) = last[1].mark,
            posts.allSatisfy({ !$0.value.state.labels.contains(name) || last[1].posts.contains($0.key) })
        {
            renameInRules(name, to: former)
        }
        return last.reversed().map { apply($0.mark.opposite, to: $0.posts).count }.last
    }

    /// Returns the posts that a mark changed.
    private mutating func apply(_ mark: Mark, to ids: Set<PostID>) -> Set<PostID> {
        var changed: Set<PostID> = []
        for id in ids {
            guard let state = posts[id]?.state, state != state.marked(mark) else { continue }
            posts[id]?.state = state.marked(mark)
            changed.insert(id)
        }
        return changed
    }

    /// Deletes posts of a source that are neither kept nor listed and older than a date, except the last that arrived.
    ///
    /// Returns their number.
    package mutating func prune(_ source: SourceID, before date: Date) -> Int {
        let old = ids(in: [source]) { !$0.isListed && !$0.isKept && $0.metadata.publishDate.moment < date }
            .filter { $0 != arrivals.last }
        for id in old { pruned[id] = posts[id]?.state.isRead }
        delete(Set(old))
        return old.count
    }

    /// Deletes posts of a source that aren't kept, and everything else about the source.
    ///
    /// Returns their number.
    package mutating func forget(_ source: SourceID) -> Int {
        let gone = ids(in: [source]) { !$0.isKept }
        delete(gone)
        pruned = pruned.filter { $0.key.source != source }
        guard ids(in: [source], where: { _ in true }).isEmpty else { return gone.count }
        for name in cursors.keys { cursors[name]?[source] = nil }
        return gone.count
    }

    private mutating func delete(_ ids: Set<PostID>) {
        for number in rules.keys { rules[number]?.hits.subtract(ids) }
        for id in ids { posts[id] = nil }
        arrivals.removeAll { ids.contains($0) }
        markings = markings.map { step in
            step.map { ($0.mark, $0.posts.subtracting(ids)) }.filter { !$0.1.isEmpty }
        }.filter { !$0.isEmpty }
    }

    /// Adds a rule and returns how many posts it finds.
    package mutating func add(rule number: Int, word: String, mark: Mark?) -> Int {
        let found = Set(posts.filter { $0.value.has(word) }.keys)
        rules[number] = Rule(word: word, mark: mark, hits: found)
        if let mark { record([(mark, apply(mark, to: found))]) }
        return found.count
    }

    package mutating func remove(rule number: Int) { rules[number] = nil }

    /// Lets the rules look at posts that have arrived or changed.
    package mutating func settle() {
        for (number, rule) in rules.sorted(by: { $0.key < $1.key }) {
            let found = Set(posts.filter { $0.value.has(rule.word) }.keys)
            if let mark = rule.mark { _ = apply(mark, to: found.subtracting(rule.hits)) }
            rules[number]?.hits.formUnion(found)
        }
    }

    /// Whether a rule hides a post.
    package func isHidden(_ post: Post) -> Bool { rules.values.contains { $0.mark == nil && post.has($0.word) } }

    /// Marks everything in these sources as seen for a cursor.
    package mutating func see(_ cursor: String, in sources: [SourceID], at step: Int) {
        for source in sources { cursors[cursor, default: [:]][source] = step }
    }

    package func isNew(_ id: PostID, for cursor: String) -> Bool {
        (posts[id]?.newAt ?? 0) > (cursors[cursor]?[id.source] ?? -1)
    }

    /// The posts of some sources that meet a condition.
    package func ids(in sources: [SourceID], where condition: (Post) -> Bool) -> Set<PostID> {
        Set(posts.filter { sources.contains($0.key.source) && condition($0.value) }.keys)
    }
}

extension PostState {
    fileprivate func marked(_ mark: Mark) -> PostState {
        switch mark {
        case .read: PostState(isRead: true, isSaved: isSaved, labels: labels)
        case .unread: PostState(isRead: false, isSaved: isSaved, labels: labels)
        case .saved: PostState(isRead: isRead, isSaved: true, labels: labels)
        case .unsaved: PostState(isRead: isRead, isSaved: false, labels: labels)
        case .labelled(let label):
            PostState(isRead: isRead, isSaved: isSaved, labels: Set(labels + [label]).sorted())
        case .unlabelled(let label):
            PostState(isRead: isRead, isSaved: isSaved, labels: labels.filter { $0 != label })
        }
    }
}

extension StoreModel.Post {
    /// Whether it is never deleted.
    package var isKept: Bool { state.isSaved || !state.labels.isEmpty }

    /// Whether a word is in any of its texts.
    package func has(_ word: String) -> Bool {
        [metadata.title, metadata.summary ?? "", metadata.author.name, body ?? "", article ?? ""].contains {
            $0.lowercased().split(separator: " ").contains(word[...])
        }
    }
}
