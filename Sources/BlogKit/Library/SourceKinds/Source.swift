import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// A source of posts.
///
/// It converts its own wire format into entries. Sources differ in their ``capabilities`` and in the result of
/// ``refresh(_:since:)``, so no other code depends on the kind or the format. All functions throw a ``FetchError`` or
/// `CancellationError`, as does reading their results, and a ``StoreError`` if a temporary file can't be read.
package protocol Source: Sendable {
    static var kind: SourceKind { get }
    var id: SourceID { get }

    /// The current list, or the information that it hasn't changed.
    ///
    /// - Parameters:
    ///   - section: one of ``Capabilities/sections``; nil for the default one.
    ///   - since: the cache state of the last refresh; nil for an unconditional request.
    func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh
    /// The metadata of a post that isn't listed.
    func metadata(id: String) async throws -> PostMetadata
    /// The body of a post, or the information that it still matches the validators.
    func body(of metadata: PostMetadata, validators: CacheValidators?) async throws -> BodyResponse
    /// Whether the source may be moved to an address given by its server.
    func mayMove(to address: URL) -> Bool
    /// The web page where a post is discussed; nil if there is none.
    func discussionPage(of id: String) -> URL?
    /// The ID of the post that a web page is about; nil if it isn't about a post of this source.
    func id(ofPage page: URL) -> String?
}

extension Source {
    package var capabilities: Capabilities { Self.kind.capabilities }

    package func metadata(id: String) async throws -> PostMetadata { throw SourceError.noSuchPost(id: id, url) }

    package func body(of metadata: PostMetadata, validators: CacheValidators?) async throws -> BodyResponse {
        throw SourceError.noBody(id: metadata.id, url)
    }

    package func mayMove(to address: URL) -> Bool { true }
    package func discussionPage(of id: String) -> URL? { nil }
    package func id(ofPage page: URL) -> String? { nil }

    package var url: URL { URL(address: id.address) ?? URL(filePath: "/") }
}

/// A source whose posts and comments are fetched one by one.
package protocol ItemFetching: Source {
    /// The item with an ID: a post, a comment or a user; nil if there is none.
    func item(id: String) async throws -> Entry?
}

package struct Capabilities: Hashable, Sendable {
    /// The names of its lists, the default one first; empty if there is only one list.
    package var sections: [String] = []
    /// The sort orders that it supports in addition to those of every source.
    package var orders: Set<Sorting> = []
    package var hasComments = false
    /// The format of its bodies; nil if they may be anything.
    package var bodyFormat: BodyFormat?
    /// Whether its lists include the bodies, so that they are never fetched separately.
    package var includesBodies = false
    /// Whether its rankings include the posts, so that they aren't fetched separately for a list.
    package var includesPosts = false
    /// Whether its posts include their comments, so that they are never fetched separately.
    package var includesComments = false
    /// Whether a source that is lost can be found again by way of its site.
    package var canBeRepaired = false
    /// For how many seconds a ranking is fresh.
    package var rankingLifetime: TimeInterval = 0

    package var isRanked: Bool { orders.contains(.rank) }
    /// The order of a list unless the user chooses one.
    package var sorting: Sorting { isRanked ? .rank : .date }

    /// The combined capabilities of several sources: sections and ranks belong to a single source.
    package static func union(_ all: [Capabilities], areSeveral: Bool) -> Capabilities {
        if !areSeveral, let first = all.first { return first }
        return Capabilities(
            orders: all.reduce(into: Set<Sorting>()) { $0.formUnion($1.orders) }.subtracting([.rank]),
            hasComments: all.contains(where: \.hasComments))
    }
}

package struct SourceKind: Sendable {
    /// The name in the store, which users may also type.
    package let name: String
    /// Other names that users may type; the first is the prefix of post IDs of sources that aren't followed.
    package var aliases: [String] = []
    /// The address to use if the user gives none; nil if there is no default.
    package let defaultAddress: String?
    /// A description of an address of this kind, as the end of the sentence "that is …".
    package let description: String
    package let capabilities: Capabilities
    /// What to do if there is no server at ``defaultAddress``; nil for no hint.
    package var hint: String?
    /// Whether an address may have a query, and a trailing slash is significant.
    package var isPage = false
    /// Whether an address may have the name of a user: there are several accounts on a server.
    package var isAccount = false
    /// Whether there is only one source of this kind, which isn't on the network.
    package var isLocal = false
    /// The scheme of its addresses, which aren't on the network; nil for http and https.
    var scheme: String?
    /// Whether a server of this kind is recognized by its list.
    var isDetectedByList = true
    /// Makes a source for requests; nil for services.
    var make: (@Sendable (URL, HTTPClient) -> any Source)?

    package func isNamed(_ word: String) -> Bool { name == word || aliases.contains(word) }

    /// The prefix of the post IDs of a source that isn't followed.
    package var idPrefix: String { aliases.first ?? name }

    /// The source of this kind at an address, or at the default one.
    package func source(at address: String?) -> SourceID? {
        (address ?? defaultAddress).flatMap { url($0) }.map { SourceID(kind: name, address: $0.absoluteString) }
    }

    /// The URL in a text, in the canonical form for this kind; nil if there is none.
    package func url(_ text: String) -> URL? {
        if let scheme { return Self.localURL(text, scheme) }
        if isLocal { return text == defaultAddress ? URL(address: text) : nil }
        if isAccount { return SourceAddress.account(text) }
        return isPage ? SourceAddress.page(text) : SourceAddress.url(text)
    }

    /// The address of a command, as `exec:NAME`, or of a file, as `file:///PATH`.
    private static func localURL(_ text: String, _ scheme: String) -> URL? {
        let text = text.trimmed
        guard text.hasPrefix(scheme + ":"), text.utf8.count <= 4096, let url = URL(address: text),
            url.absoluteString == text
        else { return nil }
        let rest = text.dropFirst(scheme.count + 1)
        let isPath = rest.hasPrefix("///") && !rest.contains("?") && !rest.contains("#")
        let isName = !rest.isEmpty && rest.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) }
        return scheme == "file" ? isPath ? url : nil : isName ? url : nil
    }

    /// Whether its sources are requested from servers.
    package var isOnNetwork: Bool { !isLocal && scheme == nil }
}

