/// What a store's file is like.
public struct StoreFacts: Hashable, Sendable {
    /// Its size and that of the files SQLite keeps beside it, in bytes.
    public let bytes: Int
    /// The version of its tables.
    public let schemaVersion: Int
    /// How many posts it has, of all sources, listed or not.
    public let posts: Int
    /// How many bodies it has.
    public let bodies: Int
}
