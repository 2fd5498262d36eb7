import BlogLibrary
import Foundation
import Model
import Synchronization
import Terminal

/// Follows a sync: shows how far it is, names the first posts that fail, and knows what to say at its end.
final class SyncWatch: Sendable {
    private let session: Session
    private let state = Mutex(State())

    /// What has happened so far.
    private struct State {
        var planned = 0
        var done = 0
        var failures = FailureReasons()
    }

    init(session: Session) {
        self.session = session
    }

    /// Takes a step of the sync.
    func take(_ event: SyncEvent) async {
        if session.appearance.showsProgress { await session.console.observe(event) }
        switch event {
        case .planned(let count): state.withLock { $0.planned += count }
        case .done(let post):
            state.withLock { $0.done += 1 }
            if case .failed(let error) = post.outcome { await take(error, of: post) }
        case .refreshed, .fetching, .indexed, .pictures: break
        }
    }

    private func take(_ error: any Error, of post: SyncedPost) async {
        let id = session.typedIDs.text(PostID(source: post.source, local: post.metadata.id))
        let message: Message = "Could not fetch “\(id)”: \(Failure.cause(ofPost: error))"
        let isNamed = state.withLock { state in
            state.failures.add(message)
            return state.failures.count <= Self.maxNamed
        }
        if isNamed { await session.console.error(message) }
    }

    /// Why most posts failed, with an example; nil if each was named.
    var commonestReason: Message? {
        let failures = state.withLock { $0.failures }
        guard failures.count > Self.maxNamed, let most = failures.commonest else { return nil }
        let share: Message = most.count == failures.count ? "All" : "\(most.count) of the"
        return "\(share) \(failures.count) failures have the same reason. For example: \(most.example)"
    }

    /// What to say when Ctrl-C ends it.
    var farewell: Message {
        let (done, planned) = state.withLock { ($0.done, $0.planned) }
        let place: Message = planned == 0 ? "" : " after \(done) of \(planned) posts"
        return "Stopped\(place). To continue, run the same command again."
    }

    private static let maxNamed = 5
}
