extension Sequence<PostMetadata> {
    /// The posts cut into groups, the same that a list from the store has; inside a group they keep their order.
    ///
    ///     posts.sorted(by: .title).grouped(by: .author)
    ///
    /// Authors come from A to Z, case and accents aside, though names that differ in either are two groups; months, in
    /// UTC, from the newest on; letters behind "#" and "0–9", those of other scripts last. Metadata doesn't say which
    /// source it is from: by source or folder, all posts are one group.
    ///
    /// Takes O(*n* + *g* log *g*) time for *g* groups.
    ///
    /// - Parameters:
    ///   - grouping: what the posts of a group have in common.
    ///   - isReversed: whether the groups run the other way round; their posts don't.
    public func grouped(by grouping: Grouping, reversed isReversed: Bool = false) -> [PostsInGroup] {
        // By bytes, as SQLite has it: to String two texts may be the same in different bytes.
        let groups = Dictionary(grouping: self) { Array(grouping.key(SortKey($0)).utf8) }
        let ordered = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, posts in
            PostsInGroup(name: grouping.name(ofKey: String(decoding: key, as: UTF8.self), posts), posts: posts)
        }
        return (grouping == .date) == isReversed ? ordered : ordered.reversed()
    }
}

extension Grouping {
    /// What the posts of a group have in common, and what groups are ordered by.
    fileprivate func key(_ key: SortKey) -> String {
        switch self {
        case .author: key.author
        case .date: key.month
        case .title: key.letter
        case .source, .folder: ""
        }
    }

    /// The name that people see of a group.
    fileprivate func name(ofKey key: String, _ posts: [PostMetadata]) -> String {
        switch self {
        case .author: name(ofStored: posts[0].author.name)
        case .date, .title, .source, .folder: name(ofStored: key)
        }
    }
}
