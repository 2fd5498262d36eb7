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
    ///
    /// - Parameter isQuiet: whether to refresh one source at a time, because nobody waits.
    package func refresh(
        _ scope: Scope, onlyDue: Bool, isQuiet: Bool = false, observe: @escaping RefreshObserver
    ) async throws -> ([SourceRefresh], new: Int) {
        let sources = try await scopes.resolve(scope).sources.requested
        await observe(0, sources.count)
        // The refresh fetches the posts of rankings, too.
        var known: [SourceID: Set<PostID>] = [:]
        for source in sources where Capabilities(of: [source]).isRanked {
            known[source] = (try? await frontPage(of: source, connections.offline)) ?? []
        }
        let limits = isQuiet ? FetchLimits(width: 1, perHost: 1) : Politeness.lists
        let refreshes = await SourcesRefresh(connections: connections, limits: limits).refresh(
            sources, onlyDue: onlyDue, deadline: nil, observe: observe)
        var new = 0
        for refresh in refreshes where known[refresh.source] == nil {
            if case .stored(let changes) = refresh.report.outcome { new += changes.new }
        }
        for source in sources {
            guard let known = known[source] else { continue }
            new += try await frontPage(of: source, connections).subtracting(known).count
        }
        return (refreshes, new)
    }

    /// The first posts of a source's ranking.
    private func frontPage(of source: SourceID, _ connections: Connections) async throws -> Set<PostID> {
        let query = Query(arrangement: Arrangement(sorting: .rank), limit: Ranking.frontPageCount)
        let scope = try await scopes.resolve(.sources([source]))
        let list = try await PostListing(connections: connections, scopes: scopes).list(query, in: scope)
        return try await list.posts.reduce(into: []) { $0.insert($1.id) }
    }
}
