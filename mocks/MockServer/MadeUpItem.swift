import Foundation

/// A generated story or comment of the Hacker News API, which omits missing values.
struct MadeUpItem: Encodable {
    let id: Int
    let type: String
    let by: String
    let time: Int
    var kids: [Int]?
    var title: String?
    var url: String?
    var text: String?
    var score: Int?
    var descendants: Int?
    var parent: Int?

    static func story(_ id: Int, kids: [Int], descendants: Int) -> MadeUpItem {
        var item = MadeUpItem(id: id, type: "story", by: MadeUpAuthor.name(of: id), time: storyTime(id))
        item.kids = kids.isEmpty ? nil : kids
        item.title = title(id)
        item.url = "https://\(word(id, 1)).example.org/\(word(id, 2))/\(word(id, 3))-\(word(id, 4))"
        item.score = 1 + MadeUpWords.number(seed: id, below: 700)
        item.descendants = descendants
        return item
    }

    /// A comment, some minutes after its story.
    static func comment(_ id: Int, story: Int, minutes: Int, parent: Int, kids: [Int]) -> MadeUpItem {
        let time = storyTime(story) + minutes * 60
        var item = MadeUpItem(id: id, type: "comment", by: MadeUpAuthor.name(of: id), time: time)
        item.kids = kids.isEmpty ? nil : kids
        item.text = text(id)
        item.parent = parent
        return item
    }

    /// Stories are in the order of their IDs, all in the first two weeks of 2026.
    private static func storyTime(_ id: Int) -> Int { 1_767_225_600 + id % 100_000 % 2_000 * 600 }

    private static func title(_ id: Int) -> String {
        let (one, two) = (word(id, 5), word(id, 6).capitalized)
        let titles = [
            "\(two), a small language for \(one)", "Why we left \(two) for plain \(one)",
            "The \(one) that nobody reads", "\(two) 2.0 is out", "How \(two) made \(one) twice as fast",
            "Notes on \(one) &amp; \(word(id, 7))",
            "Show HN: \(two) – \(one) in your terminal", "The history of \(one) (1987)",
            "What I learned from \(one) at \(two)",
        ]
        return titles[MadeUpWords.number(seed: id &* 31, below: titles.count)]
    }

    private static func text(_ id: Int) -> String {
        let first = sentence(id, 1)
        return switch MadeUpWords.number(seed: id &* 17, below: 8) {
        case 0: "&gt; \(first)<p>\(sentence(id, 2))"
        case 1: "\(first)<p>\(sentence(id, 2))<p>\(sentence(id, 3))"
        case 2: "\(first) <i>\(word(id, 8))</i>, isn&#x27;t it?"
        case 3: "\(first)<p>\(code(id))\(sentence(id, 2))"
        case 4: "\(first)<p>\(link(id))"
        default: first
        }
    }

    private static func code(_ id: Int) -> String {
        "<pre><code>  \(word(id, 8)) --\(word(id, 9)) | \(word(id, 10))\n</code></pre>\n"
    }

    private static func link(_ id: Int) -> String {
        let address = "https:&#x2F;&#x2F;\(word(id, 8)).example.org&#x2F;\(word(id, 9))"
        return "<a href=\"\(address)\" rel=\"nofollow\">\(address)</a>"
    }

    private static func sentence(_ id: Int, _ part: Int) -> String {
        let length = 6 + MadeUpWords.number(seed: id &* 13 &+ part, below: 40)
        let words = (0..<length).map { word(id, part * 100 + $0) }
        return (words.first ?? "").capitalized + " " + words.dropFirst().joined(separator: " ") + "."
    }

    private static func word(_ id: Int, _ part: Int) -> String { MadeUpWords.word(seed: id &* 7919 &+ part) }
}

/// An author of generated items.
struct MadeUpAuthor: Encodable {
    let id: String
    let created: Int
    let karma: Int

    /// Nil if no author has this name.
    init?(_ name: String) {
        guard let number = Self.names.firstIndex(of: name) else { return nil }
        id = name
        created = 1_300_000_000 + number * 1_000_000
        karma = 1 + MadeUpWords.number(seed: number, below: 30_000)
    }

    /// The author of an item.
    static func name(of item: Int) -> String { names[MadeUpWords.number(seed: item &* 37, below: names.count)] }

    // Numbered, because words repeat.
    private static let names = (1...100).map { "\(MadeUpWords.word(seed: $0 &* 101))\($0)" }
}

extension Encodable {
    /// JSON as in the Hacker News API.
    func json() -> Data? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try? encoder.encode(self)
    }
}
