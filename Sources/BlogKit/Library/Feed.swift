import BlogEssentials
import BlogFeeds
import BlogMarkup
import BlogModel

/// A feed that a program has got from anywhere: RSS 0.90 to 2.0, RSS 1.0, Atom, JSON Feed, or RSS in JSON.
///
/// It is a value: reading it takes no store and no request, and linear time.
public struct Feed: Hashable, Sendable {
    /// The title on one line, as published; nil if there is none.
    public let title: String?
    /// The title on one line, safe to print; nil if there is none.
    public var safeTitle: String? { title.map { Sanitizer.line($0) } }
    /// The address of the site; nil if there is none.
    public let site: URL?
    /// The entries in the feed's order, each once, with their text as far as the feed has it.
    ///
    /// Their ``Post/id`` is the GUID or the link that identifies an entry. Without a title, they have their first words as one;
    /// without a date, ``Timestamp/date`` is nil.
    public let posts: [Post]
    /// Where older entries are: RFC 5005, `next_url` of JSON Feed, or the numbered pages of WordPress; nil if the feed doesn't say it.
    public let nextPage: URL?
    /// How many items have nothing to read, or aren't whole.
    public let malformedItems: Int

    /// Reads a feed, as much of it as is readable.
    ///
    /// Throws ``SourceError/unreadable(_:problem:)``, whose description is a sentence, if the data isn't a feed.
    ///
    /// - Parameters:
    ///   - data: the feed, however malformed.
    ///   - url: where it came from, which its links are relative to.
    ///   - charset: its encoding as a server named it; nil to find it in the data.
    public init(_ data: Data, from url: URL, charset: String? = nil) throws {
        let document: FeedDocument
        do {
            document = try FeedParser.parse(Array(data), charset: charset, base: url)
        } catch is FeedError {
            throw SourceError.unreadable(url, problem: "isn't a feed")
        }
        let entries = FeedEntries(of: document)
        title = document.title
        site = document.link.flatMap { URL(address: $0) }
        nextPage = document.olderPosts(at: url)?.page
        malformedItems = entries.emptyCount + (document.end == .withinItem ? 1 : 0)
        posts = entries.map { entry in
            var metadata = entry.metadata
            metadata.mapIDs { _ in entry.metadata.postId }
            return Post(
                id: metadata.postId, metadata: metadata, body: entry.text, bodyFormat: entry.content?.format)
        }.reversed()
    }
}
