import Model

/// A fact of a post that can be picked with `--fields` and `--json=`; the names are the API's own.
package enum Field: String, CaseIterable, Sendable {
    case id
    case title
    case publishDate
    case postId
    case summary
    case author
    case authorName = "author.name"
    case authorTitle = "author.title"
    case authorImage = "author.image"
    /// The same as an address that can be requested.
    case authorImageURL = "author.imageURL"
    /// What the post is about, elsewhere on the web.
    case link
    /// How many points readers gave it.
    case score
    /// How many comments it has.
    case commentCount
    /// Its place in its source's own order.
    case rank
    /// The id of a comment's parent.
    case parent
    /// The id of the post that a comment's discussion is about.
    case story
    case body
    /// The comments, as a tree.
    case comments
    /// Whether it has been read.
    case read
    /// Whether it is saved.
    case saved
    /// A piece of it with the search terms between `**`.
    case snippet
    /// The name of its source.
    case source
    /// What a feed files it under.
    case tags
    /// The files that belong to it: a podcast's sound, pictures.
    case enclosures
    /// A picture that stands for it.
    case image
    /// What sort of post of a discussion it is: story, job, poll, ask, show or comment.
    case type
    /// When it was last changed, where its source says so.
    case updated
    /// When its title, text, author or tags were last found changed.
    case changed
    /// All that is known of a photo beside what every post has.
    case photo
    /// How well a photo is liked, from 0 to 100.
    case rating
    /// How often a photo was looked at.
    case views
    /// How many people voted for a photo.
    case votes
    /// What a photo shows.
    case category
    /// What a photo was taken with.
    case camera
    case lens
    /// Where a photo was taken.
    case place
    /// On what terms a photo may be used.
    case license
    /// Whether a photo is not for everyone to see.
    case nsfw

    /// The name of the field that people call so: `date` for `publishDate`, and `comments` for how many there are
    /// where no tree of them can be had.
    package static func canonical(_ name: String, among known: [String]) -> String {
        let others = [
            "date": "publishDate", "published": "publishDate", "comments": "commentCount", "url": "link",
            "points": "score",
        ]
        return known.contains(name) ? name : others[name] ?? name
    }

    /// What can be picked in a list.
    package static let ofLists: [Field] = [
        .id, .title, .publishDate, .postId, .summary, .author, .authorName, .authorTitle, .authorImage,
        .authorImageURL, .link, .score, .commentCount, .rank, .parent, .story, .read, .saved, .source, .tags,
        .enclosures, .image, .updated, .changed, .type, .photo, .rating, .views, .votes, .category, .camera, .lens,
        .place, .license, .nsfw,
    ]

    /// The fields of posts that are read with their bodies.
    package static let ofReadings: [Field] =
        ofLists.filter { ![.rank, .story, .read, .saved, .changed].contains($0) } + [.body, .comments]

    /// What can be picked in a search.
    package static let ofSearches = ofLists + [.snippet]

    /// The columns of a tab-separated list, the id first so that `blog read -` takes it.
    package static let tabSeparated: [Field] = [.id, .publishDate, .author, .title, .summary]

    /// The same for posts that were searched for.
    package static let tabSeparatedHits: [Field] = [.id, .publishDate, .author, .title, .snippet]

    /// The columns of a CSV file: all that a list knows.
    package static let commaSeparated: [Field] = [
        .id, .title, .publishDate, .postId, .summary, .authorName, .authorTitle, .authorImage, .link, .score,
        .commentCount, .source,
    ]

    /// The fact as text, dates in UTC, "" if there is none.
    package func text(_ record: Record) -> String {
        let metadata = record.metadata
        return switch self {
        case .id: metadata.id
        case .title: metadata.title
        case .publishDate: metadata.publishDate.isKnown ? metadata.publishDate.utc : ""
        case .postId: metadata.postId
        case .summary: metadata.summary ?? ""
        case .author, .authorName: metadata.author.name
        case .authorTitle: metadata.author.title ?? ""
        case .authorImage: metadata.author.image ?? ""
        case .authorImageURL: record.authorImage ?? ""
        case .link: metadata.link ?? ""
        case .score: metadata.score.map { String($0) } ?? ""
        case .commentCount: metadata.commentCount.map { String($0) } ?? ""
        case .rank: record.rank.map { String($0) } ?? ""
        case .parent: metadata.discussion?.parent ?? ""
        case .story: record.story?.id ?? ""
        case .comments: ""
        case .body: record.body ?? ""
        case .read: record.state.map { String($0.isRead) } ?? ""
        case .saved: record.state.map { String($0.isSaved) } ?? ""
        case .snippet: record.snippet?.marked("**", "**") ?? ""
        case .source: record.source ?? ""
        case .tags: metadata.article?.tags.joined(separator: ", ") ?? ""
        case .enclosures: metadata.article?.enclosures.map(\.url).joined(separator: " ") ?? ""
        case .image: metadata.article?.image ?? metadata.photo?.pictures.last?.url ?? ""
        case .updated: metadata.article?.updated?.utc ?? ""
        case .type: metadata.discussion?.type?.rawValue ?? ""
        case .changed: record.changed?.utc ?? ""
        case .photo, .rating, .views, .votes, .category, .camera, .lens, .place, .license, .nsfw:
            text(of: metadata.photo)
        }
    }

    /// The fact as JSON, exactly as published; nil if there is none.
    package func json(_ record: Record) -> String? {
        switch self {
        case .publishDate: JSONText.string(record.metadata.publishDate.text)
        case .author: Self.author(record.metadata.author)
        case .summary: record.metadata.summary.map(JSONText.string)
        case .authorTitle: record.metadata.author.title.map(JSONText.string)
        case .authorImage: record.metadata.author.image.map(JSONText.string)
        case .authorImageURL: record.authorImage.map(JSONText.string)
        case .body: record.body.map(JSONText.string)
        case .link: record.metadata.link.map(JSONText.string)
        case .score: record.metadata.score.map { String($0) }
        case .commentCount: record.metadata.commentCount.map { String($0) }
        case .rank: record.rank.map { String($0) }
        case .parent: record.metadata.discussion?.parent.map(JSONText.string)
        case .story: record.story.map { JSONText.string($0.id) }
        // They come one by one, after everything else that is known of the post.
        case .comments: nil
        case .read, .saved: record.state == nil ? nil : text(record)
        case .snippet: record.snippet.map { _ in JSONText.string(text(record)) }
        case .source: record.source.map(JSONText.string)
        case .tags: record.metadata.article.flatMap { Self.array($0.tags.map(JSONText.string)) }
        case .enclosures: record.metadata.article.flatMap { Self.array($0.enclosures.map(Self.enclosure)) }
        case .image: text(record).isEmpty ? nil : JSONText.string(text(record))
        case .updated: record.metadata.article?.updated.map { JSONText.string($0.text) }
        case .type: record.metadata.discussion?.type.map { JSONText.string($0.rawValue) }
        case .changed: record.changed.map { JSONText.string($0.text) }
        case .photo, .rating, .views, .votes, .category, .camera, .lens, .place, .license, .nsfw:
            json(of: record.metadata.photo)
        case .id, .title, .postId, .authorName: JSONText.string(text(record))
        }
    }

    /// A list; nil for an empty one.
    private static func array(_ items: [String]) -> String? {
        items.isEmpty ? nil : "[" + items.joined(separator: ",") + "]"
    }

    private static func enclosure(_ enclosure: Enclosure) -> String {
        JSONText.object([
            ("url", JSONText.string(enclosure.url)), ("type", enclosure.type.map(JSONText.string)),
            ("length", enclosure.length.map { String($0) }), ("title", enclosure.title.map(JSONText.string)),
        ])
    }

    static func author(_ author: Author) -> String {
        JSONText.object([
            ("name", JSONText.string(author.name)), ("image", author.image.map(JSONText.string)),
            ("title", author.title.map(JSONText.string)),
        ])
    }
}

