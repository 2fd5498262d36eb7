import BlogCore
import Foundation

/// The reading of several posts: each is shown as soon as it is there, and one that fails doesn't stop the others.
struct Reading {
    let session: Session
    private let style: ReadingStyle
    /// Which comments are wanted; nil for none.
    private let selection: CommentSelection?
    private var renderer: any Renderer
    private var asked = 0
    private var shown = 0
    /// Whether what comes before the first post has been shown.
    private var hasStarted = false
    private var failures: [ExitCode] = []
    /// What to do about a failure, as far as it was said.
    private var hints: Set<Message> = []
    private var isStoreReported = false
    /// The posts that were shown and the comments that were, by source.
    private var seen: [String: (reader: Reader, posts: [String], comments: [String])] = [:]

    init(session: Session, style: ReadingStyle, selection: CommentSelection?) {
        self.session = session
        self.style = style
        self.selection = style.hasComments ? selection : nil
        renderer = style.renderer(hasDiscussions: !session.reader.sections.isEmpty)
    }

    /// Reads one post and shows it with its comments, or says why it can't be had.
    ///
    /// Throws an ``OutputError`` or a ``StoreError``.
    mutating func read(_ id: String) async throws {
        asked += 1
        var sourceWords: Message = ""
        do {
            let place = try session.place(of: id)
            sourceWords = session.sourceWords(for: place.reader)
            let answer = try await readEarly(place.id, with: place.reader)
            await tell(answer, id)
            try await show(answer, place.reader)
            seen[place.reader.sourceName, default: (place.reader, [], [])].posts.append(place.id)
        } catch let error where error is OutputError || error is StoreError || error is CancellationError {
            throw error
        } catch {
            await note(Failure(error, sourceWords: sourceWords))
        }
    }

    /// Says so where ids on stdin ended because they could not be read.
    mutating func finish(_ ids: LineReader) async {
        do {
            try ids.finish()
        } catch {
            asked += 1
            await note(Failure(error))
        }
    }

    private mutating func note(_ failure: Failure) async {
        // What to do is the same for all ids that fail alike.
        let isHintNew = failure.message?.hint.map { hints.insert($0).inserted } ?? false
        await session.console.error(isHintNew ? failure.message : failure.message?.sentence)
        failures.append(failure.exitCode)
    }

    /// Reads one post, whose first lines are shown as soon as they are there where the renderer can do that.
    private mutating func readEarly(_ id: String, with reader: Reader) async throws -> ReadPost {
        let early = EarlyText(
            renderer: renderer, source: reader.sourceName, hasStarted: hasStarted, console: session.console,
            isRaw: style.isRaw)
        let result: Result<ReadPost, any Error>
        do {
            let receive = renderer.takesParts ? early.receiver : nil
            result = .success(
                try await reader.read(id: id, receive: receive, isCompleteOnly: renderer.isCompleteOnly))
        } catch {
            result = .failure(error)
        }
        (renderer, hasStarted) = (await early.renderer, await early.hasStarted)
        if case .failure = result { renderer.giveUp() }
        // Of what was seen in part it is no use to hear that nothing is stored.
        if case .failure(ReaderError.unreachable(let error)) = result, await early.hasShown { throw error }
        return try result.get()
    }

    /// Notes what was read.
    func note() async throws {
        for (reader, posts, comments) in seen.values {
            try await reader.noteSeen(comments: comments)
            try await reader.noteReading(of: posts)
        }
    }

    /// Ends the output and gives the exit code for all of it.
    mutating func finish() async throws -> ExitCode {
        // No ids are an empty list; ids of which none could be read are nothing at all.
        if shown > 0 || asked == 0 {
            try await session.console.print((hasStarted ? "" : renderer.start()) + renderer.end())
        }
        guard let first = failures.first else { return .success }
        if failures.contains(.partly) { return .partly }
        return shown == 0 || failures.count == asked && failures.allSatisfy { $0 == first } ? first : .partly
    }

    private mutating func show(_ answer: ReadPost, _ reader: Reader) async throws {
        let start = hasStarted ? "" : renderer.start()
        shown += 1
        hasStarted = true
        var record = Record(answer.post).typed(of: reader.sourceName)
        if answer.wasGiven { record.body = nil }
        guard answer.post.metadata.discussion != nil, let selection else {
            try await session.console.print(start + renderer.record(record), isRaw: style.isRaw)
            return try await session.console.flush()
        }
        try await session.console.print(start + renderer.thread(record))
        try await session.console.flush()
        let comments = reader.comments(on: answer, selection)
        for try await comment in comments {
            seen[reader.sourceName, default: (reader, [], [])].comments.append(comment.id)
            try await session.console.print(renderer.comment(comment))
            try await session.console.flush()
        }
        try await session.console.print(renderer.endThread())
        if let author = selection.author, seen[reader.sourceName]?.comments.isEmpty != false {
            await session.console.notice("No comment here is by “\(author)”.")
        }
        if await !session.tell(
            comments.missing, ("comment, with the answers to it,", "comments, with the answers to them,"))
        {
            failures.append(.partly)
        }
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
            await console.notice("\(failure.message ?? "")\nThis is the copy \(ListReport.from(fetchedAt)).")
            if (error as? HTTPError)?.isUnreachable != true { failures.append(failure.exitCode) }
        }
        guard !isStoreReported else { return }
        isStoreReported = true
        await session.warnOfStore()
    }
}
