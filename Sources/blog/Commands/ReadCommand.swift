import BlogBrowse
import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog read`: posts with their bodies.
enum ReadCommand: Command {
    static let description = Commands.read

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        guard !invocation.operands.isEmpty, !invocation.operands.contains("") else {
            throw UsageError.missingOperand("a post ID")
        }
        let skipped = try invocation.skippedCount()
        let fields = try invocation.fields(among: Field.ofReadings)
        let format = invocation.format
        for option in [Option.raw, .body] where invocation.has(option) && (format != nil || fields != nil) {
            throw UsageError.conflict(option.name, "format")
        }
        let session = try await Session(invocation, in: context, for: .reading)
        let style = ReadingStyle(invocation, format: format, fields: fields, session, now: context.now())
        let selection = try invocation.commentSelection()
        var reading = Reading(session: session, style: style, selection: selection)
        // A row of a list isn't the text.
        let hasText = fields?.contains(.body) ?? ![.ids, .tsv, .csv].contains(format)
        let isReading = !invocation.has(.noMark) && hasText
        var operands = invocation.operands
        if style.isForScreen, session.appearance.opensScreen(context.environment), !operands.contains("-") {
            operands = []
            for operand in invocation.operands { operands += try await ids(for: operand, skipped, session) }
            if operands.count > 1 {
                let options = Browsing.Options(
                    opensFirst: true, refreshes: false, marksRead: isReading,
                    comments: style.hasComments ? selection : nil)
                return try await browse(operands, options, in: session, context)
            }
        }
        do {
            for operand in operands {
                // In a pipe, each post waits until the previous one has been read.
                if operand == "-" || operands.count > 1 { await session.console.waitForReader() }
                guard operand == "-" else {
                    let ids = try await ids(for: operand, skipped, session)
                    if ids.count > 1 { await session.console.waitForReader() }
                    for id in ids { try await reading.read(id) }
                    continue
                }
                let lines = try LineReader(path: operand)
                for id in lines.ids { try await reading.read(id) }
                await reading.finish(lines)
            }
            try await reading.finish()
            let missed = try await session.console.endText()
            // The text has been seen, however long its pictures take.
            if isReading, session.appearance.isTerminal, await !session.console.hasPaged { try await reading.note() }
            try await reading.show(late: missed)
            // Quitting the pager counts as reading; `| head` doesn't.
            try await session.console.close()
            if isReading { try await reading.note() }
            return reading.result
        } catch OutputError.closed {
            // A pager that failed has shown nothing.
            if await session.console.hasPaged { try await session.console.close() }
            // Mark the posts that were piped completely, or shown first in the pager.
            if isReading { try await reading.note() }
            // Messages that were held back while the pager ran.
            try? await session.console.close()
            throw OutputError.closed
        }
    }

    /// The IDs that an operand stands for.
    private static func ids(for operand: String, _ skipped: Int, _ session: Session) async throws -> [String] {
        let ids = try await session.library.lookup.ids(for: operand, in: session.scope, skipping: skipped)
        if ids.isEmpty {
            let unread: Message = skipped > 0 ? "further unread posts" : "unread posts"
            await session.console.notice("No \(unread) in \(session.place).")
        }
        return ids
    }

    /// Shows several posts on the full screen, and reports missing ones afterwards.
    private static func browse(
        _ ids: [String], _ options: Browsing.Options, in session: Session, _ context: Context
    ) async throws -> CommandResult {
        var (posts, failures) = ([PostID](), [LibraryError]())
        for id in ids {
            do {
                posts.append(try await session.library.pages.postOrPage(id, in: session.scope).post)
            } catch let error as LibraryError {
                failures.append(error)
            }
        }
        if !posts.isEmpty {
            _ = try await Browsing.run(
                ListRequest(.these(posts)), place: Counted.posts(posts.count), options, in: session, context)
        }
        var result = CommandResult()
        result.succeeded = posts.count
        for error in failures {
            await session.console.error(Failure(error))
            result.fail(error)
        }
        return result
    }
}
