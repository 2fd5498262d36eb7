import BlogKit
import Foundation

/// `blog search`: full text over everything stored.
enum SearchCommand: Command {
    static let name = "search"
    static let summary = "find words in everything stored: titles, summaries, authors and bodies"
    static let operands = "WORDS..."
    static let examples = [
        ("blog search embedded swift", "posts with both words, what fits best first"),
        ("blog search '\"structured concurrency\"'", "the words side by side"),
        ("blog search 'author:kim title:part* -beta'", "by place, by beginning, and without a word"),
        ("blog search swift --sort date --format ids | blog read -", "read all that is found, the newest first"),
    ]
    static let options: [Option] = [.group, .searchSort, .reverse, .limit] + Option.filters
    static let takesDashes = true

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        let words = invocation.operands.joined(separator: " ")
        guard !words.allSatisfy(\.isWhitespace) else { throw UsageError.missingOperand("words to search for") }
        guard Query.canSearch(words) else { throw UsageError.nothingToSearch(words) }
        var query = try invocation.query(sortedBy: .relevance, now: context.now())
        query.words = words
        let fields = try invocation.fields(among: Field.ofSearches)
        let format = try invocation.format()
        let session = try await Session(invocation, in: context)
        let list = try await session.reader.search(query) { await session.console.observe(SyncEvent.indexed($0)) }
        await session.warnOfStore()
        let isGrouped = query.arrangement.grouping != nil
        let renderer = session.renderer(format, fields, isGrouped: isGrouped, isSearch: true)
        let count = try await RecordPrinter(console: session.console).print(list, with: renderer)
        await session.tell("\(count) posts found in the store")
        if count == 0 { await sayWhyEmpty(words, session) }
        return .success
    }

    private static func sayWhyEmpty(_ words: String, _ session: Session) async {
        let missing = (try? await session.reader.missingBodies()) ?? 0
        let hint =
            missing == 0
            ? "" : "\n\(missing) posts are stored without their bodies. Fetch them with: blog sync"
        await session.console.notice("Nothing stored has “\(words)” in it.\(hint)")
    }
}
