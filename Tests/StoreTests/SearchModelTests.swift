import BlogMarkup
import BlogModel
import BlogStore
import BlogTestSupport
import Foundation
import Testing

/// A search expression and its meaning.
private indirect enum Expression {
    case word(String)
    case prefix(String)
    case phrase([String])
    case place(String, String)
    case all([Expression])
    case any([Expression])
    case without(Expression, Expression)

    static func random(_ depth: Int, _ random: inout SplitMix) -> Expression {
        func word() -> String { Document.words.randomElement(using: &random) ?? "" }
        func inner() -> Expression { .random(depth - 1, &random) }
        switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &random) {
        case 0: return .word(word())
        case 1: return .prefix(["sw", "r", "ga"].randomElement(using: &random) ?? "")
        case 2: return .phrase([word(), word()])
        case 3: return .place(SearchField.allCases.randomElement(using: &random)?.rawValue ?? "", word())
        case 4: return .all([inner(), inner()])
        case 5: return .any([inner(), inner(), inner()])
        default: return .without(inner(), inner())
        }
    }

    /// The expression as it is typed.
    var typed: String {
        switch self {
        case .word(let word): word
        case .prefix(let start): start + "*"
        case .phrase(let words): "\"\(words.joined(separator: " "))\""
        case .place(let name, let word): "\(name):\(word)"
        case .all(let parts): "(" + parts.map(\.typed).joined(separator: " ") + ")"
        case .any(let parts): "(" + parts.map(\.typed).joined(separator: " OR ") + ")"
        case .without(let base, let other): "(\(base.typed) -\(other.typed))"
        }
    }

    func isMet(by document: Document) -> Bool {
        switch self {
        case .word(let word): document.texts.contains { $0.contains(word) }
        case .prefix(let start): document.texts.contains { $0.contains { $0.hasPrefix(start) } }
        case .phrase(let words): document.texts.contains { $0.firstRange(of: words) != nil }
        case .place(let name, let word): document.places[name]?.contains(word) == true
        case .all(let parts): parts.allSatisfy { $0.isMet(by: document) }
        case .any(let parts): parts.contains { $0.isMet(by: document) }
        case .without(let base, let other): base.isMet(by: document) && !other.isMet(by: document)
        }
    }
}

/// A post as lists of words.
private struct Document {
    static let words = ["swift", "swim", "rust", "ruby", "gamma", "gap"]

    let id: String
    let places: [String: [String]]

    var texts: [[String]] { Array(places.values) }

    init(_ number: Int, _ random: inout SplitMix) {
        id = String(number)
        var places: [String: [String]] = [:]
        for (place, count) in [("title", 2), ("summary", 2), ("author", 1), ("body", 3), ("article", 3)] {
            places[place] = (0..<Int.random(in: 0...count, using: &random)).map { _ in
                Self.words.randomElement(using: &random) ?? ""
            }
        }
        self.places = places
    }

    func text(_ place: String) -> String { places[place]?.joined(separator: " ") ?? "" }
}

@Suite("A random search") struct SearchModelTests {
    @Test("finds exactly the posts that match", arguments: UInt64(1)...4)
    func found(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        let documents = (1...40).map { Document($0, &random) }
        let store = try PostStore()
        try await store.list(
            documents.map {
                try sample(id: $0.id, title: $0.text("title"), summary: $0.text("summary"), author: $0.text("author"))
            })
        for document in documents {
            try await store.store(document.text("body"), of: document.id)
            try await store.storeArticle(document.text("article"), of: .one(document.id))
        }
        for _ in 0..<100 {
            let expression = Expression.random(3, &random)
            let expected = Set(documents.filter(expression.isMet).map(\.id))
            let found = try await store.ids(
                Query(arrangement: Arrangement(sorting: .relevance), words: expression.typed))
            #expect(Set(found) == expected && found.count == expected.count, "\(expression.typed)")
        }
    }
}
