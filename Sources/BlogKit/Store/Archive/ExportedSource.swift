import Foundation
import SQLite

/// A source that is or was followed, as it travels from one store to another.
///
/// As JSON it is an object with these names: `source` (the kind), `address`, `name`, `folder`, `title`, `site` and, where it
/// is followed, `followedAt` (milliseconds since 1970, UTC).
public struct ExportedSource: Codable, Hashable, Sendable {
    package let source: String
    package let address: String
    package let name: String
    package let folder: String
    package let title: String?
    package let followedAt: Int64?
    package let site: String?

    /// Whether it was first followed in the years 1970 to 9999.
    var isPlausible: Bool { followedAt.map(ExportedPost.plausibleTimes.contains) ?? true }

    /// Nil for a source without a name.
    init?(_ stored: StoredSource) {
        guard let name = stored.name else { return nil }
        source = stored.id.kind
        address = stored.id.address
        self.name = name
        folder = stored.folder
        title = stored.title
        followedAt = stored.followedAt?.millisecondsSince1970
        site = stored.site
    }
}

extension PostStore {
    /// Takes a source in under a name that no other has; what is stored of it stands.
    ///
    /// - Returns: whether anything changed.
    func merge(_ source: ExportedSource, as name: String) async throws -> Bool {
        try await writeToDisk { database in
            let id = SourceID(kind: source.source, address: source.address)
            let known = try SourceRow.find(id, in: database)
            let key = try known?.key ?? SourceRow.key(of: id, in: database)
            let folder = known?.folder.isEmpty == false ? known?.folder : source.folder
            let followedAt = known?.followedAt?.millisecondsSince1970 ?? source.followedAt
            try database.run(
                "UPDATE blogs SET (name, folder, title, followed_at, site) = (?, ?, ?, ?, ?) WHERE key = ?",
                [
                    .text(known?.name ?? name), .text(folder ?? ""), DatabaseValue(known?.title ?? source.title),
                    followedAt.map { .integer($0) } ?? .null, DatabaseValue(known?.site ?? source.site),
                    .integer(key),
                ])
            return known?.name == nil || known?.followedAt == nil && source.followedAt != nil
        }
    }
}
