extension Schema {
    /// 10: the index of words is merged less often.
    ///
    /// SQLite writes it in pieces and merges four into one as they come, which for a gigabyte of text is a quarter of the
    /// time that indexing takes. Eight are searched as fast. With sixteen, at which SQLite merges all of them at once, other
    /// processes would wait for that.
    static let fewerMerges = "INSERT INTO search (search, rank) VALUES ('automerge', 8);"
}
