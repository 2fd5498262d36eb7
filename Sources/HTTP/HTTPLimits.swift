import Essentials

/// The limits on what a server may send.
package enum HTTPLimits {
    /// Bytes of a list: some 1,000,000 posts.
    package static let listBytes = 512 << 20
    /// Bytes of one post's metadata.
    package static let metadataBytes = 16 << 20
    /// Bytes of one post, which is never in memory as a whole.
    package static let postBytes = 4 << 30
    /// Bytes of one post that is given to a program in one piece, which takes some three times as much memory.
    package static let wholePostBytes = 256 << 20
    /// Bytes of an item of a source that gives its posts one by one.
    package static let itemBytes = 8 << 20
    /// Bytes of the JSON around a post's body, and of a single record of a list.
    package static let recordBytes = 16 << 20
    /// Bytes of a feed, or of the page that names one; NetNewsWire has the same bound.
    package static let feedBytes = 15 << 20
    /// Seconds that a whole feed may take: one of a thousand must not hold up the others.
    package static let feedSeconds: TimeInterval = 20

    /// Bytes of a picture.
    package static let pictureBytes = 20 << 20
    /// Bytes of all pictures that one run puts into pages, a picture that is in several of them counted in each.
    package static let embeddedBytes = 256 << 20
    /// Seconds that a picture may take.
    package static let pictureSeconds: TimeInterval = 10

    /// Bytes of a web page.
    package static let pageBytes = 10 << 20
    /// Seconds that a web page may take.
    package static let pageSeconds: TimeInterval = 10

    /// Lines in the head and the trailers of a response; servers in use send fewer than 50.
    package static let headerLines = 500
    /// Bytes in the head and the trailers of a response.
    package static let headerBytes = 256 << 10
    /// Redirects that one request follows.
    package static let redirects = 10

    /// The minimum number of bytes per ``progressWindow(timeout:)``; a slower response is given up.
    package static let minBytesPerWindow = 1024
    /// The time in which ``minBytesPerWindow`` are due, in seconds: a minute at the default timeout.
    package static func progressWindow(timeout: TimeInterval) -> TimeInterval { 2 * timeout }
}
