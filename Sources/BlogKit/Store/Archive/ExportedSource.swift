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

extension PostStore {
    /// Imports a source; existing values are kept.
    ///
    /// - Parameter name: returns a name, given the test for names of other sources.
    /// - Returns: whether anything changed.
    package func merge(
        _ source: ExportedSource, as name: (_ isTaken: (String) throws -> Bool) throws -> String
    ) async throws -> Bool {
        try await writeToDisk { database in
            let id = SourceID(kind: source.source, address: source.address)
            let known = try SourceRow.find(id, in: database)
            let key = try known?.key ?? SourceRow.key(of: id, in: database)
            let folder = known?.folder.isEmpty == false ? known?.folder : source.folder
            let followedAt = known?.followedAt?.millisecondsSince1970 ?? source.followedAt
            try database.run(
                """
                UPDATE sources SET (
                    name, folder, title, followed_at, site, keep, label, article, article_body, article_drop
                ) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE key = ?
                """,
                [
                    .text(try known?.name ?? name { try SourceRow.isNameTaken($0, except: key, in: database) }),
                    .text(folder ?? ""), DatabaseValue(known?.title ?? source.title),
                    DatabaseValue(followedAt), DatabaseValue(known?.site ?? source.site),
                    DatabaseValue(known?.keep?.text ?? source.keep.flatMap { Retention($0) }?.text),
                    DatabaseValue(known?.label ?? source.label),
                    DatabaseValue((known?.article ?? source.article.flatMap { ArticleChoice(rawValue: $0) })?.rawValue),
                    DatabaseValue(known?.articleBody ?? source.articleBody),
                    DatabaseValue(known?.articleDrop ?? source.articleDrop), .integer(key),
                ])
            return known?.name == nil || known?.followedAt == nil && source.followedAt != nil
        }
    }
}
