import BlogEssentials
import BlogModel
import BlogStore

/// What was taken back.
public enum UndoReport: Sendable {
    /// Marks; the report is about those after it.
    case marks(MarkingReport)
    /// Sources were followed, and aren't any more.
    case unfollowed([SourceState])
    /// Sources were unfollowed, or a saved search deleted, and are followed or kept again under these names.
    case followed(names: [String])
    /// A rule with these words was added, and is removed, with the marks that it had set; nil for none.
    case removedRule(String, MarkingReport?)
    /// Nothing: this, the beginning of "… can't be undone", comes before what can be.
    case impossible(String)
}

/// What one ``Library/undo()`` would take back.
package enum UndoableStep: Sendable {
    case marks(MarkingReport)
    /// The names of the sources.
    case followed([String])
    case unfollowed([String])
    /// The words of a rule that was added.
    case rule(String)
    /// What can't be undone: "The import".
    case other(String)
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

    /// ``Library/undoableSteps(_:)``.
    func steps(_ limit: Int) async throws -> [UndoableStep] {
        let steps = try await store.read { try ChangeHistory($0).steps(limit) }
        let sources = try await store.read { try Sources($0).all() }
        return steps.map { step in
            switch step {
            case .marks(let report): .marks(report)
            case .change(.followed(let ids)):
                .followed(ids.map { id in sources.first { $0.id == id }?.name ?? id.address })
            case .change(.unfollowed(let sources)): .unfollowed(sources.map(\.name))
            case .change(.addedRule(_, let words, _)): .rule(words)
            case .change(.other(let what)): .other(what)
            }
        }
    }

    private func takeBack(_ change: Change) async throws -> UndoReport {
        switch change {
        case .followed(let sources): return .unfollowed(try await following.takeBack(sources))
        case .unfollowed(let sources):
            // The feeds of a service are followed by it.
            let ordered = sources.filter(\.id.isService) + sources.filter { !$0.id.isService }
            var names: [String] = []
            for source in ordered where try await followAgain(source) { names.append(source.name) }
            guard !names.isEmpty else { return .impossible("Unfollowing \(Counted.some(sources.map(\.name)))") }
            return .followed(names: names)
        case .addedRule(let number, let words, let step):
            guard try await rules.all().contains(where: { $0.stored.number == number && $0.stored.rule.words == words })
            else { return .impossible("Adding a rule that is removed") }
            let rule = try await rules.remove(number, isNoted: false)
            let areLast = try await store.read { try Marks($0).lastStep() } == step
            return .removedRule(rule.words, step != nil && areLast ? try await store.undoMarking() : nil)
        case .other(let what): return .impossible(what)
        }
    }

    /// Follows a source again with its name and folder, even if it can't be fetched now; false for a feed whose service isn't
    /// followed any more.
    private func followAgain(_ source: UnfollowedSource) async throws -> Bool {
        if source.id.isPageSource {
            try await pages.follow()
            return true
        }
        if source.id.isSearch {
            _ = try await searches.keep(source.id.address, as: source.name, isNoted: false)
            return true
        }
        if let feed = source.feed {
            guard let service = try await service(of: source) else { return false }
            let request = FollowRequest(feed, folder: source.folder.isEmpty ? nil : source.folder)
            for result in try await ServiceFeeds(connections: connections).add([request], to: service) {
                _ = try result.get()
            }
            return true
        }
        var request = FollowRequest(source.id.address, kind: source.id.kind, name: source.name)
        if !source.id.isService, !source.id.listsOthers { request.folder = source.folder }
        // The password of a service is sent again only to an address that was typed.
        (request.isImported, request.isTrusted) = (!source.id.isService || !source.isConfirmed, true)
        _ = try await following.follow(request, isNoted: false)
        return true
    }

    /// The name of the service of a feed, if it is followed.
    private func service(of feed: UnfollowedSource) async throws -> String? {
        guard let service = feed.id.service else { return nil }
        let stored = try await store.read { try Sources($0).find(service) }
        return stored?.isFollowed == true ? stored?.name : nil
    }
}
