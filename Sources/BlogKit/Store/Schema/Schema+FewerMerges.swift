extension Schema {
    /// 10: the index of words is merged less often.
    ///
    /// SQLite writes it in pieces and merges four into one as they come, which for a gigabyte of text is a quarter of the
    /// time that indexing takes. Sixteen are searched as fast.
    static let fewerMerges = "INSERT INTO search (search, rank) VALUES ('automerge', 16);"
}
