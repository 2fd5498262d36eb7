import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Refreshes sources with the posts of their rankings, and counts the new ones.
package struct FullRefresh: Sendable {
    let connections: Connections
    let scopes: ScopeResolver

    /// Refreshes the sources of a scope without a time limit, with the first posts of rankings; returns the number of
    /// new posts, too.
    package func refresh(
        _ scope: Scope, onlyDue: Bool, observe: @escaping RefreshObserver
    ) async throws -> ([SourceRefresh], new: Int) {
        let sources = try await scopes.resolve(scope).sources
        await observe(0, sources.count)
        let refreshes = await SourcesRefresh(connections: connections).refresh(
            sources, onlyDue: onlyDue, deadline: nil, observe: observe)
        var new = 0
        for refresh in refreshes {
            guard case .stored(let changes) = refresh.report.outcome else { continue }
            // The posts of a ranking have not been fetched yet.
            if !Capabilities(of: [refresh.source]).isRanked { new += changes.new }
        }
        for source in sources { new += try await refreshRanking(of: source) }
        return (refreshes, new)
    }

    /// Fetches the first posts of a source's ranking, if it has one, and returns the number of new ones.
    private func refreshRanking(of source: SourceID) async throws -> Int {
        guard Capabilities(of: [source]).isRanked else { return 0 }
        let query = Query(arrangement: Arrangement(sorting: .rank), limit: Ranking.frontPageCount)
        func list(_ connections: Connections) async throws -> PostList {
            let scope = try await scopes.resolve(.sources([source]))
            return try await PostListing(connections: connections, scopes: scopes).list(query, in: scope)
        }
        var known = Set<PostID>()
        if let stored = try? await list(connections.offline) {
            for try await post in stored.posts { known.insert(post.id) }
        }
        var new = 0
        for try await post in try await list(connections).posts where !known.contains(post.id) { new += 1 }
        return new
    }
}
