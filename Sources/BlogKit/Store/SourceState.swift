import Foundation

/// What is stored of one source at one address.
public struct SourceState: Hashable, Sendable {
    /// The name that people type after `--source`.
    public let name: String
    /// The address that is asked.
    public let address: String
    /// Whether this program can fetch it: a store may have posts of a source that only another version knows.
    public internal(set) var isKnown = true
    /// How many posts it lists.
    public internal(set) var posts = 0
    /// How many bodies are stored.
    public internal(set) var bodies = 0
    /// How many of its listed posts have not been read.
    public internal(set) var unread = 0
    /// When the server last said what it lists; nil where it never did.
    public internal(set) var refreshedAt: Date?
    /// How the last refresh ended, if it gave no list; nil where it did.
    public var problem: RefreshProblem?
    /// When that was.
    public var failedAt: Date?

    init(name: String, address: String) {
        self.name = name
        self.address = address
    }
}
