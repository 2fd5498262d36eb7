import BlogEssentials

/// Limits on responses: numbers of bytes, of headers and of redirects, and seconds.
///
/// ``HTTPClient`` and ``HTTPExchange`` apply them.
package enum HTTPLimits {
    /// A list of the blog API: some 150,000 posts.
    package static let listBytes = 64 << 20
    /// The metadata of one post.
    package static let metadataBytes = 16 << 20
    /// A post with its body: five times War and Peace.
    package static let postBytes = 16 << 20
    /// An item of a source that sends its posts one by one.
    package static let itemBytes = 8 << 20
    /// A single record of a list.
    package static let recordBytes = 16 << 20
    /// The contents of 250 items of a service.
    package static let contentsBytes = 32 << 20
    /// A feed, or the page that links to it; NetNewsWire has the same limit.
    package static let feedBytes = 15 << 20
    /// A whole feed: one slow feed among a thousand must not delay the others.
    package static let feedSeconds: TimeInterval = 20

    package static let pictureBytes = 20 << 20
    /// All pictures that one run embeds into pages, counting a picture once for each page.
    package static let embeddedBytes = 256 << 20
    package static let pictureSeconds: TimeInterval = 10

    package static let pageBytes = 10 << 20
    package static let pageSeconds: TimeInterval = 10

    /// Lines in the head and trailers of a response; real servers send fewer than 50.
    package static let headerLines = 500
    package static let headerBytes = 256 << 10
    /// Redirects that one request follows.
    package static let redirects = 10

    /// The minimum per ``progressWindow(timeout:)``; a slower transfer is aborted.
    package static let minBytesPerWindow = 1024
    /// The time in which ``minBytesPerWindow`` must arrive: a minute with the default timeout.
    package static func progressWindow(timeout: TimeInterval) -> TimeInterval { 2 * timeout }
}
