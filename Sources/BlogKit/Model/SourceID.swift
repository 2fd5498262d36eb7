import BlogEssentials

/// Identifies a source by its kind and address.
public struct SourceID: Hashable, Sendable, Codable {
    /// The name of the kind, for example `blog` or `hackernews`.
    public let kind: String
    /// The absolute http or https URL in its normalized form: lowercase scheme and host, no default port, no trailing
    /// slash.
    public let address: String

    /// The id of a source; the address isn't normalized.
    public init(kind: String, address: String) {
        self.kind = kind
        self.address = address
    }
}

extension SourceID {
    /// A saved search, which is kept beside the sources: its address is what was typed, and its posts are theirs.
    package static func search(_ typed: String) -> SourceID { SourceID(kind: searchKind, address: typed) }

    /// Whether it is a saved search.
    public var isSearch: Bool { kind == Self.searchKind }

    package static let searchKind = "search"

    /// Whether it is the list of the pages that posts of the others link to.
    package var isLinked: Bool { kind == Self.linkedKind }

    package static let linkedKind = "linked"

    /// Whether its list has the posts of other sources, so that it is listed only where it is named, and counts in no
    /// total: a saved search, or what they link to.
    package var listsOthers: Bool { isSearch || isLinked }

    /// Their kinds, as values of SQL.
    package static let kindsListingOthers = "'\(searchKind)', '\(linkedKind)'"

    /// Whether it is a service: a server that follows feeds, and keeps the marks on their posts.
    package var isService: Bool { kind == Self.serviceKind }

    /// The service that it is a feed of, and the feed's ID there; nil for any other source.
    package var placeAtService: (service: SourceID, stream: String)? {
        guard kind == Self.subscriptionKind, let path = address.firstRange(of: Self.streams),
            let stream = address[path.upperBound...].percentDecoded
        else { return nil }
        return (SourceID(kind: Self.serviceKind, address: String(address[..<path.lowerBound])), stream)
    }

    /// The service that it is a feed of; nil for any other source.
    package var service: SourceID? { placeAtService?.service }

    package static let serviceKind = "service"
    package static let subscriptionKind = "subscription"
    /// Where the feeds of a service are, below its address.
    private static let streams = "/reader/api/0/stream/contents/"
}

/// Identifies a post: the same ID in two sources means two posts.
public struct PostID: Hashable, Sendable, Codable {
    /// The post's source.
    public let source: SourceID
    /// The post's ``PostMetadata/id`` in its source.
    public let local: String

    /// The id of a post in a source.
    public init(source: SourceID, local: String) {
        self.source = source
        self.local = local
    }
}

/// The path of a folder of sources.
package struct FolderPath: Hashable, Sendable {
    /// The names of the folders, outermost first.
    package let names: [String]

    /// Trims the names and drops empty ones.
    package init(_ names: [String]) {
        self.names = names.map { $0.trimmed }.filter { !$0.isEmpty }
    }

    /// Parses names separated by slashes, such as `News/Science`.
    ///
    /// In a name, `\/` stands for a slash and `\\` for a backslash.
    package init(_ text: String) {
        var names = [""]
        var isEscaped = false
        // By scalars: a slash followed by a combining mark is a different Character.
        for scalar in text.unicodeScalars {
            if isEscaped {
                if scalar != "/", scalar != "\\" { names[names.count - 1].append("\\") }
                names[names.count - 1].unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "/" {
                names.append("")
            } else {
                names[names.count - 1].unicodeScalars.append(scalar)
            }
        }
        if isEscaped { names[names.count - 1].append("\\") }
        self.init(names)
    }

    /// The texts of it and the folders around it; none for the path of no folder.
    package var ancestors: [String] { names.indices.map { FolderPath(Array(names[...$0])).text } }

    /// The names separated by slashes, with escapes.
    package var text: String {
        names.map { name in
            name.unicodeScalars.map { $0 == "/" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        }.joined(separator: "/")
    }
}
