import BlogCore
import Foundation
import Synchronization

/// Follows a sync: shows how far it is, names the first posts that fail, and knows what to say at its end.
final class SyncWatch: Sendable {
    private let session: Session
    private let state = Mutex(State())

    /// What has happened so far.
    private struct State {
        var planned = 0
        var done = 0
        var failed = 0
        /// How often posts failed for a reason, and the first message with it.
        var reasons: [String: (count: Int, example: Message)] = [:]
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
        let message: Message = "The post “\(id)” failed: \(Failure(error).message?.sentence ?? "")"
        let reason = Self.reason(message)
        let isNamed = state.withLock { state in
            state.failed += 1
            if state.reasons[reason] != nil || state.reasons.count < Self.maxReasons {
                state.reasons[reason, default: (0, message)].count += 1
            }
            return state.failed <= Self.maxNamed
        }
        if isNamed { await session.console.error(message) }
    }

    /// The words of a message without those that name a post or an address.
    private static func reason(_ message: Message) -> String {
        message.text.split(separator: " ").filter { !$0.contains("://") && !$0.contains("“") }.joined(separator: " ")
    }

    /// Why most posts failed, with an example; nil if each was named.
    var commonestReason: Message? {
        state.withLock { state in
            guard state.failed > Self.maxNamed, let most = state.reasons.values.max(by: { $0.count < $1.count }) else {
                return nil
            }
            let share: Message = most.count == state.failed ? "All" : "\(most.count) of the"
            return "\(share) \(state.failed) failed for one reason. \(most.example)"
        }
    }

    /// What to say when Ctrl-C ends it.
    var farewell: Message {
        let (done, planned) = state.withLock { ($0.done, $0.planned) }
        let place: Message = planned == 0 ? "" : " after \(done) of \(planned) posts"
        return "Stopped\(place). What came is stored, and the same command goes on from there."
    }

    private static let maxNamed = 5
    private static let maxReasons = 100
}
