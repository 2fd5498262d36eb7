import Essentials
import HTTP
import Model

/// A place where posts come from.
///
/// A source turns its own wire format into entries; nothing else sees the format. Sources differ in their
/// ``capabilities`` and in the result of ``refresh(_:since:)``, so nothing else needs to know their kind. All functions
/// throw a ``FetchError`` or `CancellationError`, as reading their results does.
package protocol Source: Sendable {
    /// The kind and the address.
    var id: SourceID { get }
    var capabilities: Capabilities { get }

    /// The current list, or that it hasn't changed.
    ///
    /// - Parameters:
    ///   - section: one of ``Capabilities/sections``; nil for the usual one.
    ///   - since: the cache state of the last refresh; nil for an unconditional request.
    func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh
    /// The metadata of a post that isn't listed, by its ID.
    func metadata(id: String) async throws -> PostMetadata
    /// The body of a post, or that it still matches the validators.
    ///
    /// - Parameter isShown: whether the text is streamed as it arrives; such a request is not retried.
    func body(of metadata: PostMetadata, validators: CacheValidators?, isShown: Bool) async throws -> BodyResponse
    /// Whether it may be moved to an address that its server names.
    func mayMove(to address: URL) -> Bool
    /// The web page where a post is discussed; nil if there is none.
    func discussionPage(of id: String) -> URL?
    /// The id of the post that a page on the web is about; nil if it is about none of this source.
    func id(ofPage page: URL) -> String?
}

extension Source {
    package func metadata(id: String) async throws -> PostMetadata { throw SourceError.noSuchPost(id: id, url) }

    package func body(
        of metadata: PostMetadata, validators: CacheValidators?, isShown: Bool
    ) async throws -> BodyResponse {
        throw SourceError.noBody(id: metadata.id, url)
    }

    package func mayMove(to address: URL) -> Bool { true }
    package func discussionPage(of id: String) -> URL? { nil }
    package func id(ofPage page: URL) -> String? { nil }

    /// The address of the source.
    package var url: URL { URL(address: id.address) ?? URL(filePath: "/") }
}

/// A source whose posts and comments are fetched one by one.
package protocol ItemFetching: Source {
    /// The item with an id: a post, a comment or a user; nil if there is none.
    func item(id: String) async throws -> Entry?
}

/// The capabilities of a source.
package struct Capabilities: Hashable, Sendable {
    /// The names of its lists, the usual one first; none if it has but one.
    package let sections: [String]
    /// The orders that it supports in addition to those of every source.
    package let orders: Set<Sorting>
    /// Whether its posts have comments.
    package let hasComments: Bool
    /// The format of its bodies; nil if they may be anything.
    package let bodyFormat: BodyFormat?
    /// Whether bodies come with the list, so that none is ever fetched.
    package let bodiesComeAlong: Bool
    /// Whether the posts of a ranking come with it, so that none is fetched for a list.
    package let postsComeAlong: Bool
    /// Whether comments come with the post that they are on, so that none is ever fetched.
    package let commentsComeAlong: Bool
    /// For how many seconds a ranking is fresh.
    package let rankingLifetime: TimeInterval

    package init(
        sections: [String] = [], orders: Set<Sorting> = [], hasComments: Bool = false, bodyFormat: BodyFormat? = nil,
        bodiesComeAlong: Bool = false, postsComeAlong: Bool = false, commentsComeAlong: Bool = false,
        rankingLifetime: TimeInterval = 0
    ) {
        self.sections = sections
        self.orders = orders
        self.hasComments = hasComments
        self.bodyFormat = bodyFormat
        self.bodiesComeAlong = bodiesComeAlong
        self.postsComeAlong = postsComeAlong
        self.commentsComeAlong = commentsComeAlong
        self.rankingLifetime = rankingLifetime
    }

    /// Whether it has its own ranking.
    package var isRanked: Bool { orders.contains(.rank) }

    /// The capabilities of several sources together: lists and ranks are those of one source.
    package static func union(_ all: [Capabilities], areSeveral: Bool) -> Capabilities {
        if !areSeveral, let first = all.first { return first }
        return Capabilities(
            orders: all.reduce(into: Set<Sorting>()) { $0.formUnion($1.orders) }.subtracting([.rank]),
            hasComments: all.contains(where: \.hasComments))
    }
}

/// A kind of source, and how one of it is made.
package struct SourceKind: Sendable {
    /// The name under which its posts are stored, and that users may type.
    package let name: String
    /// Other names that users may type; the first is the prefix of post IDs of a source that isn't followed.
    package var shorthands: [String] = []
    /// The address to request if the user gives none; nil if there is no usual one.
    package let usualAddress: String?
    /// A description of an address of this kind, as the end of the sentence "that is …".
    package let description: String
    package let capabilities: Capabilities
    /// What to do if there is no server at ``usualAddress``; nil for no hint.
    package var hint: String?
    /// Whether an address may have a query, and a slash at its end means something.
    package var isPage = false
    /// Whether there is but one source of this kind, which isn't on the network.
    package var isLocal = false
    package let make: @Sendable (URL, HTTPClient) -> any Source

    /// Whether a word is one of its names.
    package func isNamed(_ word: String) -> Bool { name == word || shorthands.contains(word) }

    /// The prefix of the post IDs of a source that isn't followed.
    package var idPrefix: String { shorthands.first ?? name }

    /// The source of this kind at its usual address, or another.
    package func source(at address: String?) -> SourceID? {
        (address ?? usualAddress).flatMap { url($0) }.map { SourceID(kind: name, address: $0.absoluteString) }
    }

    /// The URL that a text names, in the one spelling for this kind; nil for none.
    package func url(_ text: String) -> URL? {
        if isLocal { return text == usualAddress ? URL(address: text) : nil }
        return isPage ? SourceAddress.page(text) : SourceAddress.url(text)
    }
}

