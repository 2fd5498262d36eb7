import BlogEssentials
import BlogMarkup
import BlogModel

/// An item as the API sends it (https://github.com/HackerNews/API#items); every field but the id may be missing.
struct HackerNewsItem: Decodable, Hashable, Sendable {
    var id = 0
    /// `story`, `comment`, `job`, `poll` or `pollopt`.
    var type: String?
    var by: String?
    /// Seconds since 1970, UTC.
    var time: Int?
    /// HTML.
    var text: String?
    /// HTML.
    var title: String?
    var url: String?
    var score: Int?
    /// With holes.
    var kids: [Int?]?
    /// How many comments a story has.
    var descendants: Int?
    var parent: Int?
    /// The options of a poll.
    var parts: [Int?]?
    var deleted: Bool?
    var dead: Bool?

    /// The item as an entry.
    ///
    /// - Parameter options: the options of a poll.
    func entry(options: [HackerNewsItem]) -> Entry {
        let isComment = type == "comment"
        let removal: Discussion.Removal? = deleted == true ? .deleted : dead == true ? .dead : nil
        let metadata = PostMetadata(
            id: String(id), title: Self.title(title, isComment, by, removal),
            publishDate: Timestamp(secondsSince1970: time ?? 0), postId: String(id), summary: nil,
            author: Author(name: by ?? (removal == .deleted ? "[deleted]" : Author.unknown)),
            link: url.flatMap { $0.isEmpty ? nil : $0 }, score: isComment ? nil : score,
            commentCount: isComment || type == "job" ? nil : descendants ?? kids?.compactMap(\.self).count ?? 0,
            details: .discussion(
                Discussion(
                    parent: isComment ? parent.map(String.init) ?? "" : nil,
                    replies: (kids ?? []).unique(atMost: Self.maxReplies).map(String.init),
                    removal: removal, type: postType)))
        return Entry(metadata, content: Entry.Content((text ?? "") + Self.list(options), .html))
    }

    /// The API has no type for questions and projects, only stories whose titles start in a certain way.
    private var postType: Discussion.PostType {
        switch type {
        case "comment": .comment
        case "job": .job
        case "poll": .poll
        case "pollopt": .pollOption
        case _ where title?.utf8.starts(with: "Ask HN:".utf8) == true: .ask
        case _ where title?.utf8.starts(with: "Show HN:".utf8) == true: .show
        default: .story
        }
    }

    /// The limit on direct replies to an item; busy discussions have a few thousand comments in all.
    private static let maxReplies = 20_000

    private static func title(
        _ title: String?, _ isComment: Bool, _ author: String?, _ removal: Discussion.Removal?
    ) -> String {
        func isSpace(_ scalar: Unicode.Scalar) -> Bool {
            // Unicode's tables take ten times as long.
            scalar.isASCII ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
        }
        let text = CharacterReferences.replaced(in: CombiningMarks.limited(title ?? ""))
            .unicodeScalars.split(whereSeparator: isSpace).map { String($0) }.joined(separator: " ")
        if !text.isEmpty { return text }
        if isComment { return "Comment by \(author ?? "[deleted]")" }
        return removal == .deleted ? "[deleted]" : "[untitled]"
    }

    private static func list(_ options: [HackerNewsItem]) -> String {
        guard !options.isEmpty else { return "" }
        let items = options.map { option in
            let votes = option.score.map { " <i>(\($0) \($0 == 1 ? "point" : "points"))</i>" } ?? ""
            return "<li>\(option.text ?? "")\(votes)</li>"
        }
        return "<ul>\(items.joined())</ul>"
    }
}

extension [Int?] {
    /// The ids without holes and repetitions, up to a limit.
    func unique(atMost limit: Int) -> [Int] {
        var seen: Set<Int> = []
        var ids: [Int] = []
        for id in compactMap(\.self) where ids.count < limit && seen.insert(id).inserted { ids.append(id) }
        return ids
    }
}

/// A user as the API sends it (https://github.com/HackerNews/API#users).
struct HackerNewsUser: Decodable, Sendable {
    let id: String
    /// Seconds since 1970, UTC.
    let created: Int?
    let karma: Int?
    /// HTML.
    let about: String?

    /// The user as a post, with the name as its title, the karma as its score and the account's creation as its date.
    func entry(id: String) -> Entry {
        Entry(
            PostMetadata(
                id: id, title: self.id, publishDate: Timestamp(secondsSince1970: created ?? 0), postId: id,
                summary: nil, author: Author(name: self.id), score: karma, details: .user),
            content: Entry.Content(about ?? "", .html))
    }
}
