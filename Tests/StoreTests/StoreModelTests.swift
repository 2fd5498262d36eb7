import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A store after random steps") struct StoreModelTests {
    private static let words = ["alpha", "beta", "gamma", "delta", "omega"]
    private static let sources = [SourceID.one, .two]
    private static let cursors = ["", "cron"]
    private static let labels = ["later", "r & d"]

    private let store: PostStore

    init() throws {
        store = try PostStore()
    }

    // One after the other: thousands of stores at once would need all the memory and end at the same time.
    @Test("has the same posts as a simple model", .serialized, arguments: UInt64(1)...UInt64(Mutation.count(4)))
    func steps(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        var model = StoreModel()
        for step in 1...60 {
            let name = try await take(step, &model, &random)
            try await store.settleRules()
            model.settle()
            try await compare(model, &random, "\(name), step \(step)")
        }
        #expect(try await store.check() == [])
        try await compareExport()
    }

    /// Takes a random step with the store and its model, and returns a description of it.
    private func take(_ step: Int, _ model: inout StoreModel, _ random: inout SplitMix) async throws -> String {
        let source = Self.sources[Int.random(in: 0...1, using: &random)]
        let now = Date(timeIntervalSince1970: TimeInterval(step * 1000))
        switch Int.random(in: 0..<18, using: &random) {
        case 0...2:
            let ids = (1...8).filter { _ in Int.random(in: 0...3, using: &random) > 0 }.shuffled(using: &random)
            let records = try ids.map { try record($0, of: source, in: model, &random) }
            let before = model
            model.list(records, of: source, at: step)
            let changes = try await store.list(records, of: source, at: now.timeIntervalSince1970)
            #expect(changes == before.changes(to: model, in: source), "step \(step)")
            return "a list"
        case 3:
            let post = try record(Int.random(in: 1...9, using: &random), of: source, in: model, &random)
            model.take(post, of: source, at: step)
            try await store.write { try Posts($0).save(post, of: source, at: now) }
            return "a post"
        case 4, 5:
            let id = PostID(source: source, local: String(Int.random(in: 1...9, using: &random)))
            let text = try text(&random)
            model.body(text, of: id, at: step)
            try await store.write {
                try Bodies($0).save([(id.local, FetchedBody(text: text, fetchedAt: now))], of: source)
            }
            return "a body"
        case 13:
            let id = PostID(source: source, local: String(Int.random(in: 1...9, using: &random)))
            let text = try text(&random)
            model.article(text, of: id)
            try await store.storeArticle(text, of: id)
            return "an article"
        case 6, 7:
            let label = try #require(Self.labels.randomElement(using: &random))
            let marks: [Mark] = [.read, .unread, .saved, .unsaved, .labelled(label), .unlabelled(label)]
            let mark = try #require(marks.randomElement(using: &random))
            let ids = (1...3).map { _ in
                PostID(source: source, local: String(Int.random(in: 1...9, using: &random)))
            }
            #expect(try await store.mark(mark, ids: ids).changed == model.mark(mark, ids), "step \(step)")
            return "\(mark)"
        case 8:
            #expect(try await store.undoMarking()?.changed == model.undo(), "step \(step)")
            return "undo"
        case 16:
            let word = try #require(Self.words.randomElement(using: &random))
            let marks: [Mark?] = [nil, .read, .saved, .labelled("later")]
            let mark = marks.randomElement(using: &random) ?? nil
            let rule = Rule(words: word, isHiding: mark == nil, marks: mark.map { [$0] } ?? [])
            guard let (added, count) = try await store.add(rule) else { return "the same rule" }
            #expect(count == model.add(rule: added.number, word: word, mark: mark), "step \(step)")
            return "rule \(word) \(mark?.text ?? "hides")"
        case 17:
            guard let number = model.rules.keys.sorted().randomElement(using: &random) else { return "nothing" }
            try await store.removeRule(number)
            model.remove(rule: number)
            return "no rule \(number)"
        case 14, 15:
            let (label, other) = Bool.random(using: &random) ? ("later", "r & d") : ("r & d", "later")
            let name = Bool.random(using: &random) ? other : nil
            let report =
                if let name {
                    try await store.rename(label: label, to: name)
                } else {
                    try await store.mark([.unlabelled(label)], allLabelled: label)
                }
            let changed = report.changed
            #expect(changed == model.rename(label: label, to: name), "step \(step)")
            return "label \(label) becomes \(name ?? "none")"
        case 10, 11:
            // The dates are four days in July.
            let date = try #require(Timestamp("2018-07-1\(Int.random(in: 1...4, using: &random))T00:00:00Z")).moment
            guard let key = try await store.read({ try Sources($0).find(source) })?.key else { return "nothing" }
            let count = try await store.prune(key, before: date, at: now).posts
            #expect(count == model.prune(source, before: date), "step \(step)")
            return "prune"
        case 12:
            guard Bool.random(using: &random), let key = try await store.read({ try Sources($0).find(source) })?.key
            else { return "nothing" }
            #expect(try await store.prune(key, before: nil, at: now).posts == model.forget(source), "step \(step)")
            return "forget"
        default:
            let cursor = Self.cursors[Int.random(in: 0...1, using: &random)]
            let seen = Bool.random(using: &random) ? Self.sources : [source]
            let scope = try await scope(seen)
            guard !scope.sources.isEmpty else { return "nothing" }
            let last = try await store.openList(Query(newFor: cursor), in: scope).lastSeen
            try await store.writeToDisk { try Cursors($0).move(cursor, in: scope, to: last) }
            // A source without stored posts has no cursor.
            model.see(cursor, in: scope.sources.map(\.id), at: step)
            return "a cursor"
        }
    }

    private func compare(_ model: StoreModel, _ random: inout SplitMix, _ step: String) async throws {
        let sources = [Self.sources, [.one], [.two]][Int.random(in: 0...2, using: &random)]
        func shown(_ condition: (StoreModel.Post) -> Bool) -> Set<PostID> {
            model.ids(in: sources) { condition($0) && !model.isHidden($0) }
        }
        /// The posts of a list, which has one of each story.
        func once(_ condition: (StoreModel.Post) -> Bool) -> Set<PostID> { model.withoutDuplicates(shown(condition)) }
        let listed = once(\.isListed)
        #expect(try await ids(Query(), sources) == listed, "\(step)")
        let unread = once { $0.isListed && !$0.state.isRead }
        #expect(try await ids(Query(filter: Filter(isUnread: true)), sources) == unread, "\(step)")
        var all = Query()
        all.hidesDuplicates = false
        #expect(try await ids(all, sources) == shown(\.isListed), "\(step)")
        let counts = ListCounts(posts: listed.count, unread: unread.count)
        #expect(try await store.counts(of: Query(limit: 1), in: scope(sources)) == counts, "\(step)")
        let saved = shown(\.state.isSaved)
        #expect(try await ids(Query(filter: Filter(isSaved: true)), sources) == saved, "\(step)")
        var filter = Filter()
        filter.hidden = .only
        let hidden = model.ids(in: sources) { $0.isListed && model.isHidden($0) }
        #expect(try await ids(Query(filter: filter), sources) == hidden, "\(step)")
        let labels = try await store.labels(in: scope(Self.sources))
        for label in Self.labels {
            func isLabelled(_ post: StoreModel.Post) -> Bool { post.state.labels.contains(label) }
            #expect(
                try await ids(Query(filter: Filter(label: label.uppercased())), sources) == shown(isLabelled), "\(step)"
            )
            let everywhere = model.ids(in: Self.sources) { isLabelled($0) && !model.isHidden($0) }
            let unread = everywhere.count { model.posts[$0]?.state.isRead == false }
            let counts = LabelCounts(label: label, posts: everywhere.count, unread: unread)
            // A label that only hidden posts have is listed, too.
            let isKnown = !model.ids(in: Self.sources, where: isLabelled).isEmpty
            #expect(labels.first { $0.label == label } == (isKnown ? counts : nil), "\(step)")
        }
        for source in try await store.read({ try Sources($0).all() }) {
            let own = model.ids(in: [source.id]) { $0.isListed && !model.isHidden($0) }
            #expect(source.posts == own.count, "\(step)")
            #expect(source.unread == own.count { model.posts[$0]?.state.isRead == false }, "\(step)")
        }
        for cursor in Self.cursors {
            let new = listed.filter { model.isNew($0, for: cursor) }
            #expect(try await ids(Query(newFor: cursor), sources) == new, "\(step), new for “\(cursor)”")
        }
        let word = try #require(Self.words.randomElement(using: &random))
        let hits = once { $0.has(word) }
        #expect(try await ids(Query(words: word), sources) == hits, "\(step), searching “\(word)”")
        try await compareOrder(model, &random, step)
        try await comparePosts(model, step)
    }

    /// Compares a page of one source's list.
    private func compareOrder(_ model: StoreModel, _ random: inout SplitMix, _ step: String) async throws {
        let source = Self.sources[Int.random(in: 0...1, using: &random)]
        let sorting = try #require([Sorting.author, .date, .title].randomElement(using: &random))
        let isReversed = Bool.random(using: &random)
        var query = Query(arrangement: Arrangement(sorting: sorting, isReversed: isReversed))
        query.limit = [nil, 1, 3].randomElement(using: &random) ?? nil
        query.offset = Int.random(in: 0...3, using: &random)
        let listed = model.ids(in: [source]) { $0.isListed && !model.isHidden($0) }
        let all = listed.compactMap { model.posts[$0]?.metadata }
        let page = all.sorted(by: sorting, reversed: isReversed).dropFirst(query.offset).prefix(query.limit ?? .max)
        #expect(try await store.ids(query, of: source) == page.map(\.id), "\(step), \(query)")
    }

    private func comparePosts(_ model: StoreModel, _ step: String) async throws {
        for (id, post) in model.posts {
            #expect(
                try await store.read { try Posts($0).metadata(id.local, of: id.source) } == post.metadata, "\(step)")
            let body = try await store.read { try Bodies($0).find(id.local, of: id.source) }
            #expect(body?.text == post.body, "\(step)")
            #expect(try await store.read { try Articles($0).find(of: id) }?.article?.body == post.article, "\(step)")
            #expect(body.map(\.isCurrent) ?? false == post.isCurrent, "\(step), body of \(id.local)")
        }
        for source in Self.sources {
            for listed in try await store.posts(of: source) {
                let post = model.posts[PostID(source: source, local: listed.metadata.id)]
                #expect(listed.state == post?.state, "\(step)")
                let changed = post?.changedAt.map { Timestamp(secondsSince1970: $0 * 1000).utc }
                #expect(listed.changed?.utc == changed, "\(step)")
            }
        }
    }

    /// Moves everything to another store, whose export must be the same.
    private func compareExport() async throws {
        let folder = try TemporaryFolder()
        let text = try await store.export()
        // A file without a line is no export: the command writes how many lines there are.
        guard !text.isEmpty else { return }
        try Data(text.utf8).write(to: folder.url.appending(path: "export"))
        let other = try Archive()
        let report = try await other.importPosts(from: folder.path("export"))
        #expect(report.skippedLines.isEmpty)
        try await other.store.settleRules()
        #expect(try await other.store.export() == text)
    }

    private func ids(_ query: Query, _ sources: [SourceID]) async throws -> Set<PostID> {
        while try await store.indexMore() > 0 {}
        let list = try await store.openList(query, in: scope(sources)).number
        let posts = try await PostList.Posts(store: store, list: list).reduce(into: []) { $0.append($1.id) }
        #expect(Set(posts).count == posts.count)
        return Set(posts)
    }

    private func scope(_ sources: [SourceID]) async throws -> SourceScope {
        SourceScope(try await store.read { try Sources($0).all() }.filter { sources.contains($0.id) })
    }

    /// A record with the stored values, or with one of them changed.
    private func record(
        _ number: Int, of source: SourceID, in model: StoreModel, _ random: inout SplitMix
    ) throws -> PostMetadata {
        let old = model.posts[PostID(source: source, local: String(number))]?.metadata
        if let old, Int.random(in: 0...3, using: &random) > 0 { return old }
        // One change at a time: to indexed words, to text that readers see, and to data that they don't.
        let change = Int.random(in: 0...5, using: &random)
        func part(_ number: Int, _ known: String?) throws -> String {
            guard let known, change != number else { return try text(&random) }
            return known
        }
        let dates = (0...3).map { "2018-07-1\($0)T00:00:00Z" }
        return try sample(
            id: String(number), title: part(0, old?.title),
            date: change == 1 ? dates.randomElement(using: &random) ?? dates[0] : old?.publishDate.utc ?? dates[0],
            summary: part(2, old?.summary), author: part(3, old?.author.name),
            role: change == 4 ? "Boss" : old?.author.title,
            // Some posts of both sources are about the same page of the first one.
            link: number < 6 ? "http://a/\(number)" : number < 8 ? "https://c.example/\(number)?utm_source=x" : nil)
    }

    private func text(_ random: inout SplitMix) throws -> String {
        try (1...2).map { _ in try #require(Self.words.randomElement(using: &random)) }.joined(separator: " ")
    }
}

extension StoreModel {
    /// The report on a source's list that led from this model to another.
    fileprivate func changes(to other: StoreModel, in source: SourceID) -> ListChanges {
        let ids = other.ids(in: [source], where: \.isListed)
        let known = ids.filter { posts[$0] != nil }
        let updated = known.filter { posts[$0]?.metadata != other.posts[$0]?.metadata }
        return ListChanges(
            new: ids.count - known.count, updated: updated.count, unchanged: known.count - updated.count,
            delisted: self.ids(in: [source], where: \.isListed).subtracting(ids).count)
    }
}
