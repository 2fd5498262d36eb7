import BlogKit
import Foundation

/// The reading of several posts: each is shown as soon as it is there, and one that fails doesn't stop the others.
struct Reading {
    let session: Session
    private(set) var renderer: any Renderer
    let isRaw: Bool
    private var asked = 0
    private var shown = 0
    private var failures: [ExitCode] = []
    private var isStoreReported = false
    /// The posts that were shown.
    private(set) var shownIDs: [String] = []

    init(session: Session, renderer: any Renderer, isRaw: Bool) {
        self.session = session
        self.renderer = renderer
        self.isRaw = isRaw
    }

    /// Reads one post and shows it, or says why it can't be had.
    ///
    /// Throws an ``OutputError`` or a ``StoreError``.
    mutating func read(_ id: String) async throws {
        asked += 1
        do {
            let answer = try await session.reader.read(id: id)
            await tell(answer, id)
            try await show(answer.post)
            shownIDs.append(id)
        } catch let error where error is OutputError || error is StoreError || error is CancellationError {
            throw error
        } catch {
            let failure = Failure(error)
            await session.console.error(failure.sentence)
            failures.append(failure.exitCode)
        }
    }

    /// Ends the output and gives the exit code for all of it.
    mutating func finish() async throws -> ExitCode {
        // No ids are an empty list; ids of which none could be read are nothing at all.
        if shown > 0 || asked == 0 {
            try await session.console.print((shown == 0 ? renderer.start() : "") + renderer.end())
        }
        guard let first = failures.first else { return .success }
        return shown == 0 || failures.count == asked && failures.allSatisfy { $0 == first } ? first : .partly
    }

    private mutating func show(_ post: Post) async throws {
        let start = shown == 0 ? renderer.start() : ""
        shown += 1
        try await session.console.print(start + renderer.record(Record(post)), isRaw: isRaw)
        try await session.console.flush()
    }

    private mutating func tell(_ answer: ReadPost, _ id: String) async {
        let console = session.console
        switch answer.origin {
        case .server: break
        case .serverUnkept: await console.notice("The store is in use by another process: “\(id)” was not kept.")
        case .store(let fetchedAt): await session.tell("post \(id) from the store, \(ListReport.from(fetchedAt))")
        case .outdated(let fetchedAt, nil):
            await console.notice("The post “\(id)” may have changed: this is the copy \(ListReport.from(fetchedAt)).")
        case .outdated(let fetchedAt, let error?):
            let failure = Failure(error)
            await console.notice("\(failure.sentence ?? "")\nThis is the copy \(ListReport.from(fetchedAt)).")
            if (error as? HTTPError)?.isUnreachable != true { failures.append(failure.exitCode) }
        }
        guard !isStoreReported else { return }
        isStoreReported = true
        await session.warnOfStore()
    }
}
