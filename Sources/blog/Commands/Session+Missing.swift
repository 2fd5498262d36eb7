import BlogLibrary
import Model
import Store
import Terminal

extension Session {
    /// Names the posts in the store that can't be read, and returns whether there are none.
    func reportUnreadable() async -> Bool {
        await console.report(unreadable: await library.unreadablePosts, typedIDs)
    }

    /// How many pages a list or search has, for a page past the last; nil for any other.
    func pastTheEnd(_ query: Query) async -> Message? {
        guard query.offset > 0, let limit = query.limit, let posts = try? await count(query), posts > 0 else {
            return nil
        }
        let pages = (posts - 1) / limit + 1
        let more: Message = posts == ListCounts.limit ? "at least " : ""
        return """
            No page \(query.offset / limit + 1): \(more)\(Counted.posts(posts)) on \(pages) \
            \(pages == 1 ? "page" : "pages").
            """
    }

    private func count(_ query: Query) async throws -> Int {
        if let counts = try await library.counts(of: query, in: scope) { return counts.posts }
        var query = query
        (query.limit, query.offset, query.hasSnippets) = (ListCounts.limit, 0, false)
        return try await library.search(query, in: scope).posts.reduce(0) { count, _ in count + 1 }
    }

    /// Reports how many items could not be fetched, and why the first of them failed.
    ///
    /// Returns whether nothing failed; items that are missing because requests are off don't count as failures.
    func reportMissing(_ missing: MissingItems, _ what: (one: String, many: String)) async -> Bool {
        guard missing.count > 0 else { return true }
        let things = missing.count == 1 ? "1 \(what.one)" : "\(missing.count) \(what.many)"
        guard !isOffline else {
            await console.notice("\(things) \(missing.count == 1 ? "isn't" : "aren't") stored.")
            return true
        }
        // A server may list what it has removed meanwhile.
        guard let error = missing.firstError else {
            await console.detail("Skipped \(things): not found on the server")
            return true
        }
        await console.error("Could not fetch \(things): \(Failure(error).message ?? "")")
        return false
    }
}

extension Console {
    /// Names posts in a store that can't be read, and returns whether there are none.
    func report(unreadable posts: [UnreadablePost], _ typedIDs: TypedIDs) async -> Bool {
        guard !posts.isEmpty else { return true }
        let names = posts.prefix(5).map { post in post.id.map { typedIDs.text($0) } ?? "number \(post.key)" }
        let rest = posts.count > 5 ? " and more" : ""
        error(
            posts.count == 1
                ? "Could not read 1 post in the store: \(names[0])"
                : "Could not read \(posts.count) posts in the store: \(names.joined(separator: ", "))\(rest)")
        return false
    }
}
