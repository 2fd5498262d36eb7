import BlogModel

/// The comments on a photo as the API sends them: replies name their parent or are nested in it.
struct PhotoComments: Sendable {
    private let photo: Int
    private let comments: [PhotoComment]
    /// The IDs of the replies to each comment, and of the top-level comments under nil.
    private let children: [Int?: [Int]]

    init(on photo: Int, _ nested: [PhotoComment]) {
        self.photo = photo
        var seen: Set<Int> = []
        let comments = nested.flatMap { $0.flat(below: nil) }.filter { seen.insert($0.id).inserted }
        self.comments = comments
        children = Self.children(comments)
    }

    var replies: [String] { ids(below: nil) }

    /// The comments as entries, in the API's order.
    ///
    /// - Parameter date: the date of comments without one.
    func entries(on site: PhotoWebsite, at date: Timestamp) -> [Entry] {
        let parents = children.reduce(into: [Int: Int]()) { parents, family in
            for child in family.value { parents[child] = family.key }
        }
        return comments.map { comment in
            let discussion = Discussion(
                parent: parents[comment.id].map(id) ?? String(photo), replies: ids(below: comment.id), type: .comment)
            return comment.entry(id(comment.id), discussion, on: site, at: date)
        }
    }

    /// The ID of a comment, which includes that of its photo because it can only be fetched with the photo.
    private func id(_ comment: Int) -> String { "\(photo):\(comment)" }

    private func ids(below parent: Int?) -> [String] { (children[parent] ?? []).map(id) }

    /// The tree of comments; replies to unknown comments, and cycles, become top-level comments.
    private static func children(_ comments: [PhotoComment]) -> [Int?: [Int]] {
        let known = Set(comments.map(\.id))
        let claimed = Dictionary(grouping: comments) { $0.parent.flatMap { known.contains($0) ? $0 : nil } }
        var children: [Int?: [Int]] = [:]
        var placed: Set<Int> = []
        func place(_ comment: Int) {
            placed.insert(comment)
            children[nil, default: []].append(comment)
            var open = [comment]
            while let parent = open.popLast() {
                let replies = (claimed[parent] ?? []).map(\.id).filter { placed.insert($0).inserted }
                children[parent] = replies
                open += replies
            }
        }
        for comment in claimed[nil] ?? [] { place(comment.id) }
        for comment in comments where !placed.contains(comment.id) { place(comment.id) }
        return children
    }
}

struct PhotoComment: Decodable, Sendable {
    let id: Int
    /// Its parent; nil for the photo.
    private(set) var parent: Int?
    private let text: String
    private let date: Timestamp?
    private let user: PhotoUser?
    private let replies: [PhotoComment]

    private enum CodingKeys: CodingKey {
        case id
    }

    /// Throws a `DecodingError` for a comment without an id.
    init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
        let comment = try LenientObject(from: decoder)
        parent = comment.count("parent_id")
        text = comment.text("body") ?? ""
        date = comment.line("created_at").flatMap { Timestamp($0) }
        user = comment.object("user").map { PhotoUser($0) }
        let isDeep = decoder.codingPath.count > Self.maxDepth
        replies = isDeep ? [] : comment.values("replies", as: PhotoComment.self)
    }

    /// The maximum nesting of arrays and objects around a reply, because the stack is limited; real threads have far
    /// less.
    private static let maxDepth = 200

    /// The comment and those nested in it as its replies; a top-level comment keeps the parent that it names.
    func flat(below outer: Int?) -> [PhotoComment] {
        var comment = self
        comment.parent = outer ?? parent
        return [comment] + replies.flatMap { $0.flat(below: id) }
    }

    func entry(_ id: String, _ discussion: Discussion, on site: PhotoWebsite, at other: Timestamp) -> Entry {
        let author = PhotoUser.author(user, on: site)
        let metadata = PostMetadata(
            id: id, title: "Comment by \(author.name)", publishDate: date ?? other, postId: id, summary: nil,
            author: author, details: .discussion(discussion))
        return Entry(metadata, content: Entry.Content(published: text))
    }
}
