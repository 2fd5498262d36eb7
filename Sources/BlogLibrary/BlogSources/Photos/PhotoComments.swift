import Model

/// The comments on a photo as the API sends them: replies name their parent, or lie inside it.
struct PhotoComments: Sendable {
    private let photo: Int
    private let comments: [PhotoComment]
    /// The replies to each comment by its id, and the top-level comments by nil.
    private let children: [Int?: [Int]]

    init(on photo: Int, _ nested: [PhotoComment]) {
        self.photo = photo
        var seen: Set<Int> = []
        let comments = nested.flatMap { $0.flat(below: nil) }.filter { seen.insert($0.id).inserted }
        self.comments = comments
        children = Self.children(comments)
    }

    /// The ids of the top-level comments.
    var replies: [String] { ids(below: nil) }

    /// The comments as entries, in the API's order.
    ///
    /// - Parameter date: the date for comments without one.
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

    /// The ID of a comment, which contains its photo's: it can only be fetched with the photo.
    private func id(_ comment: Int) -> String { "\(photo):\(comment)" }

    private func ids(below parent: Int?) -> [String] { (children[parent] ?? []).map(id) }

    /// The tree, of which every comment is part: one that replies to an unknown comment, or to itself in a circle, is
    /// at the top level.
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

/// A comment as the API sends it.
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
        let comment = try LooseObject(from: decoder)
        parent = comment.count("parent_id")
        text = comment.text("body") ?? ""
        date = comment.line("created_at").flatMap { Timestamp($0) }
        user = comment.object("user").map { PhotoUser($0) }
        let isDeep = decoder.codingPath.count > Self.maxDepth
        replies = isDeep ? [] : comment.values("replies", as: PhotoComment.self)
    }

    /// The maximum nesting of arrays and objects around a reply: nobody writes a hundred replies to replies, and the
    /// stack is limited.
    private static let maxDepth = 200

    /// The comment and those inside it, which are replies to it; an outermost one is below the parent that it names.
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
