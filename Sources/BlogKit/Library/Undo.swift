import BlogEssentials
import BlogModel
import BlogStore

/// What was taken back.
public enum UndoReport: Sendable {
    /// Marks; the report is about those after it.
    case marks(MarkingReport)
    /// Sources were followed, and aren't any more.
    case unfollowed([SourceState])
    /// A source was unfollowed or a saved search deleted, and is followed or kept again under this name.
    case followed(name: String)
    /// A rule with these words was added, and is removed.
    case removedRule(String)
    /// Nothing: this, the beginning of "… can't be undone", comes before what can be.
    case impossible(String)
}

/// Takes changes back.
struct Undo: Sendable {
    let connections: Connections
    let following: Following
    let pages: PageReading
    let searches: SavedSearches
    let rules: RuleSet

    private var store: PostStore { connections.store }

    /// ``Library/undo()``.
    func undo() async throws -> UndoReport? {
        guard let last = try await store.read({ try ChangeHistory($0).last() }) else {
            return try await store.undoMarking().map { .marks($0) }
        }
        let report = try await takeBack(last.change)
        try await store.writeToDisk { try ChangeHistory($0).remove(last) }
        return report
    }

    private func takeBack(_ change: Change) async throws -> UndoReport {
        switch change {
        case .followed(let sources): return .unfollowed(try await following.takeBack(sources))
        case .unfollowed(let source):
            try await followAgain(source)
            return .followed(name: source.name)
        case .addedRule(let number, let words):
            guard try await rules.all().contains(where: { $0.stored.number == number && $0.stored.rule.words == words })
            else { return .impossible("Adding a rule that is removed") }
            return .removedRule(try await rules.remove(number, isNoted: false).words)
        case .other(let what): return .impossible(what)
        }
    }

    /// Follows a source again with its name and folder, even if it can't be fetched now.
    private func followAgain(_ source: UnfollowedSource) async throws {
        if source.id.isPageSource { return try await pages.follow() }
        if source.id.isSearch { return _ = try await searches.keep(source.id.address, as: source.name, isNoted: false) }
        if let feed = source.feed {
            let request = FollowRequest(feed, folder: source.folder.isEmpty ? nil : source.folder)
            let service = String(source.name.prefix { $0 != "/" })
            for result in try await ServiceFeeds(connections: connections).add([request], to: service) {
                _ = try result.get()
            }
            return
        }
        var request = FollowRequest(source.id.address, kind: source.id.kind, name: source.name)
        if !source.id.isService { request.folder = source.folder }
        // The password of a service is sent again only to an address that was typed.
        (request.isImported, request.isTrusted) = (!source.id.isService || !source.isConfirmed, true)
        _ = try await following.follow(request, isNoted: false)
    }
}
