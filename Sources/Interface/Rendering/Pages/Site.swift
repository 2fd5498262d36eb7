import BlogEssentials
import BlogLibrary
import BlogModel

/// A list or search as a folder of pages: an index of one or more pages, and a page for each post.
package struct Site {
    private let maker: PageMaker
    private let folder: PageFolder
    private let title: String

    package init(_ maker: PageMaker, folder: PageFolder, title: String) {
        self.maker = maker
        self.folder = folder
        self.title = title
    }

    package struct Report: Sendable {
        /// The number of posts in the index.
        package let printed: ListPrinter.Printed
        /// How many pages have no body because it isn't stored and requests are off.
        package let notStored: Int
        package let failures: [any Error]
    }

    private struct Entry: Sendable {
        let listed: StoredPost
        let name: String
        /// The file of the index page that lists it.
        let home: String

        var post: PostID { listed.id }
        var metadata: PostMetadata { listed.metadata }

        var file: String { PageFolder.posts + "/" + name }

        /// The link to its page from the page of another post.
        var link: PageLink {
            PageLink(file: name, title: metadata.pageTitle())
        }
    }

    /// Writes the index and the pages, fetching bodies that aren't stored.
    ///
    /// Only stored comments are included.
    ///
    /// Throws an ``OutputError``, a ``StoreError``, or ``FileError/fileInTheWay(_:)`` before anything is written.
    package func write(_ list: PostList, by grouping: Grouping?) async throws -> Report {
        let entries = try await entries(of: list)
        let index = PageIndex(
            groups: maker.headings(of: list, by: grouping), posts: entries.count, size: Self.pageSize)
        let files = (1...index.pages).map(PageIndex.file) + entries.map(\.file)
        try folder.begin(files)
        let errors = try await entries.indices.concurrentMap(atMost: Self.maxConcurrent) {
            try await writePage($0, entries)
        }.compactMap(\.self)
        // The index is written when all its pages exist, and pages of the old one are removed afterwards.
        var printed = ListPrinter.Printed()
        for number in (1...index.pages).reversed() {
            let (page, counts) = try await indexPage(number, of: index, list, by: grouping, entries)
            try folder.write(page, to: PageIndex.file(number))
            printed.posts += counts.posts
            printed.unread += counts.unread
        }
        try folder.finish(files)
        let failures = errors.filter { if case LibraryError.postNotStored = $0 { false } else { true } }
        return Report(printed: printed, notStored: errors.count - failures.count, failures: failures)
    }

    private func entries(of list: PostList) async throws -> [Entry] {
        var entries: [Entry] = []
        var names: Set<String> = []
        for try await post in list.posts {
            var name = PageName.of(post.id, title: post.metadata.title)
            while !names.insert(name).inserted { name = "x-" + name }
            let home = PageIndex.file(entries.count / Self.pageSize + 1)
            entries.append(Entry(listed: post, name: name, home: home))
        }
        return entries
    }

    private func indexPage(
        _ number: Int, of index: PageIndex, _ list: PostList, by grouping: Grouping?, _ entries: [Entry]
    ) async throws -> (String, ListPrinter.Printed) {
        let entries = entries[index.posts(ofPage: number)]
        let files = Dictionary(entries.map { ($0.post, $0.file) }) { first, _ in first }
        let output = TextBuffer()
        let printer = ListPrinter(maker.presentation, embedded: maker.embedded, by: nil, to: output) { post in
            var record = maker.presentation.record(post)
            record.page = files[post.id]
            return record
        }
        let part = list.part(entries.map(\.listed), groups: index.groups(ofPage: number))
        let printed = try await printer.print(part, with: maker.listPage(number, of: index, title: title))
        return (await output.text, printed)
    }

    /// How many posts an index page lists: browsers show 200 in a fifth of a second, and 3,000 in four times that.
    private static let pageSize = 200

    /// Writes the page of a post; returns the reason why its body is missing, if there should be one.
    private func writePage(_ index: Int, _ entries: [Entry]) async throws -> (any Error)? {
        let entry = entries[index]
        let source = entry.post.source
        let navigation = PageNavigation(
            home: PageLink(file: "../" + entry.home, title: title),
            previous: index > 0 ? entries[index - 1].link : nil,
            next: index + 1 < entries.count ? entries[index + 1].link : nil)
        do {
            let read = try await read(entry.post)
            let page = try await maker.page(read, of: source, navigation: navigation, isOffline: true)
            try folder.write(page, to: entry.file)
            return nil
        } catch let error where error is OutputError || error is StoreError || error is CancellationError {
            throw error
        } catch {
            try folder.write(
                try maker.summary(entry.metadata, of: source, navigation: navigation), to: entry.file)
            if case SourceError.noBody = error { return nil }
            return error
        }
    }

    /// A post, with its article only if that is stored: otherwise the pages of one host would be requested all at once.
    private func read(_ post: PostID) async throws -> ReadResult {
        let (library, articles) = (maker.presentation.library, maker.presentation.articles)
        let read = try await library.read(post)
        guard read.article == nil else { return read }
        let choice = try await library.reading.articles.choice(articles, for: post.source)
        return choice == .never
            ? read : try await library.offline.reading.articles.adding(article: choice, to: read, post)
    }

    /// The same number of bodies as a sync fetches at a time.
    private static let maxConcurrent = 4
}
