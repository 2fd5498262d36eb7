import BlogBrowse
import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// Shell commands that the user runs on posts in the full-screen reader.
@MainActor
final class PostCommands {
    /// The command that the user waits for; nil for none.
    private var awaited: UserCommand?
    /// The named commands that are running.
    private var running: [UserCommand] = []
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// The output of a typed command that gets the text of a post on stdin, as `blog read` writes it into a pipe.
    func output(of command: String, for post: PostID, _ session: Session) async throws -> [String] {
        let renderer = ReadingStyle.plainRenderer(
            for: Capabilities(of: [post.source]), session.appearance, now: now())
        let (text, _) = try await Self.text(of: post, session, renderer)
        let command = UserCommand(command)
        awaited = command
        return await DetachedThread.result { command.output(input: text) }
    }

    /// The output of a named command that gets a post as JSON on stdin, as `blog read --json` writes it, and facts about it
    /// in its environment.
    ///
    /// It may run as long as the reader is open.
    ///
    /// - Parameter link: the address of the selected link; nil for none.
    func output(
        of command: NamedCommand, for post: PostID, link: String?, _ session: Session
    ) async throws -> [String] {
        let (json, record) = try await Self.text(of: post, session, JSONLinesRenderer(fields: nil))
        let command = UserCommand(
            command.text, variables: record.variables + [("BLOG_LINK", link ?? ""), ("BLOG_STORE", session.storePath)])
        running.append(command)
        defer { running.removeAll { $0 === command } }
        return await DetachedThread.result { command.output(input: json, maxSeconds: nil) }
    }

    /// Stops the command that the user waits for.
    func stop() {
        awaited?.stop()
        awaited = nil
    }

    func stopAll() {
        stop()
        for command in running { command.stop() }
    }

    /// A post as a renderer writes it, and its record.
    private static func text(
        of post: PostID, _ session: Session, _ renderer: any PostRenderer
    ) async throws -> (String, Record) {
        let output = TextBuffer()
        var printer = PostPrinter(renderer, in: session.presentation, embedded: nil, to: output)
        let read = try await session.library.open(post, session.articles, comments: CommentSelection())
        try await printer.print(read)
        try await printer.finish()
        return (await output.text, session.presentation.record(read))
    }
}

extension Record {
    /// Facts for a command, as environment variables; empty ones for what is unknown.
    fileprivate var variables: [(name: String, value: String)] {
        let media = (metadata.entry?.enclosures ?? []).compactMap { LinkTarget.safe($0.url) }
        return [
            ("BLOG_ID", metadata.id), ("BLOG_TITLE", metadata.title), ("BLOG_AUTHOR", metadata.author.name),
            ("BLOG_FEED", source ?? ""), ("BLOG_DATE", metadata.publishDate.isKnown ? metadata.publishDate.text : ""),
            ("BLOG_PAGE", metadata.link.flatMap { LinkTarget.safe($0) } ?? ""), ("BLOG_ENCLOSURE", media.first ?? ""),
            ("BLOG_ENCLOSURES", media.joined(separator: "\n")),
        ]
    }
}
