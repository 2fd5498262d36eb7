import BlogEssentials
import BlogModel
import BlogStore

/// The result of importing exported posts.
package struct ImportReport: Sendable {
    package fileprivate(set) var posts = MergeReport()
    /// How many sources are newly followed.
    package fileprivate(set) var sources = 0
    /// The numbers of the lines that aren't exported posts or sources.
    package fileprivate(set) var skippedLines: [Int] = []
    /// The addresses of sync servers that were left out, because a password would be sent to them without encryption.
    package fileprivate(set) var insecureServices: [String] = []
    /// The addresses of sync servers of which posts were left out, because the archive is of another account.
    package fileprivate(set) var otherAccounts: [String] = []
    /// How many rules were left out, because there are as many as there can be.
    package fileprivate(set) var excessRules = 0
    /// Why reading ended early; nil at the end of the file.
    package fileprivate(set) var failure: FileError?
    package fileprivate(set) var end = End.unknown

    /// Whether all lines of an export arrived as they were written.
    package enum End: Sendable {
        case whole
        /// Some lines don't belong to an export with an end line, as older versions wrote none.
        case unknown
        case missing(Int, of: Int)
        case changed

        package var isIncomplete: Bool {
            switch self {
            case .whole, .unknown: false
            case .missing, .changed: true
            }
        }

        fileprivate init(_ lines: ExportEnd, expected: ExportEnd) {
            self =
                lines == expected
                ? .whole
                : lines.lines < expected.lines
                    ? .missing(expected.lines - lines.lines, of: expected.lines) : .changed
        }
    }
}

extension Archive {
    /// Imports a file of exported posts, `-` for stdin, in batches to bound memory.
    ///
    /// Other lines are skipped.
    ///
    /// Throws ``FileError/unreadable(_:reason:)`` if nothing could be read.
    package func importPosts(from path: String) async throws -> ImportReport {
        let lines = try LineReader(path: path)
        var merge = try await ArchiveImport(into: self, store.prepareForImport())
        for (number, line) in zip(1..., lines) where !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
            try await merge.add(line, number: number)
        }
        try await merge.finish()
        do {
            try lines.finish()
        } catch let error as FileError {
            if merge.report.posts.total == 0, merge.report.skippedLines.isEmpty { throw error }
            merge.report.failure = error
        }
        // Rules look at what has come with the import, and not at what comes after it.
        _ = try await store.settleRules()
        // The program that should have written the posts may have failed.
        if merge.isEmpty { throw FileError.unreadable(path, reason: "no exported posts found") }
        return merge.report
    }
}

/// Merges the lines of an export, or of several one after the other.
private struct ArchiveImport {
    private let archive: Archive
    /// That of the current export.
    private var progress: ImportProgress
    var report = ImportReport()
    private(set) var isEmpty = true
    private var batch: [ExportedPost] = []
    private var batchBytes = 0
    /// Saved searches and rules, and the names that sources have here instead of those in the file.
    private var searches: [ExportedSource] = []
    private var rules: [ExportedRule] = []
    private var names: [String: String] = [:]
    /// The cursors of an export, and how many posts it has of each source.
    private var cursors: [ExportedCursor] = []
    private var counts: [SourceID: Int] = [:]
    /// Where posts are stored already, it isn't known which of them were listed there.
    private var sourcesWithPosts: Set<SourceID>
    /// The services of the export, and which they are here; nil for those of another account.
    private var services: [SourceID: SourceID?] = [:]
    /// The feeds of services in the export, and which they are here, if these have them.
    private var feedIDs: [SourceID: SourceID] = [:]
    private var exported = ExportedLines()

    private var store: PostStore { archive.store }

    init(into archive: Archive, _ progress: ImportProgress) async throws {
        (self.archive, self.progress) = (archive, progress)
        sourcesWithPosts = Set(try await archive.store.read { try Sources($0).withPosts() })
    }

    mutating func add(_ line: Data, number: Int) async throws {
        isEmpty = false
        if let end = ExportEnd(line: line) {
            if !report.end.isIncomplete { report.end = ImportReport.End(exported.end, expected: end) }
            exported = ExportedLines()
            return try await endExport()
        }
        exported.add(line.last == 0x0D ? line.dropLast() : line)
        if !report.end.isIncomplete { report.end = .unknown }
        let decoder = JSONDecoder()
        if let post = try? decoder.decode(ExportedPost.self, from: line), Archive.accepts(post) {
            try await add(post, bytes: line.count)
            return
        }
        let source = try? decoder.decode(ExportedSource.self, from: line)
        if let source, Archive.accepts(source) {
            try await add(source)
        } else if let source, Archive.isInsecure(source), SourceAddress.url(source.address) != nil {
            report.insecureServices.append(source.address)
        } else if let rule = try? decoder.decode(ExportedRule.self, from: line) {
            if rule.imported(renaming: [:]) == nil { report.skippedLines.append(number) }
            rules.append(rule)
        } else if let cursor = try? decoder.decode(ExportedCursor.self, from: line) {
            if let id = try await current(cursor.sourceID) { cursors.append(cursor.moved(to: id.address)) }
        } else {
            report.skippedLines.append(number)
        }
    }

