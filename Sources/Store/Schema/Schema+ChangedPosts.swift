extension Schema {
    /// 7: posts that change.
    ///
    /// Of each it is known when its words last changed, and its place in the order in which posts of the whole store did:
    /// clocks are set, so a cursor can't go by moments.
    static let changedPosts =
        """
        ALTER TABLE posts ADD COLUMN words_changed_at INTEGER;
        ALTER TABLE posts ADD COLUMN change_number INTEGER;
        CREATE INDEX posts_by_change ON posts (change_number) WHERE change_number IS NOT NULL;
        ALTER TABLE cursors ADD COLUMN last_change INTEGER NOT NULL DEFAULT 0;
        """
}
