import BlogLibrary
import BlogMarkup
import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel
@testable import BlogStore

/// A search and its meaning.
private indirect enum Expression {
    case word(String)
    case prefix(String)
    case phrase([String])
    case place(String, String)
    case source(Int)
    case folder(Int)
    case tag(String)
    case unread
    case saved
    case label
    case all([Expression])
    case any([Expression])
    case not(Expression)
    case without(Expression, Expression)

    static func random(_ depth: Int, _ random: inout SplitMix) -> Expression {
        func word() -> String { Document.words.randomElement(using: &random) ?? "" }
        func inner() -> Expression { .random(depth - 1, &random) }
        switch Int.random(in: 0..<(depth > 0 ? 15 : 10), using: &random) {
        case 0: return .word(word())
        case 1: return .prefix(["sw", "r", "ga"].randomElement(using: &random) ?? "")
        case 2: return .phrase([word(), word()])
        case 3: return .place(SearchField.allCases.randomElement(using: &random)?.rawValue ?? "", word())
        case 4: return .source(Int.random(in: 1...2, using: &random))
        case 5: return .folder(Int.random(in: 1...2, using: &random))
        case 6: return .tag(Document.tags.randomElement(using: &random) ?? "")
        case 7: return .unread
        case 8: return .saved
        case 9: return .label
        case 10: return .all([inner(), inner()])
        case 11: return .any([inner(), inner(), inner()])
        case 12: return .not(inner())
        default: return .without(inner(), inner())
        }
    }

    /// The search as it is typed.
    var typed: String {
        switch self {
        case .word(let word): word
        case .prefix(let start): start + "*"
        case .phrase(let words): "\"\(words.joined(separator: " "))\""
        case .place(let name, let word): "\(name):\(word)"
        case .source(let number): "source:s\(number)"
        case .folder(let number): "folder:news/f\(number)"
        case .tag(let tag): "tag:\"\(tag)\""
        case .unread: "is:unread"
        case .saved: "is:saved"
        case .label: "label:\"Read later\""
        case .all(let parts): "(" + parts.map(\.typed).joined(separator: " ") + ")"
        case .any(let parts): "(" + parts.map(\.typed).joined(separator: " OR ") + ")"
        case .not(let inner): "NOT \(inner.typed)"
        case .without(let base, let other): "(\(base.typed) -\(other.typed))"
        }
    }

    func isMet(by document: Document) -> Bool {
        switch self {
        case .word(let word): document.texts.contains { $0.contains(word) }
        case .prefix(let start): document.texts.contains { $0.contains { $0.hasPrefix(start) } }
        case .phrase(let words): document.texts.contains { $0.firstRange(of: words) != nil }
        case .place(let name, let word): document.places[name]?.contains(word) == true
        case .source(let number), .folder(let number): document.source == number
        case .tag(let tag): document.ownTags.contains(tag)
        case .unread: !document.isRead
        case .saved: document.isSaved
        case .label: document.isLabelled
        case .all(let parts): parts.allSatisfy { $0.isMet(by: document) }
        case .any(let parts): parts.contains { $0.isMet(by: document) }
        case .not(let inner): !inner.isMet(by: document)
        case .without(let base, let other): base.isMet(by: document) && !other.isMet(by: document)
        }
    }
}

/// A post as lists of words, with tags and marks, of the first or the second source.
private struct Document {
    static let words = ["swift", "swim", "rust", "ruby", "gamma", "gap"]
    static let tags = ["swift", "open source", "rust"]

    let id: String
    let source: Int
    let places: [String: [String]]
    let ownTags: [String]
    let isRead: Bool
    let isSaved: Bool
    let isLabelled: Bool

    var texts: [[String]] { places.values + [ownTags.flatMap { $0.split(separator: " ").map(String.init) }] }

    init(_ number: Int, _ random: inout SplitMix) {
        id = String(number)
        var places: [String: [String]] = [:]
        for (place, count) in [("title", 2), ("summary", 2), ("author", 1), ("body", 3), ("article", 3)] {
            places[place] = (0..<Int.random(in: 0...count, using: &random)).map { _ in
                Self.words.randomElement(using: &random) ?? ""
            }
        }
        self.places = places
        source = Int.random(in: 1...2, using: &random)
        ownTags = Self.tags.filter { _ in Bool.random(using: &random) }
        isRead = .random(using: &random)
        isSaved = .random(using: &random)
        isLabelled = .random(using: &random)
    }

    func text(_ place: String) -> String { places[place]?.joined(separator: " ") ?? "" }

    var post: PostID { PostID(source: source == 1 ? .one : .two, local: id) }

