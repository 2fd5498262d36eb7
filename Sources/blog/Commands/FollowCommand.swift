import BlogCommandLine
import BlogEssentials
import BlogHTTP
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog follow`: adds sources.
enum FollowCommand: Command {
    static let description = Commands.follow

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        guard !invocation.operands.isEmpty, !invocation.operands.contains("") else {
            throw UsageError.missingOperand("the address of a source")
        }
        if invocation.has(.offline) { throw UsageError.notOffline }
        if invocation.has(.url) {
            throw UsageError.notHere(
                option: "url", "blog follow \(invocation[.url].map(SourceAddress.withoutLogin) ?? "URL") --as NAME")
        }
        let (picked, format) = (try invocation.fieldNames(among: description.fields), invocation.format)
        let typed = try FollowInput(invocation.operands, like: invocation.followRequest())
        try checkCount(typed.requests, invocation)
        // Here the folder is the place for the sources, not a scope, and the articles are theirs.
        let isDryRun = invocation.has(.dryRun)
        let session = try await Session(
            invocation.without([.folder, .article]), in: context, for: isDryRun ? .reading : .storing,
            asksSources: false)
        let input = try await typed.fetchingLists(with: session.library)
        let requests = input.requests
        try checkCount(requests, invocation)
        var result = CommandResult()
        for flaw in input.flaws {
            await session.console.error(flaw)
            result.fail(LibraryError.badAddress(flaw.text))
        }
        for loss in input.losses { await session.console.notice(loss) }
        var (reports, tally): ([FollowReport], FollowTally) = ([], FollowTally())
        // One address allows all requests to a server.
        var unrequested: Set<String> = []
        var looked = 0
        let areMany = requests.count > maxNamed || isDryRun
        for await followed in try await session.library.follow(requests, in: invocation[.service]) {
            var (failure, word): (Message?, String) = (nil, "failed")
            looked += 1
            do {
                let report = try followed.get()
                reports.append(report)
                tally.add(report)
                if !areMany { await tell(report, session, isRepair: invocation.has(.repair)) }
                if case .failed(let error, _) = report.refresh?.outcome {
                    word = Failure(error).word
                    failure = Failure(error).message(
                        adding: isDryRun ? " (would be followed anyway)" : " (followed anyway)")
                    if error.isRepeated(among: &unrequested) { failure = failure?.sentence }
                    result.fail(error, hasCopy: false)
                } else {
                    result.succeeded += 1
                }
            } catch let error as StoreError {
                throw error
            } catch {
                (failure, word) = (Failure(error).message, Failure(error).word)
                if error.isRepeated(among: &unrequested) { failure = failure?.sentence }
                result.fail(error, hasCopy: false)
            }
            if areMany { await session.console.observe(.refreshed(looked, of: requests.count)) }
            guard let failure else { continue }
            if areMany { tally.add(failure: failure) } else { await session.console.error(failure, word) }
        }
        if isDryRun {
            let known = try await session.library.sources(
                in: .sources(reports.map(\.source).filter { !$0.listsOthers }))
            let posts = Dictionary(known.map { ($0.id, $0.posts) }) { first, _ in first }
            let table = table(reports, posts)
            try await session.console.print(table, picked, as: format)
            for line in explanations(reports) { await session.console.notice(line) }
        } else if areMany {
            await session.console.notice(tally.summary)
        }
        for line in tally.failureLines { await session.console.error(line) }
        if !isDryRun { try await keep(input.queries, session) }
        let refreshes = reports.compactMap { report in report.refresh.map { SourceRefresh(report.source, $0) } }
        if let line = RefreshNotices.waiting(refreshes) { await session.console.notice(line) }
        if let history = tally.historySummary { await session.console.notice(history) }
        return result
    }

    /// Keeps newsboat's query feeds as searches, and says under which names.
    private static func keep(_ queries: [NewsboatQuery], _ session: Session) async throws {
        for query in queries {
            do {
                guard let kept = try await session.library.searches.keep(query) else { continue }
                await session.console.notice("From newsboat, a search as \(kept.name): \(query.words)")
            } catch let error as LibraryError {
                await session.console.notice("Not kept: the search “\(query.words)”. \(Failure(error).message ?? "")")
            }
        }
    }

    /// Throws if several sources would have one name or title.
    private static func checkCount(_ requests: [FollowRequest], _ invocation: Invocation) throws {
        guard requests.count > 1 else { return }
        for option in [Option.name, .titleOfSource, .newAddress, .repair] where invocation.has(option) {
            throw UsageError.notForSeveral(option: option.name)
        }
    }

    /// The sources that would be followed; for those already followed, the number of stored posts.
    private static func table(_ reports: [FollowReport], _ known: [SourceID: Int]) -> FactTable {
        FactTable(
            columns: description.fields,
            rows: reports.filter { $0.outcome != .repeated }.map { report in
                [
                    .text(report.name), .text(report.source.kind), .text(report.folder),
                    .number(
                        report.outcome == .followed || report.formerAddress != nil
                            ? report.posts : known[report.source] ?? 0),
                    report.title.map { .text($0) } ?? .none, .text(report.address),
                ]
            })
    }

    /// Lists the sources that were already followed, and those without posts.
    private static func explanations(_ reports: [FollowReport]) -> [Message] {
        let moved = reports.filter { $0.formerAddress != nil }
        let known = reports.filter { [.changed, .unchanged].contains($0.outcome) && $0.formerAddress == nil }.map(
            \.name)
        let repeated = reports.filter { $0.outcome == .repeated }.map(\.name)
        let empty = reports.filter { report in
            guard report.outcome == .followed, report.posts == 0 else { return false }
            if case .failed = report.refresh?.outcome { return false }
            return true
        }.map(\.name)
        return moved.map { "\($0.name) would move from \($0.formerAddress ?? "") to \($0.source.address)." }
            + (known.isEmpty ? [] : ["Already following: \(Counted.some(known))"])
            + (repeated.isEmpty ? [] : ["Listed more than once: \(Counted.some(repeated))"])
            + (empty.isEmpty ? [] : ["No posts yet: \(Counted.some(empty))"])
    }

    /// What was done with a source.
    static func summary(of report: FollowReport) -> Message {
        let address = HostName.shown(in: report.address)
        return switch report.outcome {
        case _ where report.formerAddress != nil:
            "Moved \(report.name) from \(report.formerAddress ?? "") to \(address): \(Counted.posts(report.posts))."
        case .repeated: "Listed more than once: \(report.name) (\(address))"
        case .unchanged: "Already following \(report.name): \(address)"
        case .changed where report.isConfirmed:
            "Now requested, as are other sources of its server: \(report.name) (\(address)), \(Counted.grouped(posts: report.posts))."
        case .changed where report.formerName != nil:
            "Renamed \(report.formerName ?? "") to \(report.name)\(folder(report)): \(address)"
        case .changed: "Updated \(report.name)\(folder(report)): \(address)"
        case .followed where report.service != nil:
            "Following \(report.name) (\(address)): \(report.title ?? "a sync server"), \(report.service?.summary(posts: report.posts) ?? "")\(report.service?.rest.map { ", \($0.text)" } ?? "")."
        case .followed where report.source.isLinked:
            "Following \(report.name): the pages that two or more of your sources linked to in the last seven days."
        case .followed: "Following \(report.name) (\(address)): \(Counted.grouped(posts: report.posts))."
        }
    }

    /// " in the folder “news”"; "" for none.
    private static func folder(_ report: FollowReport) -> Message {
        report.folder.isEmpty ? "" : " in the folder “\(report.folder)”"
    }

    /// Reports a followed source.
    private static func tell(_ report: FollowReport, _ session: Session, isRepair: Bool) async {
        let console = session.console
        let isFirst = report.outcome == .followed ? await session.library.takeHint("list") : false
        let hint: Message = isFirst ? " To list them: blog list -s \(report.name)" : ""
        let isWorking = isRepair && report.formerAddress == nil && report.refresh?.failure == nil
        await console.notice(
            isWorking
                ? "\(report.name) works: its feed is at \(report.source.address)" : "\(summary(of: report))\(hint)")
        if report.outcome == .followed, let older = olderPosts(report) { await console.notice(older) }
        if !report.others.isEmpty {
            let others = report.others.prefix(maxOthers).map(\.absoluteString).joined(separator: ", ")
            await console.notice("Other feeds on this page: \(others)")
        }
    }

    /// How to get the posts that a feed has no more; nil if it has all, or doesn't say where the others are.
    private static func olderPosts(_ report: FollowReport) -> Message? {
        guard report.source.kind == FeedSource.kind.name, let older = report.refresh?.older else { return nil }
        let command = "blog sync -s \(report.name) --archive"
        guard let total = older.total else { return "To get its older posts, if there are any: \(command)" }
        return total > report.posts ? "It has \(Counted.posts(total)) in all. To get the older ones: \(command)" : nil
    }

    private static let maxOthers = 5
    /// The maximum number of sources that are reported one by one.
    private static let maxNamed = 3
}

extension Error {
    /// Whether it is about a private network's server that an earlier error was about.
    fileprivate func isRepeated(among servers: inout Set<String>) -> Bool {
        guard case .privateAddress(let url)? = self as? HTTPError else { return false }
        return !servers.insert(url.hostAndPort).inserted
    }
}
