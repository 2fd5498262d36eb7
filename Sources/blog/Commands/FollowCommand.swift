import BlogLibrary
import Essentials
import HTTP
import Markup
import Model
import Rendering
import Store
import Terminal

/// `blog follow`: adds sources.
enum FollowCommand: Command {
    static let name = "follow"
    static let summary = "follow blogs, feeds or Hacker News"
    static let details = [
        """
        ADDRESS is the address of a feed (RSS, Atom or JSON Feed), of a page that links to one, or of a \
        server with the Blog Nerd Ranch API; or it is hn for Hacker News. FILE is an OPML file, newsboat's \
        urls file, or a list with one address per line; - reads it from stdin. With the NAME of a source that \
        you already follow, the options change that source.
        """,
        "Post IDs begin with the name of their source, which comes from the host unless you set it with --as.",
    ]
    static let operands = "ADDRESS|NAME|FILE... | -"
    static let examples = [
        ("blog follow swift.org", "follow the feed that the page links to (https by default)"),
        ("blog follow hn --folder tech", "Hacker News, in a folder (to list it: blog list --folder tech)"),
        (
            "blog follow http://localhost:8106 --as nerds",
            "a server with the Blog Nerd Ranch API; its posts are nerds:1, nerds:2, …"
        ),
        ("blog follow swift --as s --folder /", "rename a source and take it out of its folder"),
        ("blog follow swift --keep 1y", "when syncing, delete posts after a year, unless saved or still in the feed"),
        ("blog follow swift --article auto", "show linked articles where the feed has only summaries"),
        ("blog follow ~/.newsboat/urls", "import newsboat's list, or any file with one address per line"),
        ("blog follow feeds.opml --read", "import from another reader, and mark existing posts as read"),
        ("blog follow https://github.com/apple/swift --dry-run", "show what would be followed"),
    ]
    static let fields = ["name", "kind", "folder", "posts", "title", "address"]
    static let formats = Format.ofFacts
    static let options: [Option] = [
        .name, .folderOfSource, .kind, .site, .keepOfSource, .articleOfSource, .articleBody, .articleDrop, .asRead,
        .dryRun,
    ]

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        guard !invocation.operands.isEmpty, !invocation.operands.contains("") else {
            throw UsageError.missingOperand("the address of a source")
        }
        if invocation.has(.offline) { throw UsageError.notOffline }
        if invocation.isTyped(.url) {
            throw UsageError.notHere(
                option: "url", "blog follow \(invocation[.url].map(SourceAddress.withoutLogin) ?? "URL") --as NAME")
        }
        let (picked, format) = (try invocation.fieldNames(among: fields), try invocation.format())
        let (requests, flaws, losses) = try requests(invocation)
        if requests.count > 1, invocation.has(.name) { throw UsageError.nameForSeveral }
        // Here the folder is the place for the sources, not a scope, and the articles are theirs.
        let session = try await Session(invocation.without([.folder, .article]), in: context)
        for flaw in flaws { await session.console.error(flaw) }
        for loss in losses { await session.console.notice(loss) }
        var failures = flaws.map { _ in ExitCode.usage }
        var (reports, tally): ([FollowReport], FollowTally) = ([], FollowTally())
        var looked = 0
        let isDryRun = invocation.has(.dryRun)
        let areMany = requests.count > maxNamed || isDryRun
        for await result in session.library.follow(requests) {
            var failure: Failure?
            looked += 1
            do {
                let report = try result.get()
                reports.append(report)
                tally.add(report)
                if !areMany { await tell(report, session) }
                if case .failed(let error, _) = report.refresh?.outcome {
                    failure = Self.failure(error).adding(" (followed anyway)")
                }
            } catch let error as StoreError {
                throw error
            } catch {
                failure = Self.failure(error)
            }
            if areMany { await session.console.observe(.refreshed(looked, of: requests.count)) }
            guard let failure else { continue }
            failures.append(failure.exitCode)
            if areMany {
                tally.add(failure: failure.message ?? "")
            } else {
                await session.console.error(failure.message)
            }
        }
        if isDryRun {
            let known = try await session.library.sources(in: .sources(reports.map(\.source)))
            let posts = Dictionary(known.map { ($0.id, $0.posts) }) { first, _ in first }
            let table = table(reports, posts)
            try await session.console.print(session.appearance.text(picked.map(table.picking) ?? table, as: format))
            for line in explanations(reports) { await session.console.notice(line) }
        } else if areMany {
            await session.console.notice(tally.summary)
        }
        for line in tally.failureLines { await session.console.error(line) }
        await session.warnOfStore()
        guard let first = failures.first else { return .success }
        return failures.count == requests.count + flaws.count ? first : .partly
    }

    /// The sources that would be followed; for those already followed, the number of stored posts.
    private static func table(_ reports: [FollowReport], _ known: [SourceID: Int]) -> FactTable {
        FactTable(
            columns: fields,
            rows: reports.filter { $0.outcome != .repeated }.map { report in
                [
                    .text(report.name), .text(report.source.kind), .text(report.folder),
                    .number(report.outcome == .followed ? report.posts : known[report.source] ?? 0),
                    report.title.map { .text($0) } ?? .none, .text(report.source.address),
                ]
            })
    }

    /// Names those that are followed already, and those without posts.
    private static func explanations(_ reports: [FollowReport]) -> [Message] {
        let known = reports.filter { [.changed, .unchanged].contains($0.outcome) }.map(\.name)
        let repeated = reports.filter { $0.outcome == .repeated }.map(\.name)
        let empty = reports.filter { report in
            guard report.outcome == .followed, report.posts == 0 else { return false }
            if case .failed = report.refresh?.outcome { return false }
            return true
        }.map(\.name)
        return (known.isEmpty ? [] : ["Already followed: \(Counted.some(known))"])
            + (repeated.isEmpty ? [] : ["Listed more than once: \(Counted.some(repeated))"])
            + (empty.isEmpty ? [] : ["No posts yet: \(Counted.some(empty))"])
    }

    /// The requests for all operands, files and lines of stdin, and messages about lines that can't be followed.
    private static func requests(
        _ invocation: Invocation
    ) throws -> (all: [FollowRequest], flaws: [Message], losses: [Message]) {
        var (all, flaws, losses): ([FollowRequest], [Message], [Message]) = ([], [], [])
        for operand in invocation.operands {
            var request = FollowRequest(operand, kind: invocation[.kind], name: invocation[.name])
            request.folder = invocation.isTyped(.folder) ? invocation[.folder] : nil
            request.site = invocation[.site].map { SourceAddress.completed($0) ?? $0 }
            request.keep = try invocation.retentionChoice()
            request.articles = try articles(invocation)
            request.isRead = invocation.has(.asRead)
            request.isDryRun = invocation.has(.dryRun)
            guard operand == "-" || isFile(operand) else {
                if looksLikeFile(operand) { throw FileError.unreadable(operand, reason: "No such file or directory") }
                all.append(request)
                continue
            }
            let file = try SubscriptionFile(operand, like: request)
            all += file.requests
            flaws += file.flaws
            losses += file.losses
        }
        return (all, flaws, losses)
    }

    /// Whether an operand is a file that exists; a folder only where it can't be meant as a name or a host.
    private static func isFile(_ operand: String) -> Bool {
        func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
        return exists(operand) && (looksLikeFile(operand) || !exists(operand + "/"))
    }

    private static func looksLikeFile(_ operand: String) -> Bool {
        ["/", "./", "../", "~"].contains { operand.hasPrefix($0) }
            || operand.hasSuffix(".opml") && !operand.contains("://")
    }

    /// How posts are to be read with the articles behind their links.
    private static func articles(_ invocation: Invocation) throws -> [ArticleSetting] {
        func selector(_ option: Option) throws -> String?? {
            guard let text = invocation[option] else { return nil }
            guard text != "none" else { return .some(nil) }
            if let problem = ElementSelector.problem(in: text) {
                throw UsageError.badSelector(text, option: option.name, problem)
            }
            return text
        }
        var settings: [ArticleSetting] = []
        if invocation.isTyped(.articleOfSource), let word = invocation[.articleOfSource] {
            settings.append(.choice(ArticleChoice(rawValue: word)))
        }
        if let body = try selector(.articleBody) { settings.append(.body(body)) }
        if let drop = try selector(.articleDrop) { settings.append(.drop(drop)) }
        return settings
    }

    /// Reports a followed source.
    private static func tell(_ report: FollowReport, _ session: Session) async {
        let console = session.console
        let address = report.source.address
        switch report.outcome {
        case .repeated: await console.notice("Listed more than once: \(report.name) (\(address))")
        case .unchanged: await console.notice("Already following \(report.name): \(address)")
        case .changed where report.formerName != nil:
            await console.notice("Renamed \(report.formerName ?? "") to \(report.name): \(address)")
        case .changed: await console.notice("Updated \(report.name): \(address)")
        case .followed:
            let isFirst = await session.library.takeHint("list")
            let hint: Message = isFirst ? " To list them: blog list -s \(report.name)" : ""
            await console.notice("Following \(report.name) (\(address)): \(Counted.posts(report.posts)).\(hint)")
        }
        if !report.others.isEmpty {
            let others = report.others.prefix(maxOthers).map(\.absoluteString).joined(separator: ", ")
            await console.notice("Other feeds on this page: \(others)")
        }
    }

    /// The failure of a source without a list.
    private static func failure(_ error: any Error) -> Failure {
        Failure(error).ending((error as? HTTPError)?.isUnreachable == true ? .nothingToShow : nil)
    }

    private static let maxOthers = 5
    /// Up to so many sources are reported one by one.
    private static let maxNamed = 3
}

