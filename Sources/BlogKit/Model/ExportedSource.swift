/// A source that is or was followed, for moving it from one store to another.
///
/// In JSON it is an object with the members `source` (the kind), `address`, `name`, `folder`, `title`, `label`, `site`,
/// `keep`, `article`, `articleBody`, `articleDrop`, `every`, `home`, `feed` (the address of the feed of a service) and, if it is
/// followed, `followedAt` (milliseconds since 1970, UTC).
public struct ExportedSource: Codable, Hashable, Sendable {
    package let source: String
    package private(set) var address: String
    package let name: String
    package let folder: String
    package var title: String?
    package var followedAt: Int64?
    package var site: String?
    package var keep: String?
    package var label: String?
    package var article: String?
    package var articleBody: String?
    package var articleDrop: String?
    package var every: String?
    package var home: String?
    package var feed: String?
    /// The account of a sync server, as the server names it.
    package var account: String?

    package var id: SourceID { SourceID(kind: source, address: address) }

    /// The source at another address.
    package func moved(to address: String) -> ExportedSource {
        var source = self
        source.address = address
        return source
    }

    /// Whether it was first followed in the years 1970 to 9999.
    package var isPlausible: Bool { followedAt.map(ExportedPost.plausibleTimes.contains) ?? true }

    /// A saved search, with other names of sources in it.
    package func renaming(_ names: [String: String]) -> ExportedSource {
        var search = self
        search.address = Search(address).renaming(names)
        return search
    }

    package init(_ source: SourceID, name: String, folder: String) {
        self.source = source.kind
        address = source.address
        self.name = name
        self.folder = folder
    }
}
