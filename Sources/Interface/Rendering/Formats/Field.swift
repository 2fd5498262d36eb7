import BlogMarkup
import BlogModel

/// A field for `--fields` and `--json=`, named as in the API.
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
    /// The author's image as an absolute address.
    case authorImageURL = "author.imageURL"
    /// The address of the page that the post is about.
    case link
    /// The number of points.
    case score
    case commentCount
    /// The position in the source's own order.
    case rank
    /// The ID of a comment's parent.
    case parent
    /// The ID of the root post of a comment's thread.
    case story
    case body
    /// The facts about the article that the body was extracted from.
    case article
    /// The comments as a tree.
    case comments
    case read
    case saved
    /// The labels that the user gave it.
    case labels
    /// The posts of other sources about the same story.
    case duplicates
    /// A search snippet with the matches between `**`.
    case snippet
    /// The source of the snippet if it isn't the post itself: `article`.
    case snippetPlace
    /// The name of the source.
    case source
    /// The categories of a feed's entry.
    case tags
    /// Attached files, such as a podcast episode.
    case enclosures
    /// The main picture.
    case image
    /// The type of post in a discussion: story, job, poll, pollOption, ask, show or comment.
    case type
    /// The date of the last change according to the source.
    case updated
    /// The date when a change of the title, text, author or tags was last detected.
    case changed
    /// All facts that only photos have.
    case photo
    /// The rating of a photo, from 0 to 100.
    case rating
    case views
    case votes
    case category
    /// The camera's model.
    case camera
    case lens
    case place
    case license
    /// Whether a photo is for adults only.
    case nsfw

    /// The field with a name or alias: `date` means `publishDate`, and `comments` means `commentCount` unless the
    /// comments themselves are available.
    package static func canonical(_ name: String, among known: [String]) -> String {
        let aliases = [
            "date": "publishDate", "published": "publishDate", "comments": "commentCount", "url": "link",
            "points": "score",
        ]
        return known.contains(name) ? name : aliases[name] ?? name
    }

    package static let ofLists: [Field] = [
        .id, .title, .publishDate, .postId, .summary, .author, .authorName, .authorTitle, .authorImage,
        .authorImageURL, .link, .score, .commentCount, .rank, .parent, .story, .read, .saved, .labels, .duplicates,
        .source, .tags,
        .enclosures, .image, .updated, .changed, .type, .photo, .rating, .views, .votes, .category, .camera, .lens,
        .place, .license, .nsfw,
    ]

    /// The fields of posts that are read with their bodies.
    package static let ofReadings: [Field] =
        ofLists.filter { ![.rank, .story, .changed].contains($0) } + [.body, .article, .comments]

    package static let ofSearches = ofLists + [.snippet, .snippetPlace]

    /// The default fields of a tab-separated list, with the id first for `blog read -`.
    static func tabSeparated(isSearch: Bool) -> [Field] {
        [.id, .publishDate, .authorName, .title, isSearch ? .snippet : .summary]
    }

    /// The default columns of CSV.
    static func commaSeparated(isSearch: Bool) -> [Field] {
        [
            .id, .title, .publishDate, .postId, .summary, .authorName, .authorTitle, .authorImage, .link, .score,
            .commentCount, .source,
        ] + (isSearch ? [.snippet] : [])
    }

    /// What the value is read from.
    var parts: Query.Parts {
        switch self {
        case .title, .publishDate, .authorName: .headings
        case .author: [.headings, .facts]
        case .summary: .summaries
        case .postId, .authorTitle, .authorImage, .authorImageURL, .link, .score, .commentCount, .labels: .facts
        case .parent, .tags, .enclosures, .image, .updated, .type, .photo, .rating, .views, .votes, .category, .camera,
            .lens, .place, .license, .nsfw:
            .details
        case .duplicates: .duplicates
        // Snippets begin with the author's name.
        case .snippet, .snippetPlace: .headings
        case .id, .rank, .story, .body, .article, .comments, .read, .saved, .source, .changed: []
        }
    }

    /// The value as text, dates in UTC; "" if missing.
    package func text(_ record: Record) -> String {
        var photo: Photo? { record.metadata.photo }
        return switch self {
        case .id: record.metadata.id
        case .title: record.metadata.title
        case .publishDate: record.metadata.publishDate.isKnown ? record.metadata.publishDate.utc : ""
        case .postId: record.metadata.postId
        case .summary: record.metadata.summary ?? ""
        case .author, .authorName: record.metadata.author.name
        case .article: record.linkedArticle?.address ?? ""
        case .snippet: record.snippet.map { $0.label + $0.marked("**", "**") } ?? ""
        case .snippetPlace: record.snippet.flatMap { $0.place == .post ? nil : $0.place.rawValue } ?? ""
        case .tags: record.metadata.entry?.tags.joined(separator: ", ") ?? ""
        case .labels: record.state?.labels.joined(separator: ", ") ?? ""
        case .duplicates: record.duplicates.map(\.id).joined(separator: " ")
        case .enclosures: record.metadata.entry?.enclosures.map(\.url).joined(separator: " ") ?? ""
        case .image: record.metadata.entry?.image ?? photo?.pictures.last?.url ?? ""
        case .updated: record.metadata.entry?.updated?.utc ?? ""
        case .changed: record.changed?.utc ?? ""
        case .photo: photo?.json.json ?? ""
        case .rating: PhotoFacts.text(rating: photo?.rating) ?? ""
        case .category: photo?.category ?? ""
        case .camera: photo?.camera?.model ?? ""
        case .lens: photo?.camera?.lens ?? ""
        case .place: photo?.place.map { $0.name ?? $0.coordinates?.text ?? "" } ?? ""
        case .license: photo?.license ?? ""
        // A string, a number, or true or false.
        default: value(record).map { "\($0)" } ?? ""
        }
    }

    /// The value as JSON; nil if missing.
    package func json(_ record: Record) -> String? { value(record)?.json }

    /// The value for JSON, as published, but without invisible characters, except in bodies; nil if missing.
    ///
    /// - Parameter isExported: whether it has them, too, as stored.
    func value(_ record: Record, isExported: Bool = false) -> (any JSONValue)? {
        var photo: Photo? { record.metadata.photo }
        func visible(_ text: String?) -> String? { isExported ? text : text.map(InvisibleCharacters.removed) }
        return switch self {
        case .id, .postId: text(record)
        case .title, .authorName: visible(text(record))
        case .publishDate: record.metadata.publishDate.text
        case .author:
            Author(
                name: visible(record.metadata.author.name) ?? "", image: record.metadata.author.image,
                title: visible(record.metadata.author.title))
        case .summary: visible(record.metadata.summary)
        case .authorTitle: visible(record.metadata.author.title)
        case .authorImage: record.metadata.author.image
        case .authorImageURL: record.authorImage
        case .body: record.body
        case .article: record.linkedArticle?.json
        case .link: record.metadata.link
        case .score: record.metadata.score
        case .commentCount: record.metadata.commentCount
        case .rank: record.rank
        case .read: record.state?.isRead
        case .saved: record.state?.isSaved
        case .duplicates: record.duplicates.isEmpty ? nil : record.duplicates.map(\.json)
        case .labels: record.state.flatMap { $0.labels.isEmpty ? nil : $0.labels.compactMap(visible) }
        case .parent: record.metadata.discussion?.parent
        case .story: record.story?.id
        // Comments are written one by one, after the other members.
        case .comments: nil
        case .snippet: visible(record.snippet?.marked("**", "**"))
        case .source: record.source
        case .tags:
            record.metadata.entry.flatMap { $0.tags.isEmpty ? nil : $0.tags.compactMap(visible) }
        case .enclosures: record.metadata.entry.flatMap { $0.enclosures.isEmpty ? nil : $0.enclosures.map(\.json) }
        case .updated: record.metadata.entry?.updated?.text
        case .type: record.metadata.discussion?.type?.rawValue
        case .changed: record.changed?.text
        case .photo: photo?.json
        case .rating: photo?.rating
        case .views: photo?.views
        case .votes: photo?.votes
        case .nsfw: photo?.isAdult
        case .camera: photo?.camera?.json
        case .place: photo?.place?.json
        case .snippetPlace, .image, .category, .lens, .license: visible(nonEmptyText(record))
        }
    }

    private func nonEmptyText(_ record: Record) -> String? {
        let text = text(record)
        return text.isEmpty ? nil : text
    }
}