/// The result of following many sources: one line, and one for each failure.
private struct FollowTally {
    private var followed = 0
    private var posts = 0
    private var known = 0
    private var changed = 0
    private var repeated: [String] = []
    private var failures: [Message] = []

    mutating func add(_ report: FollowReport) {
        switch report.outcome {
        case .followed: (followed, posts) = (followed + 1, posts + report.posts)
        case .changed: changed += 1
        case .unchanged: known += 1
        case .repeated: repeated.append(report.name)
        }
    }

    mutating func add(failure: Message) { failures.append(failure) }

    /// The numbers of followed, updated, already followed and failed sources, in sentences.
    var summary: Message {
        var parts: [Message] = []
        if followed > 0 {
            let sources: Message = "\(Counted.number(followed))\(known + changed > 0 ? " more" : "")"
            parts.append(
                "Following \(sources) \(followed == 1 ? "source" : "sources") (\(Counted.grouped(posts: posts))).")
        }
        if changed > 0 { parts.append("Updated \(Counted.sources(changed)).") }
        if known > 0 { parts.append("Already following \(Counted.number(known)).") }
        if !repeated.isEmpty { parts.append("Listed more than once: \(Counted.some(repeated)).") }
        if !failures.isEmpty { parts.append("\(Counted.sources(failures.count)) failed:") }
        return parts.dropFirst().reduce(parts.first ?? "") { "\($0) \($1)" }
    }

    /// The failures, each hint once.
    var failureLines: [Message] {
        var hints: Set<Message> = []
        return failures.map { failure in
            guard let hint = failure.hint, hints.count < Self.maxHints, hints.insert(hint).inserted else {
                return failure.sentence
            }
            return failure
        }
    }

    private static let maxHints = 3
}
