import BlogEssentials
import BlogMarkup
import BlogModel
import BlogRendering

/// A post in a list on the screen: only the fields that are shown, as a list may have 100,000 rows.
package struct ListRow: Sendable {
    package let id: PostID
    /// Its title on one line, or text to tell it from others if it has none.
    package let title: String
    /// The title of its source; nil in a list of a single source.
    package internal(set) var source: String?
    package let author: String
    /// The beginning of its summary, not sanitized: most rows are never drawn; "" without one.
    private let ownSummary: String
    /// The host that a post of a link aggregator links to; nil for none.
    package let site: String?
    package let date: Date?
    /// When its words last changed; nil if they never did.
    package let changed: Date?
    package private(set) var isRead: Bool
    package private(set) var isSaved: Bool
    package private(set) var labels: [String]
    /// The heading of its group; nil in an ungrouped list.
    package let group: String?
    package let rank: Int32?
    package let points: Int32?
    /// The rating of a photo, as it is shown.
    package private(set) var rating: String?
    package let commentCount: Int32?

    package init(_ post: StoredPost, source: String?, group: String?) {
        let metadata = post.metadata
        // The photos of a site are told apart by their photographers.
        let photographer = metadata.photo == nil ? nil : Sanitizer.line(metadata.author.name)
        self.init(
            post.id, metadata, fallbackTitle: metadata.summary ?? metadata.id, source: source ?? photographer,
            group: group, rank: post.rank, state: post.state, changed: post.changed?.moment,
            date: post.arrival)
        rating = PhotoFacts.text(rating: metadata.photo?.rating)
    }

    /// A post that may not be stored yet, in which case `metadata` and `state` are nil.
    package init(
        _ id: PostID, _ metadata: PostMetadata?, fallbackTitle: String, source: String?, group: String? = nil,
        rank: Int? = nil, state: PostState?, changed: Date? = nil, date: Timestamp? = nil
    ) {
        self.id = id
        let line = Sanitizer.line(metadata?.title ?? "")
        title = line.isEmpty ? Sanitizer.line(fallbackTitle) : line
        self.source = source
        author = Sanitizer.line(metadata?.author.name ?? "")
        // A title that is missing is the beginning of the summary.
        ownSummary = line.isEmpty ? "" : metadata?.summary.map(Self.beginning) ?? ""
        site = metadata.flatMap { $0.discussion == nil ? nil : DiscussionFacts.site($0) }
        self.changed = changed
        self.date = (date ?? metadata?.publishDate)?.date
        (isRead, isSaved) = (state?.isRead ?? false, state?.isSaved ?? false)
        labels = state?.labels ?? []
        self.group = group
        self.rank = rank.map { Int32(clamping: $0) }
        points = metadata?.score.map { Int32(clamping: $0) }
        commentCount = metadata?.commentCount.map { Int32(clamping: $0) }
    }

    /// The beginning of its summary on one line; "" without one.
    var summary: String { Sanitizer.line(ownSummary) }

    private static func beginning(_ summary: String) -> String {
        summary.utf8.count <= maxSummary ? summary : String(summary.unicodeScalars.prefix(maxSummary))
    }

    /// No screen has room for more beside a title.
    private static let maxSummary = 300

    private var state: PostState { PostState(isRead: isRead, isSaved: isSaved, labels: labels) }

    /// Marks it; false if that changes nothing.
    mutating func apply(_ mark: Mark) -> Bool {
        guard !mark.isSet(in: state) else { return false }
        switch mark {
        case .read: isRead = true
        case .unread: isRead = false
        case .saved: isSaved = true
        case .unsaved: isSaved = false
        case .labelled(let label): labels = Label.sorted(labels + [label])
        case .unlabelled(let label): labels.removeAll { Label.isSame($0, label) }
        }
        return true
    }
}
