import BlogCore
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
        ("blog search -s hn in:comments sqlite", "in the comments of Hacker News only; in:posts leaves them out"),
        ("blog search swift --sort date --format ids | blog read -", "read all that is found, the newest first"),
    ]
    static let fields = Field.ofSearches.map(\.rawValue)
    static let options: [Option] =
        [.oneline, .group, .searchSort, .reverse, .reverseGroups, .maxHits, .page] + Option.filters
    static let takesDashes = true

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        let (words, kind, tag) = try split(invocation.operands.joined(separator: " "))
        let hasWords = !words.allSatisfy(\.isWhitespace)
        guard hasWords || tag != nil else { throw UsageError.missingOperand("words to search for") }
        guard !hasWords || Query.canSearch(words) else { throw UsageError.nothingToSearch(words) }
        var query = try invocation.query(sortedBy: .relevance, now: context.now())
        query.words = hasWords ? words : nil
        query.filter.kind = kind
        query.filter.tag = tag ?? query.filter.tag
        query.offset = try invocation.offset(limit: query.limit)
        let fields = try invocation.fields(among: Field.ofSearches)
        let format = try invocation.format()
        query.hasSnippets = fields?.contains(.snippet) ?? (format != .ids)
        let session = try await Session(invocation, in: context)
        let list = try await session.library.search(query, in: session.scope) {
            await session.console.observe(SyncEvent.indexed($0))
        }
        await session.warnOfStore()
        let isGrouped = query.arrangement.grouping != nil
        let renderer = session.renderer(format, fields, isGrouped: isGrouped, isSearch: true)
        let count = try await RecordPrinter(session: session).print(list, with: renderer).posts
        await session.trace("\(count) posts found in the store")
        if count == 0 || session.appearance.isTerminal { await sayWhatIsMissing(query, count, session) }
        return .success
    }

    /// What is searched for, whether only in comments (`in:comments`) or in posts (`in:posts`), and in those of which tag
    /// (`tag:swift`).
    private static func split(_ typed: String) throws -> (words: String, kind: Filter.Kind?, tag: String?) {
        let words = typed.split(separator: " ", omittingEmptySubsequences: false)
        let places = words.filter { $0.hasPrefix("in:") }.map { String($0.dropFirst(3)) }
        let kinds = try places.map { place in
            guard let kind = Filter.Kind(rawValue: place) else {
                let known = Filter.Kind.allCases.map(\.rawValue)
                throw UsageError.unknownAction(
                    "in:" + place, known: known.map { "in:" + $0 }, nearest: NearestName.of(place, among: known))
            }
            return kind
        }
        let tag = words.last { $0.hasPrefix("tag:") }.map { String($0.dropFirst(4)) }
        if tag?.isEmpty == true { throw UsageError.missingOperand("a tag right behind tag:") }
        let others = words.filter { !$0.hasPrefix("in:") && !$0.hasPrefix("tag:") }
        return (others.joined(separator: " "), kinds.last, tag)
    }

    /// Reports that nothing was found, and that more might be if all bodies were stored.
    private static func sayWhatIsMissing(_ query: Query, _ count: Int, _ session: Session) async {
        let missing = (try? await session.library.missingBodies(in: session.scope)) ?? 0
        let hint: Message =
            "\(Counted.posts(missing)) stored without bodies can't be searched whole. Fetch them with: blog sync\(session.sourceWords)"
        let words = TextLayout.truncate(query.words ?? "", width: 200)
        let place = query.filter.isEmpty ? "Nothing stored" : "No stored post that the filters let pass"
        let lines: [Message] = (count == 0 ? ["\(place) has “\(words)” in it."] : []) + (missing == 0 ? [] : [hint])
        if !lines.isEmpty { await session.console.notice(Message(lines: lines)) }
    }
}
