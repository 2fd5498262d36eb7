import BlogEssentials
import BlogModel
import BlogStore

/// Adds, lists and removes rules, and says what they find.
package struct RuleSet: Sendable {
    let connections: Connections
    let listing: PostListing

    private var store: PostStore { connections.store }

    /// How many of the posts of the last 30 days a search finds.
    package struct Catch: Hashable, Sendable {
        package let posts: Int
        package let all: Int

        /// The share above which a rule probably finds more than was meant.
        package var isLarge: Bool { posts * 10 > all * 3 }
    }

    /// A rule and what it finds.
    package struct State: Sendable {
        package let stored: StoredRule
        package let found: Catch
        /// Why it isn't applied; nil if it is.
        package let problem: LibraryError?
    }

    /// Checks that a search can be a rule's.
    ///
    /// Throws ``LibraryError/badSearch(_:)``.
    package func check(_ words: String) async throws {
        let search = Search(words)
        if let problem = Rule.problem(in: search) { throw LibraryError.badSearch(problem) }
        var query = Query()
        try search.narrow(&query, now: connections.now())
        try await listing.scopes.check(search)
    }

    /// Adds a rule and applies it to all posts.
    ///
    /// Throws ``LibraryError/badSearch(_:)``, ``LibraryError/ruleExists``, ``LibraryError/tooManyRules(limit:)`` or a
    /// ``StoreError``.
    ///
    /// - Returns: the rule, and how many posts it has found.
    package func add(_ rule: Rule) async throws -> (rule: State, posts: Int) {
        try await check(rule.words)
        guard try await store.read({ try Rules($0).stored() }).count < Rule.maxCount else {
            throw LibraryError.tooManyRules(limit: Rule.maxCount)
        }
        guard let (stored, posts) = try await store.add(try await spelt(rule)) else { throw LibraryError.ruleExists }
        return (try await state(of: stored), posts)
    }

    /// Removes a rule, whose posts are shown again.
    ///
    /// Throws ``LibraryError/noSuchRule(_:)`` or a ``StoreError``.
    ///
    /// - Parameter isNoted: whether it counts as a change for `undo`, which can't take it back.
    package func remove(_ number: Int, isNoted: Bool = true) async throws -> Rule {
        guard let stored = try await store.read({ try Rules($0).stored() }).first(where: { $0.number == number }) else {
            throw LibraryError.noSuchRule(number)
        }
        try await store.removeRule(number)
        if isNoted { try await store.note(.other("Removing a rule")) }
        return stored.rule
    }

    /// The rules by their numbers.
    package func all() async throws -> [State] {
        var states: [State] = []
        for stored in try await store.read({ try Rules($0).stored() }) { states.append(try await state(of: stored)) }
        return states
    }

    /// How many of the posts of the last 30 days a search finds, hidden ones included.
    package func found(by words: String) async throws -> Catch {
        try await SearchIndexing(store: store).indexAll { _ in }
        let (posts, all) = try await store.read { try Rules($0).counts(by: words, since: start) }
        return Catch(posts: posts, all: all)
    }

    /// The query for the posts that a rule would find, those of the last 30 days.
    package func query(for words: String) throws -> Query {
        var query = Query()
        try Search(words).narrow(&query, now: connections.now())
        query.filter.since = [query.filter.since, start].compactMap(\.self).max()
        query.filter.hidden = .included
        query.filter.kind = .posts
        query.hidesDuplicates = false
        return query
    }

    private var start: Date { connections.now().addingTimeInterval(-30 * 86_400) }

    private func state(of stored: StoredRule) async throws -> State {
        do {
            try await check(stored.rule.words)
            return State(stored: stored, found: try await found(by: stored.rule.words), problem: nil)
        } catch let error as LibraryError {
            return State(stored: stored, found: Catch(posts: 0, all: 0), problem: error)
        }
    }

    /// A rule whose labels are spelt as in the store.
    private func spelt(_ rule: Rule) async throws -> Rule {
        var marks: [Mark] = []
        for mark in rule.marks { marks.append(try await store.read { try Marks($0).spelt(mark) }) }
        return Rule(words: rule.words, isHiding: rule.isHiding, marks: marks, expires: rule.expires)
    }
}