/// The kinds of source there are.
package enum SourceRegistry {
    /// Every kind; the first is the default.
    package static let kinds = [
        BlogAPISource.kind, HackerNewsSource.kind, FeedSource.kind, PhotoSource.kind, PageSource.kind,
    ]

    /// The kind with a name; nil if there is none.
    package static func kind(named name: String) -> SourceKind? { kinds.first { $0.isNamed(name) } }

    /// Whether a source can be fetched that is stored under a kind and an address.
    package static func isKnown(_ source: SourceID) -> Bool {
        kinds.first { $0.name == source.kind }?.url(source.address)?.absoluteString == source.address
    }

    /// What to do if a server at the usual address of a kind can't be reached; nil for any other address.
    package static func hint(for url: URL) -> String? {
        kinds.first { kind in
            kind.hint != nil && kind.usualAddress.map { url.absoluteString.hasPrefix($0 + "/") } ?? false
        }?.hint
    }

    /// The source of an id, ready for requests; nil if only another version knows its kind.
    package static func make(_ source: SourceID, _ client: HTTPClient) -> (any Source)? {
        guard let kind = kinds.first(where: { $0.name == source.kind }), let url = kind.url(source.address) else {
            return nil
        }
        return kind.make(url, client.forSource(at: url))
    }
}

/// An error of a fetch: an ``HTTPError`` if there was no response, a ``SourceError`` if the response can't be used.
public protocol FetchError: Error {}

extension HTTPError: FetchError {}

/// Why a complete response could not be used.
public enum SourceError: FetchError, Hashable {
    /// The body isn't what was requested; `problem` ends the sentence "the response of URL …".
    case unreadable(URL, problem: String)
    /// The list has records, but none that can be read.
    case nothingUsable(URL, [RejectedRecord])
    /// The source has no post of this id.
    case noSuchPost(id: String, URL)
    /// The server has the post's metadata but no body for it.
    case noBody(id: String, URL)
    /// The server refuses a request; `hadKey` is whether a person's key was sent with it.
    case refused(URL, hadKey: Bool)

    /// The body of a response is not JSON, or is truncated.
    static func malformed(_ url: URL) -> SourceError { .unreadable(url, problem: malformedProblem) }

    /// The problem of invalid JSON, as the end of a sentence about it.
    static let malformedProblem = "is not valid JSON"
}

/// A source's response to a request for a body.
package struct BodyResponse: Sendable {
    /// The text, which may still be arriving; nil if the server said that it has not changed.
    package let text: TextStream?
    /// What to send with the next request.
    package let validators: CacheValidators

    package init(text: TextStream?, validators: CacheValidators) {
        self.text = text
        self.validators = validators
    }
}

/// The text of a body as a stream of chunks, cut anywhere but within a character.
///
/// It can be read once. If reading throws, discard what was read.
package struct TextStream: AsyncSequence, Sendable {
    package typealias Element = String

    private let readChunk: @Sendable () async throws -> String?

    /// A text from a function that returns the next chunk, nil at the end.
    package init(readChunk: @escaping @Sendable () async throws -> String?) {
        self.readChunk = readChunk
    }

    package func makeAsyncIterator() -> Iterator { Iterator(readChunk: readChunk) }

    package struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let readChunk: @Sendable () async throws -> String?

        package func next() async throws -> String? { try await readChunk() }
    }
}

/// The entries of a list; reading throws ``SourceError/nothingUsable(_:_:)`` if there are records, but none that can be
/// read.
actor CheckedEntries: EntryBatches {
    private let entries: any EntryBatches
    private let url: URL
    private var hasEntry = false
    private var flaws = ListFlaws()

    init(_ entries: any EntryBatches, of url: URL) {
        self.entries = entries
        self.url = url
    }

    func next() async throws -> EntryBatch? {
        guard let batch = try await entries.next() else {
            guard hasEntry || flaws.isEmpty else { throw SourceError.nothingUsable(url, flaws.rejected) }
            return nil
        }
        hasEntry = hasEntry || !batch.entries.isEmpty
        if !hasEntry {
            for record in batch.rejected { flaws.note(record) }
            // This is not a list of posts; give up before reading all of it.
            if flaws.rejectedCount > Self.maxRejected { throw SourceError.nothingUsable(url, flaws.rejected) }
        }
        return batch
    }

    /// How many records may be wrong before the first that is right.
    private static let maxRejected = 10_000
}
