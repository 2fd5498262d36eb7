import BlogEssentials
import BlogHTTP
import BlogModel

/// Hacker News by its API (https://github.com/HackerNews/API): lists of ids, and an item or a user for each id.
package struct HackerNewsSource: ItemFetching {
    package static let kind = SourceKind(
        name: "hackernews", aliases: ["hn"], defaultAddress: "https://hacker-news.firebaseio.com/v0",
        description: "Hacker News",
        capabilities: Capabilities(
            sections: sections, orders: [.rank, .score, .comments], hasComments: true, bodyFormat: .html)
    ) { HackerNewsSource(address: $0, client: $1) }
    private static let sections = ["top", "new", "best", "ask", "show", "jobs"]

    let address: URL
    let client: HTTPClient

    /// Limits on ids in one response, as each may cause a request: a ranking has 500, a poll about ten.
    private static let maxRanks = 10_000
    private static let maxOptions = 100
    private static let userPrefix = "user:"

    package var id: SourceID { SourceID(kind: Self.kind.name, address: address.absoluteString) }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh {
        let section = section ?? Self.sections[0]
        // The API's names of lists of types are in the singular: `jobstories`.
        let name = (section == "jobs" ? "job" : section) + "stories"
        let ids: [Int?] = try await get([name])
        return .ranking(Ranking(ids: ids.unique(atMost: Self.maxRanks).map(String.init)))
    }

    package func item(id: String) async throws -> Entry? {
        if id.hasPrefix(Self.userPrefix) { return try await user(String(id.dropFirst(Self.userPrefix.count))) }
        guard let wire = try await item(Int(id)) else { return nil }
        return try await wire.entry(options: options(of: wire))
    }

    package func discussionPage(of id: String) -> URL? {
        let isUser = id.hasPrefix(Self.userPrefix)
        var page = URLComponents(string: "https://news.ycombinator.com/" + (isUser ? "user" : "item"))
        page?.queryItems = [URLQueryItem(name: "id", value: isUser ? String(id.dropFirst(Self.userPrefix.count)) : id)]
        return page?.url
    }

    package func id(ofPage page: URL) -> String? {
        guard page.host()?.lowercased() == "news.ycombinator.com", ["/item", "/user"].contains(page.path()),
            let id = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems?
                .first(where: { $0.name == "id" })?.value
        else { return nil }
        return page.path() == "/user" ? Self.userPrefix + id : id
    }

    private func item(_ id: Int?) async throws -> HackerNewsItem? {
        guard let id else { return nil }
        let path = ["item", String(id)]
        guard let item: HackerNewsItem = try await get(path) else { return nil }
        if item.id != id { throw unreadable(path, "is for another item, “\(item.id)”") }
        return item
    }

    private func user(_ name: String) async throws -> Entry? {
        guard !name.isEmpty else { return nil }
        let path = ["user", name]
        guard let user: HackerNewsUser = try await get(path) else { return nil }
        if user.id != name { throw unreadable(path, "is for another user") }
        return user.entry(id: Self.userPrefix + name)
    }

    private func unreadable(_ path: [String], _ problem: String) -> SourceError {
        .unreadable(address.appending(encodedPath: path, suffix: ".json"), problem: problem)
    }

    /// The options of a poll in order, without those that can't be fetched.
    private func options(of poll: HackerNewsItem) async throws -> [HackerNewsItem] {
        let parts = (poll.parts ?? []).unique(atMost: Self.maxOptions)
        return await parts.concurrentMap(atMost: Self.maxOptions) { try? await item($0) }.compactMap(\.self)
    }

    private func get<Value: Decodable>(_ path: [String]) async throws -> Value {
        let url = address.appending(encodedPath: path, suffix: ".json")
        let body = try await client.get(url, limit: HTTPLimits.itemBytes).body.data
        return try WireJSON.decode(Value.self, from: body, of: url)
    }
}