extension Field {
    /// A fact of a photo as text; "" if there is none.
    func text(of photo: Photo?) -> String {
        switch self {
        case .rating: PhotoFacts.text(rating: photo?.rating) ?? ""
        case .views: photo?.views.map { String($0) } ?? ""
        case .votes: photo?.votes.map { String($0) } ?? ""
        case .category: photo?.category ?? ""
        case .camera: photo?.camera?.model ?? ""
        case .lens: photo?.camera?.lens ?? ""
        case .place: photo?.place.map { $0.name ?? $0.coordinates?.text ?? "" } ?? ""
        case .license: photo?.license ?? ""
        case .nsfw: photo.map { String($0.isAdult) } ?? ""
        case .photo: photo.map(PhotoJSON.object) ?? ""
        default: ""
        }
    }

    /// The same as JSON; nil if there is none.
    func json(of photo: Photo?) -> String? {
        switch self {
        case .rating: photo?.rating.flatMap(PhotoJSON.number)
        case .views, .votes, .nsfw: text(of: photo).isEmpty ? nil : text(of: photo)
        case .camera: photo?.camera.map(PhotoJSON.camera)
        case .place: photo?.place.map(PhotoJSON.place)
        case .photo: photo.map(PhotoJSON.object)
        default: text(of: photo).isEmpty ? nil : JSONText.string(text(of: photo))
        }
    }
}
