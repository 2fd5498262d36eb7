extension PostStore {
    /// How many posts are stored but not indexed yet.
    package func unindexedPosts() throws -> Int {
        try read { try SearchIndex(database: $0).pending() }
    }

    /// Indexes some more posts and gives how many there were; 0 when all are.
    ///
    /// It takes a few at a time, so that other processes can write in between.
    package func indexMore() throws -> Int {
        guard try unindexedPosts() > 0 else { return 0 }
        return try write { try SearchIndex(database: $0).catchUp(atMost: 200) }
    }
}