    func metadata() throws -> PostMetadata {
        try sample(
            id: id, title: text("title"), summary: text("summary"), author: text("author"),
            details: .entry(EntryDetails(tags: ownTags)))
    }
}

@Suite("A random search") struct SearchModelTests {
    /// A store with the posts, each source in a folder of its own.
    private func store(_ documents: [Document], rules: [Rule] = []) async throws -> (PostStore, SourceScope) {
        let store = try PostStore()
        for (number, source) in [(1, SourceID.one), (2, .two)] {
            _ = try await store.writeToDisk {
                try Sources($0).follow(source, in: "news/f\(number)", site: nil, at: .day(1)) { _ in "s\(number)" }
            }
            for rule in number == 1 ? rules : [] { _ = try await store.add(rule) }
            try await store.list(try documents.filter { $0.source == number }.map { try $0.metadata() }, of: source)
        }
        for document in documents {
            try await store.store(document.text("body"), of: document.id, document.post.source)
            try await store.storeArticle(document.text("article"), of: document.post)
        }
        _ = try await store.mark(.read, ids: documents.filter(\.isRead).map(\.post))
        _ = try await store.mark(.saved, ids: documents.filter(\.isSaved).map(\.post))
        _ = try await store.mark(.labelled("read later"), ids: documents.filter(\.isLabelled).map(\.post))
        while try await store.indexMore() > 0 {}
        return (store, SourceScope(try await store.read { try Sources($0).followed() }))
    }

    private func ids(_ query: Query, _ scope: SourceScope, in store: PostStore) async throws -> [String] {
        let posts = PostList.Posts(store: store, list: try await store.openList(query, in: scope).number)
        return try await posts.reduce(into: []) { $0.append($1.metadata.id) }
    }

    @Test(
        "finds exactly the posts that match, alone and within a saved search, and counts them",
        arguments: 1...UInt64(Mutation.count(4)))
    func found(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        let documents = (1...40).map { Document($0, &random) }
        let (store, scope) = try await store(documents)
        for _ in 0..<100 {
            let (expression, saved) = (Expression.random(3, &random), Expression.random(2, &random))
            let sorting = Arrangement(sorting: Bool.random(using: &random) ? .relevance : .date)
            var query = Query(arrangement: sorting, words: expression.typed)
            let isFindable = Search(expression.typed).condition != nil
            let expected = Set(isFindable ? documents.filter(expression.isMet).map(\.id) : [])
            let found = try await ids(query, scope, in: store)
            #expect(Set(found) == expected && found.count == expected.count, "\(expression.typed)")
            guard Search(saved.typed).condition != nil else { continue }
            query.within = [Search(saved.typed)]
            let both = Set(documents.filter(saved.isMet).map(\.id)).intersection(expected)
            #expect(Set(try await ids(query, scope, in: store)) == both, "\(expression.typed) within \(saved.typed)")
            query.words = nil
            let kept = documents.filter(saved.isMet)
            let counts = ListCounts(posts: kept.count, unread: kept.count { !$0.isRead })
            #expect(try await store.counts(of: query, in: scope) == counts, "\(saved.typed)")
            #expect(try await ids(query, scope, in: store).sorted() == kept.map(\.id).sorted(), "\(saved.typed)")
        }
    }

    @Test(
        "means the same in a rule, for posts that are stored and for those that arrive",
        arguments: 1...UInt64(Mutation.count(4)))
    func rules(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        let documents = (1...40).map { Document($0, &random) }
        var expressions: [Expression] = []
        while expressions.count < 40 {
            let expression = Expression.random(3, &random)
            let isNew = !expressions.contains { $0.typed == expression.typed }
            if isNew, Rule.problem(in: Search(expression.typed)) == nil { expressions.append(expression) }
        }
        let rules = expressions.enumerated().map { Rule(words: $1.typed, marks: [.labelled("r\($0)")]) }
        let (early, _) = try await store(documents, rules: rules)
        let (late, _) = try await store(documents)
        for rule in rules {
            let found = documents.filter(expressions[rules.firstIndex(of: rule) ?? 0].isMet)
            #expect(try await late.add(rule)?.posts == found.count, "\(rule.words)")
        }
        for document in documents {
            let expected = expressions.indices.filter { expressions[$0].isMet(by: document) }.map { "r\($0)" }
            for store in [early, late] {
                let labels =
                    try await store.read { try Posts($0).states(of: [document.post]) }[document.post]?.labels ?? []
                #expect(Set(labels).subtracting(["read later"]) == Set(expected), "post \(document.id)")
            }
        }
    }
}
