import BlogLibrary
import Model
import Rendering
import Store
import Terminal

/// A list as a folder of pages: an index, and a page for each post.
struct Site {
    private let session: Session
    private let folder: PageFolder
    private let title: String

    /// A post of the index.
    private struct Entry: Sendable {
        let post: PostID
        let metadata: PostMetadata
        /// The name of its page.
        let name: String

        /// Its page within the folder.
        var file: String { PageFolder.posts + "/" + name }

        /// The way to its page from another one.
        var link: PageLink {
            PageLink(file: name, title: metadata.title.isEmpty ? "Untitled" : metadata.title)
        }
    }

    /// How a page was made.
    private enum Outcome: Sendable {
        case whole
        /// Of a post that has no body anywhere.
        case bodiless
        /// Without the body, which is not stored, and requests are off.
        case notStored
        case failed(any Error)
    }

    init(_ session: Session, folder: PageFolder, title: String) {
        self.session = session
        self.folder = folder
        self.title = title
    }

    /// Writes the index and the pages, whose bodies are fetched where they are not stored.
    ///
    /// Comments are those that are stored. Returns what the index shows, and whether every page is what it could be.
    ///
    /// Throws an ``OutputError``, a ``StoreError``, or ``UsageError/fileInTheWay(_:)`` before anything is written.
    func write(_ list: PostList, by grouping: Grouping?) async throws -> (shown: RecordPrinter.Shown, isWhole: Bool) {
        let index = Index(session: session)
        let printer = RecordPrinter(session: session, grouping, record: index.record, write: index.add)
        let shown = try await printer.print(list, with: session.listPage(of: list, by: grouping, title: title))
        let (text, entries) = (index.text, index.entries)
        try folder.check(entries.map(\.file))
        let outcomes = try await writePages(entries)
        // The index comes when all that it leads to is there, and what an old one leads to goes after that.
        try folder.write(text, to: PageFolder.index)
        let changed = try folder.finish()
        if let first = changed.first {
            let others: Message = changed.count == 1 ? "" : " and \(changed.count - 1) more"
            await session.console.notice(
                "Kept \(folder.path)/\(first)\(others): no longer listed, but changed since it was written")
        }
        await session.console.notice(
            "Wrote \(folder.path)/\(PageFolder.index) and \(entries.count == 1 ? "1 page" : "\(entries.count) pages").")
        return (shown, await report(outcomes))
    }

    // MARK: The index

    /// The index and its posts, while the list is read.
    private final class Index {
        private let session: Session
        private(set) var text = ""
        private(set) var entries: [Entry] = []
        private var names: Set<String> = []

        init(session: Session) {
            self.session = session
        }

        func add(_ part: StyledText) { text += part.plain }

        func record(_ post: ListedPost) -> Record {
            let id = post.id
            var name = PageName.of(id, title: post.metadata.title)
            while !names.insert(name).inserted { name = "x-" + name }
            entries.append(Entry(post: id, metadata: post.metadata, name: name))
            var record = session.shownOnPage(Record(post), of: post.source)
            record.page = PageFolder.posts + "/" + name
            return record
        }
    }

    // MARK: The pages

    private func writePages(_ entries: [Entry]) async throws -> [Outcome] {
        try await entries.indices.concurrentMap(atMost: Self.maxConcurrent) { try await writePage($0, entries) }
    }

    private func writePage(_ index: Int, _ entries: [Entry]) async throws -> Outcome {
        let entry = entries[index]
        var options = session.pages
        options.navigation = PageNavigation(
            home: PageLink(file: "../" + PageFolder.index, title: title),
            previous: index > 0 ? entries[index - 1].link : nil,
            next: index + 1 < entries.count ? entries[index + 1].link : nil)
        let page = PostPage(session: session, options: options, library: session.library.offline)
        do {
            let read = try await session.library.read(entry.post)
            try folder.write(try await page.text(read, of: entry.post.source), to: entry.file)
            return .whole
        } catch let error
            where error is OutputError || error is UsageError || error is StoreError || error is CancellationError
        {
            throw error
        } catch {
            try folder.write(page.summary(entry.metadata, of: entry.post.source), to: entry.file)
            return Self.outcome(error)
        }
    }

    private static func outcome(_ error: any Error) -> Outcome {
        switch error {
        case SourceError.noBody: .bodiless
        case LibraryError.postNotStored, LibraryError.bodyNotStored: .notStored
        default: .failed(error)
        }
    }

    /// Says which pages are without bodies; whether none is for which it could not be fetched.
    private func report(_ outcomes: [Outcome]) async -> Bool {
        let errors = outcomes.compactMap { if case .failed(let error) = $0 { error } else { nil } }
        let notStored = outcomes.count { if case .notStored = $0 { true } else { false } }
        if notStored > 0 {
            await session.console.notice(
                "The text of \(Counted.posts(notStored)) isn't stored. To fetch it: blog sync\(session.sourceWords)")
        }
        if session.capabilities.hasComments {
            await session.console.notice(
                "Only stored comments are included. To fetch more: blog sync --comments\(session.sourceWords)")
        }
        guard let error = errors.first else { return true }
        await session.console.error(
            "Could not fetch the text of \(Counted.posts(errors.count)): \(Failure(error).message?.sentence ?? "")")
        return false
    }

    /// As many bodies as a sync fetches at a time.
    private static let maxConcurrent = 4
}
