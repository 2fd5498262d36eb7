extension PostStore {
    /// How many posts are stored but not indexed yet.
    package func unindexedPosts() throws -> Int {
        try read { try SearchIndex(database: $0).pending() }
    }

    /// Indexes some more posts and gives how many there were; 0 when all are.
    ///
    /// It takes about as long as it is told, so that other processes can write in between, but one post at least.
    package func indexMore(for duration: Duration = .seconds(1)) async throws -> Int {
        guard try read({ try SearchIndex(database: $0).hasPending() }) else { return 0 }
        return try await write { try SearchIndex(database: $0).catchUp(for: duration) }
    }

    /// How many posts of a blog's list are stored without their bodies.
    func missingBodies(of address: BlogAddress) throws -> Int {
        try read { database in
            guard let blog = try BlogRow.find(address, in: database) else { return 0 }
            // Bodies of posts that are no longer listed may make it too few.
            let sql = "SELECT post_count - body_count FROM blogs WHERE key = ?"
            return max(0, Int(try database.first(sql, [.integer(blog.key)]) { $0.integer(0) } ?? 0))
        }
    }
}
