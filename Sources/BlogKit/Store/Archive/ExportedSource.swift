import BlogEssentials
import BlogModel

/// A source that is or was followed, for moving it from one store to another.
///
/// In JSON it is an object with the members `source` (the kind), `address`, `name`, `folder`, `title`, `label`, `site`,
/// `keep`, `article`, `articleBody`, `articleDrop` and, if it is followed, `followedAt` (milliseconds since 1970, UTC).
public struct ExportedSource: Codable, Hashable, Sendable {
    package let source: String
    package let address: String
    package let name: String
    package let folder: String
    package let title: String?
    package let followedAt: Int64?
    package let site: String?
    package let keep: String?
    package let label: String?
    package let article: String?
    package let articleBody: String?
    package let articleDrop: String?

    /// Whether it was first followed in the years 1970 to 9999.
    package var isPlausible: Bool { followedAt.map(ExportedPost.plausibleTimes.contains) ?? true }

    package init?(_ stored: StoredSource) {
        guard let name = stored.name else { return nil }
        source = stored.id.kind
        address = stored.id.address
        self.name = name
        folder = stored.folder
        title = stored.title
        followedAt = stored.followedAt?.millisecondsSince1970
        site = stored.site
        keep = stored.keep?.text
        label = stored.label
        article = stored.article?.rawValue
        articleBody = stored.articleBody
        articleDrop = stored.articleDrop
    }
}
