import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog store`: maintains the store.
enum StoreCommand: Command {
    static let description = Commands.store

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        let action = invocation.operands.first
        if let extra = invocation.operands.dropFirst(action == "import" ? 2 : 1).first {
            throw UsageError.needlessOperand(extra)
        }
        if let action, !description.choices.contains(action) {
            let choices = description.choices
            throw UsageError.unknownAction(action, known: choices, nearest: NearestName.of(action, among: choices))
        }
        if action != "prune", let option = description.options.first(where: invocation.has) {
            throw UsageError.onlyWith(option: option.name, command: "blog store prune")
        }
        let (path, words) = (invocation.storePath(context.environment), invocation.storeArguments)
        if action != "import", try !Archive.exists(at: path) { throw UsageError.noStore(path, words) }
        let stores = ["import", "vacuum"].contains(action) || action == "prune" && !invocation.has(.dryRun)
        let archive = try Archive(path: path, access: stores ? .storing : .reading)
        await context.console.notice(ofCopy: archive.copyOfOldVersion)
        switch action {
        case "export": return try await export(archive, context.console)
        case "check": return try await check(archive, words, context.console)
        case "prune":
            return try await StorePruning(archive: archive, console: context.console)
                .run(invocation, now: context.now())
        case "vacuum":
            try await archive.vacuum()
            await context.console.notice("\(archive.path) is now \(Counted.bytes(try await archive.facts().bytes)).")
            return CommandResult()
        case "clear-pictures":
            let bytes = archive.pictures.bytes
            archive.clearPictures()
            await context.console.notice(
                bytes == 0
                    ? "No stored pictures." : "Removed \(Counted.bytes(bytes)) of pictures.")
            return CommandResult()
        case "import":
            let file = invocation.operands.dropFirst().first ?? "-"
            return await tell(try await archive.importPosts(from: file), context.console)
        default: return try await show(archive, invocation, context.console)
        }
    }

    private static func export(_ archive: Archive, _ console: Console) async throws -> CommandResult {
        let posts = try await archive.export()
        var (lines, count) = (ExportedLines(), posts.sources.count)
        func write(_ text: String) async throws {
            // The console's last resort is to limit combining marks.
            var line = Sanitizer.output(text)
            line.withUTF8 { lines.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0).dropLast())) }
            try await console.print(line)
        }
        for source in posts.sources { try await write(ExportLine.text(source)) }
        for rule in posts.rules { try await write(ExportLine.text(rule)) }
        for try await post in posts {
            try await write(ExportLine.text(post))
            count += 1
        }
        // After the posts, which they name.
        for cursor in posts.cursors { try await write(ExportLine.text(cursor)) }
        var result = CommandResult()
        (result.posts, result.isIncomplete) = (count, !posts.unreadable.isEmpty)
        if count > 0 || !result.isIncomplete { try await console.print(ExportLine.text(lines.end)) }
        if result.isIncomplete { await console.error(report(posts.unreadable, archive.path)) }
        return result
    }

    /// The losses of a damaged store.
    private static func report(_ lost: UnreadablePosts, _ path: String) -> Message {
        let parts: [String?] = [
            lost.areSourcesLost ? "the sources" : nil,
            lost.areAllPostsLost ? "all posts" : lost.posts > 0 ? Counted.posts(lost.posts) : nil,
            lost.bodies > 0 ? Counted.bodies(lost.bodies) : nil,
        ]
        return """
            Left out \(Counted.list(parts.compactMap(\.self))) that could not be read.
            \(StoreError.recovery(ofFile: path))
            """
    }

    private static func check(_ archive: Archive, _ storeArguments: Message, _ console: Console) async throws
        -> CommandResult
    {
        if let notice = await archive.storeNotice { throw StoreError(path: archive.path, reason: .notStored(notice)) }
        let problems = try await archive.check()
        guard !problems.isEmpty else {
            await console.notice("\(archive.path) is intact.")
            let links = FileFacts(path: archive.path, followsLinks: true)?.links ?? 1
            if links > 1 {
                await console.notice(
                    "It has \(links) names (hard links): using it by more than one of them at a time would damage it.")
            }
            return CommandResult()
        }
        let shown = problems.prefix(5).joined(separator: "; ")
        let remedy: Message =
            Archive.repairable.isSuperset(of: problems)
            ? "To repair it: blog store vacuum\(storeArguments)" : StoreError.recovery(storeArguments)
        await console.error("\(archive.path) is damaged: \(shown)\n\(remedy)")
        return CommandResult(StoreError(path: archive.path, reason: .damaged))
    }

    private static func show(
        _ archive: Archive, _ invocation: Invocation, _ console: Console
    ) async throws -> CommandResult {
        let fields = try invocation.fieldNames(among: description.fields)
        let format = invocation.format
        let (facts, pictures) = (try await archive.facts(), archive.pictures)
        let isTerminal = await console.appearance.isTerminal
        guard format == nil && fields == nil && isTerminal || format == .text else {
            let row: [Fact] = [
                .text(archive.path), .number(facts.bytes), .number(facts.schemaVersion), .number(facts.posts),
                .number(facts.bodies), .number(facts.articles), .number(facts.comments), .number(pictures.count),
                .number(pictures.bytes),
            ]
            let table = FactTable(columns: description.fields, rows: [row])
            // One store is one object.
            try await console.print(table, fields, as: format == .json ? .jsonl : format)
            return CommandResult()
        }
        let title = StyledText(Sanitizer.line(archive.path), .title)
        let size = "  \(Counted.bytes(facts.bytes)) · schema version \(facts.schemaVersion)"
        let counts =
            [Counted.posts(facts.posts), Counted.comments(facts.comments), Counted.bodies(facts.bodies)]
            + (facts.articles > 0 ? [Counted.of(facts.articles, "article")] : [])
        let kept =
            "  \(Counted.pictures(pictures.count)) · \(Counted.bytes(pictures.bytes))"
        let lines = [size, "  " + counts.joined(separator: " · ")] + (pictures.count > 0 ? [kept] : [])
        try await console.print(([title] + lines.map { StyledText($0) }).lines)
        return CommandResult()
    }

    /// Reports the imported posts and the skipped lines.
    private static func tell(_ report: ImportReport, _ console: Console) async -> CommandResult {
        if report.sources > 0 {
            await console.notice("Following \(report.sources) more \(report.sources == 1 ? "source" : "sources").")
        }
        let posts = report.posts
        let comments = posts.comments == 0 ? "" : " and \(Counted.comments(posts.comments))"
        await console.notice(
            "\(Counted.posts(posts.total - posts.comments))\(comments): \(posts.new) new, \(posts.changed) changed, \(posts.unchanged) unchanged."
        )
        switch report.end {
        case .whole: break
        case .unknown where report.failure != nil: break
        case .unknown: await console.notice("The export has no end line, by which to see whether it is whole.")
        case .missing(let count, let all):
            await console.error("The export isn't whole: \(count) of its \(all) lines are missing.")
        case .changed: await console.error("The export was changed: its lines don't match the digest in its end line.")
        }
        let lines = report.skippedLines
        if !lines.isEmpty {
            let shown = Counted.some(lines.map { String($0) })
            await console.error(
                lines.count == 1
                    ? "Skipped line \(shown): it isn't an exported post."
                    : "Skipped lines \(shown): they aren't exported posts.")
        }
        for address in report.insecureServices {
            await console.error(
                "Left out a sync server without encryption. To follow it: blog follow \(ShellWords.quoted(address)) --allow-http"
            )
        }
        for address in report.otherAccounts {
            await console.error(
                "Left out \(address): the archive is of another account than the one that you follow there, or not a whole export."
            )
        }
        if report.excessRules > 0 {
            await console.error("Rules left out: \(report.excessRules). There can be at most \(Rule.maxCount).")
        }
        if let failure = report.failure { await console.error(Failure(failure)) }
        var result = CommandResult()
        let isWhole =
            lines.isEmpty && report.insecureServices.isEmpty && report.otherAccounts.isEmpty && report.excessRules == 0
            && !report.end.isIncomplete
        (result.posts, result.isIncomplete) = (posts.total, report.failure != nil || !isWhole)
        return result
    }
}

/// `blog store prune`: deletes old posts.
private struct StorePruning {
    let archive: Archive
    let console: Console

    static let fields = ["source", "address", "posts", "comments", "bytes"]

    func run(_ invocation: Invocation, now: Date) async throws -> CommandResult {
        let (age, common) = (try invocation.olderThan(), try invocation.keep())
        if age == nil, common?.cutoff(at: now) == nil, try await !archive.hasRetention() {
            throw UsageError.pruneNeedsAge
        }
        let isDryRun = invocation.has(.dryRun)
        let (fields, format) = (try invocation.fieldNames(among: Self.fields), invocation.format)
        let shortIDs = try await archive.shortIDs()
        let reports = try await archive.prune(
            keeping: age, common: common, sources: invocation.typedSources, isDryRun: isDryRun, at: now)
        if isDryRun {
            let table = FactTable(columns: Self.fields, rows: reports.map { row($0, shortIDs) })
            try await console.print(table, fields, as: format)
        }
        let kept =
            reports.isEmpty
            ? try await archive.countExpired(keeping: age, common: common, sources: invocation.typedSources, at: now)
            : 0
        await tell(reports, isDryRun, kept)
        var result = CommandResult()
        result.isIncomplete = await !console.report(unreadable: await archive.unreadable, shortIDs)
        return result
    }

    private func row(_ report: PruneReport, _ shortIDs: ShortIDs) -> [Fact] {
        [
            .text(shortIDs.name(of: report.source)), .text(report.source.address), .number(report.posts),
            .number(report.comments), .number(report.bytes),
        ]
    }

    /// - Parameter kept: how many posts are old enough, but none of them is deleted.
    private func tell(_ reports: [PruneReport], _ isDryRun: Bool, _ kept: Int) async {
        func sum(_ number: (PruneReport) -> Int) -> Int { reports.reduce(0) { $0 + number($1) } }
        guard !reports.isEmpty else {
            let reason: Message =
                kept == 0
                ? ""
                : "\n\(Counted.grouped(posts: kept)) that old stay: still listed by a source, changed lately, saved or labelled."
            return await console.notice("No posts to delete.\(reason)")
        }
        let what = Counted.deleted(sum(\.posts), sum(\.comments))
        guard !isDryRun else {
            return await console.notice("Would delete \(what), about \(Counted.bytes(sum(\.bytes))).")
        }
        let unused = (try? await archive.reclaim()) ?? 0
        let size = ((try? await archive.facts().bytes).map { " \(archive.path) is now \(Counted.bytes($0))." }) ?? ""
        await console.notice("Deleted \(what).\(size)")
        if unused >= 1_000_000 {
            await console.notice("\(Counted.bytes(unused)) of the file is unused. To shrink it: blog store vacuum")
        }
    }
}