    mutating func finish() async throws {
        try await endExport()
        for search in searches { _ = try await archive.merge(search.renaming(names)) }
        for rule in rules.compactMap({ $0.imported(renaming: names) })
        where try await !store.writeToDisk({ try Rules($0).merge(rule) }) {
            report.excessRules += 1
        }
    }

    private mutating func add(_ post: ExportedPost, bytes: Int) async throws {
        guard let id = try await current(post.sourceID) else { return noteOther(post.sourceID) }
        if let service = post.sourceID.service, services[service] == nil {
            // Of a part of an export, it can't be told whose marks it has.
            noteOther(service)
            return
        }
        batch.append(post.moved(to: id.address))
        counts[id, default: 0] += 1
        batchBytes += bytes
        if batch.count == Self.maxPosts || batchBytes > Self.maxBytes { try await mergeBatch() }
    }

    private mutating func add(_ source: ExportedSource) async throws {
        if source.id.isSearch { return searches.append(source) }
        if source.id.isService { try await note(source) }
        try await note(feed: source)
        guard let id = try await current(source.id) else { return noteOther(source.id) }
        report.sources += try await archive.merge(source.moved(to: id.address)) && source.followedAt != nil ? 1 : 0
        names[source.name] = try await store.read { try Sources($0).find(id) }?.name
    }

    /// Adds the cursors at the end of an export, after which there may be another one.
    private mutating func endExport() async throws {
        try await mergeBatch()
        report.posts.add(try await store.mergeRest(&progress))
        progress.endExport()
        let new = cursors.filter { !sourcesWithPosts.contains($0.sourceID) }
        if !new.isEmpty { try await store.writeToDisk { [counts] in try Cursors($0).add(new, ofPosts: counts) } }
        if !cursors.isEmpty { sourcesWithPosts = Set(try await store.read { try Sources($0).withPosts() }) }
        (cursors, counts, services, feedIDs) = ([], [:], [:], [:])
    }

    private mutating func mergeBatch() async throws {
        report.posts.add(try await store.merge(batch, &progress))
        (batch, batchBytes) = ([], 0)
        if progress.isFull { report.posts.add(try await store.mergeRest(&progress)) }
    }

    /// Finds out which service here is that of a line, and whether it has the same account: its items would have other numbers,
    /// or be somebody else's.
    ///
    /// An older export has the address that a service had then. After several exports, each speaks for itself.
    private mutating func note(_ source: ExportedSource) async throws {
        try await mergeBatch()
        let known = try await store.read { try Sources($0).find(source.id) ?? Sources($0).find(formerlyAt: source.id) }
        let isOther = known?.account != nil && source.account != nil && known?.account != source.account
        services[source.id] = .some(isOther ? nil : known?.id ?? source.id)
    }

    /// Finds out which feed of a service here has the address of one in the file: after a new installation, it has another ID.
    private mutating func note(feed source: ExportedSource) async throws {
        guard let address = source.feed, let service = source.id.service, let here = services[service] ?? service else {
            return
        }
        let feeds = try await store.read { database in
            try Sources(database).find(here).map { try ServiceItems(database, service: $0.key).feeds() } ?? []
        }
        feedIDs[source.id] = feeds.first { $0.feed.map(Entry.canonical) == Entry.canonical(address) }?.id
    }

    /// The source that one of the file is here; nil if it is of another account.
    private func current(_ id: SourceID) async throws -> SourceID? {
        guard let service = id.isService ? id : id.service else { return id }
        guard let current = services[service] ?? service else { return nil }
        if let feed = feedIDs[id] { return feed }
        return SourceID(kind: id.kind, address: current.address + id.address.dropFirst(service.address.count))
    }

    private mutating func noteOther(_ source: SourceID) {
        let address = (source.service ?? source).address
        if !report.otherAccounts.contains(address) { report.otherAccounts.append(address) }
    }

    private static let maxPosts = 1000
    private static let maxBytes = 16 << 20
}