package enum SourceRegistry {
    /// The kind of a source if none is named.
    package static let standard = BlogAPISource.kind

    package static let kinds = [
        standard, HackerNewsSource.kind, FeedSource.kind, PhotoSource.kind, PageSource.kind, Service.kind,
        FeedOfServiceSource.kind, CommandFeed.kind, FileFeed.kind, LinkedSource.kind,
    ]

    package static func kind(named name: String) -> SourceKind? { kinds.first { $0.isNamed(name) } }

    /// What the IDs of a source that was never followed start with, and its name.
    static func prefix(of source: SourceID) -> String { kind(named: source.kind)?.idPrefix ?? source.kind }

    /// Whether a source has a known kind and a canonical address.
    package static func isKnown(_ source: SourceID) -> Bool {
        if source.isSearch { return Search(source.address).isValid }
        return kinds.first { $0.name == source.kind }?.url(source.address)?.absoluteString == source.address
    }

    /// What to do if a server at the default address of a kind can't be reached; nil for any other address.
    package static func hint(for url: URL) -> String? {
        kinds.first { kind in
            kind.hint != nil && kind.defaultAddress.map { url.absoluteString.hasPrefix($0 + "/") } ?? false
        }?.hint
    }

    /// Whether a source is at the default address of its kind, which the program names itself.
    package static func isUsual(_ source: SourceID) -> Bool {
        kinds.contains { $0.name == source.kind && $0.source(at: nil) == source }
    }

    /// The source with an ID, ready for requests; nil for a service, or if only another version knows its kind.
    package static func make(_ source: SourceID, _ client: HTTPClient) -> (any Source)? {
        guard let kind = kinds.first(where: { $0.name == source.kind }), let url = kind.url(source.address) else {
            return nil
        }
        return kind.make?(url, client.forSource(at: url))
    }
}

/// Why something couldn't be fetched: an ``HTTPError`` without a usable status, a ``SourceError`` for unusable content.
public protocol FetchError: Error {}

extension HTTPError: FetchError {
    /// Whether the server has nothing at the address.
    var isNotFound: Bool { statusCode == 404 || statusCode == 410 }
}

/// Why a complete response can't be used.
public enum SourceError: FetchError, Hashable {
    /// The body isn't what was requested; `problem` ends the sentence "the response of URL …".
    case unreadable(URL, problem: String)
    /// The list has records, but all of them are malformed.
    case nothingUsable(URL, [RejectedRecord])
    /// The server redirects permanently to another host, where the list has none of the stored posts.
    case movedElsewhere(URL, to: URL)
    /// The source has no post with this id.
    case noSuchPost(id: String, URL)
    /// The server has the post's metadata but not its body.
    case noBody(id: String, URL)
    /// The command or the file couldn't be read; `problem` is the reason.
    case local(URL, problem: String)
    /// The command or the file came with a list or an archive, and the user has yet to type its address.
    case notTyped(URL)
    /// The server refused a request; `hadKey` is whether it was sent with the user's API key.
    case refused(URL, hadKey: Bool)

    /// The body of a response isn't valid JSON.
    static func malformed(_ url: URL) -> SourceError { .unreadable(url, problem: malformedProblem) }

    /// The problem in ``malformed(_:)``.
    static let malformedProblem = "isn't valid JSON"
    /// The problem of a body of JSON whose end is missing.
    package static let cutOffProblem = "ends before it is complete"
}

/// A source's response to a request for a body.
package struct BodyResponse: Sendable {
    let content: BodyContent
    /// The validators for the next request.
    let validators: CacheValidators
}

/// Passes on the entries of a list; throws ``SourceError/nothingUsable(_:_:)`` if there are records, but all of them
/// are malformed.
struct CheckedEntries: EntryBatches {
    private var entries: any EntryBatches
    private let url: URL
    /// The first entries; nil once they have been returned.
    private var first: EntryBatch?
    private var hasEntry = false
    private var flaws = ListFlaws()

    /// Decodes the first batch at once, outside of a transaction: most lists have only one.
    init(_ entries: any EntryBatches, of url: URL) throws {
        self.entries = entries
        self.url = url
        first = try self.entries.next()
    }

    mutating func next() throws -> EntryBatch? {
        guard let batch = try first.take() ?? entries.next() else {
            guard hasEntry || flaws.isEmpty else { throw SourceError.nothingUsable(url, flaws.rejected) }
            return nil
        }
        hasEntry = hasEntry || !batch.entries.isEmpty || !batch.unchanged.isEmpty
        if !hasEntry {
            for record in batch.rejected { flaws.note(record) }
            // This isn't a list of posts; don't read all of it.
            if flaws.rejectedCount > Self.maxRejected { throw SourceError.nothingUsable(url, flaws.rejected) }
        }
        return batch
    }

    /// The limit on malformed records before the first valid one.
    private static let maxRejected = 10_000
}
