import Model
import Rendering
import Store

/// A list as a folder of pages: an index, and a page for each post.
package struct Site {
    private let maker: PageMaker
    private let folder: PageFolder
    private let title: String

    package init(_ maker: PageMaker, folder: PageFolder, title: String) {
        self.maker = maker
        self.folder = folder
        self.title = title
    }

    /// What was written.
    package struct Report: Sendable {
        /// The posts of the index.
        package let printed: ListPrinter.Printed
        /// How many pages are without the body because it isn't stored and requests are off.
        package let notStored: Int
        /// Why bodies could not be fetched.
        package let failures: [any Error]
        /// Files that are no longer listed, but stay because they were changed since they were written.
        package let kept: [String]
    }

    /// A post of the index.
    private struct Entry: Sendable {
        let post: PostID
        let metadata: PostMetadata
        /// The name of its page.
        let name: String

        /// Its page within the folder.
        var file: String { PageFolder.posts + "/" + name }

        /// The link to its page from another one.
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

    /// Writes the index and the pages, whose bodies are fetched where they are not stored.
    ///
    /// Comments are those that are stored.
    ///
    /// Throws an ``OutputError``, a ``StoreError``, or ``FileError/fileInTheWay(_:)`` before anything is written.
    package func write(_ list: PostList, by grouping: Grouping?) async throws -> Report {
        let (index, output) = (Index(maker.presentation), TextBuffer())
        let printer = ListPrinter(
            maker.presentation, embedded: maker.embedded, by: grouping, to: output, record: index.record)
        let printed = try await printer.print(list, with: maker.listPage(of: list, by: grouping, title: title))
        try folder.check(index.entries.map(\.file))
        let outcomes = try await writePages(index.entries)
        // The index comes when all that it leads to is there, and what an old one leads to goes after that.
        try folder.write(await output.text, to: PageFolder.index)
        return Report(
            printed: printed, notStored: outcomes.count { if case .notStored = $0 { true } else { false } },
            failures: outcomes.compactMap { if case .failed(let error) = $0 { error } else { nil } },
            kept: try folder.finish())
    }

    /// The index and its posts, while the list is read.
    private final class Index {
        private let presentation: Presentation
        private(set) var entries: [Entry] = []
        private var names: Set<String> = []

        init(_ presentation: Presentation) {
            self.presentation = presentation
        }

        func record(_ post: ListedPost) -> Record {
            var name = PageName.of(post.id, title: post.metadata.title)
            while !names.insert(name).inserted { name = "x-" + name }
            let entry = Entry(post: post.id, metadata: post.metadata, name: name)
            entries.append(entry)
            var record = presentation.record(post)
            record.page = entry.file
            return record
        }
    }

    private func writePages(_ entries: [Entry]) async throws -> [Outcome] {
        try await entries.indices.concurrentMap(atMost: Self.maxConcurrent) { try await writePage($0, entries) }
    }

    private func writePage(_ index: Int, _ entries: [Entry]) async throws -> Outcome {
        let entry = entries[index]
        let source = entry.post.source
        let navigation = PageNavigation(
            home: PageLink(file: "../" + PageFolder.index, title: title),
            previous: index > 0 ? entries[index - 1].link : nil,
            next: index + 1 < entries.count ? entries[index + 1].link : nil)
        do {
            let read = try await read(entry.post)
            let page = try await maker.page(read, of: source, navigation: navigation, isOffline: true)
            try folder.write(page, to: entry.file)
            return .whole
        } catch let error
            where error is OutputError || error is FileError || error is StoreError || error is CancellationError
        {
            throw error
        } catch {
            try folder.write(
                maker.summary(entry.metadata, of: source, navigation: navigation), to: entry.file)
            return Self.outcome(error)
        }
    }

    /// A post, with its article only if that is stored: pages of one host would be requested all at once.
    private func read(_ post: PostID) async throws -> ReadPost {
        let (library, articles) = (maker.presentation.library, maker.presentation.articles)
        let read = try await library.read(post)
        guard read.article == nil else { return read }
        let choice = try await library.articleChoice(articles, for: post.source)
        return choice == .never ? read : try await library.offline.adding(article: choice, to: read, post)
    }

    private static func outcome(_ error: any Error) -> Outcome {
        switch error {
        case SourceError.noBody: .bodiless
        case LibraryError.postNotStored, LibraryError.bodyNotStored: .notStored
        default: .failed(error)
        }
    }

    /// As many bodies as a sync fetches at a time.
    private static let maxConcurrent = 4
}
