import Foundation
import Model
import Synchronization

/// The posts of a store one after the other, read when they are needed.
///
/// In a damaged store, posts that SQLite can't read are looked for on the pages of the file, and come last. Lost posts
/// are left out and counted in ``unreadable``. Iterating throws a ``StoreError``.
public struct ExportedPosts: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// The posts that were left out so far.
    public let unreadable: UnreadablePosts
    /// Nil for a store that can't be opened.
    private let store: PostStore?
    private let recovery: PageRecovery
    private var keys: ArraySlice<Int64>
    /// Posts that could not be read, or not whole.
    private var flawed: [Int64] = []
    /// The posts that are looked for on the pages; nil before that.
    private var sought: ArraySlice<Int64>?

    /// - Parameter keys: the posts; nil for those that are found on the pages.
    package init(
        store: PostStore?, recovery: PageRecovery, keys: [Int64]?, unreadable: UnreadablePosts = UnreadablePosts()
    ) {
        self.store = store
        self.recovery = recovery
        self.keys = keys?[...] ?? []
        self.unreadable = unreadable
        if keys == nil { unreadable.noteUnknown() }
    }

    /// An iterator that begins with the first post.
    public func makeAsyncIterator() -> ExportedPosts { self }

    /// The next post that can be read, or nil at the end.
    public mutating func next() async throws -> ExportedPost? {
        while let key = keys.popFirst() {
            if let post = try await soundPost(key) { return post }
            if await !isGone(key) { flawed.append(key) }
        }
        if sought == nil {
            let isListKnown = !unreadable.isCountUnknown
            sought = isListKnown ? flawed[...] : try await recovery.keys()[...]
        }
        while let key = sought?.popFirst() {
            if let post = try await recoveredPost(key) { return post }
        }
        return nil
    }

    /// The post with a key, if it is certainly complete.
    private func soundPost(_ key: Int64) async throws -> ExportedPost? {
        do {
            let post = try await store?.exported(key, withBody: true)
            return post?.mayLackPages == true ? nil : post
        } catch let error as StoreError where error.reason != .busy {
            unreadable.noteDamage()
            return nil
        }
    }

    /// Whether another process has deleted a post since the keys were read.
    private func isGone(_ key: Int64) async -> Bool { (try? await store?.hasPost(key)) == false }

    /// The post with a key as its pages have it, or else what SQLite can read of it.
    private func recoveredPost(_ key: Int64) async throws -> ExportedPost? {
        if let found = try await recovery.post(key) {
            if found.hasLostBody { unreadable.addBody() }
            return found.content
        }
        if let post = try? await store?.exported(key, withBody: false) {
            unreadable.addBody()
            return post
        }
        unreadable.addPost()
        return nil
    }
}

extension ExportedPost {
    /// Whether its body or article may lie on several pages and has zeros or invalid text, as lost pages are read.
    fileprivate var mayLackPages: Bool {
        [body?.text, article?.text].contains { text in
            guard let text, text.utf8.count > 2000 else { return false }
            return text.utf8.contains(0) || text.unicodeScalars.contains("\u{FFFD}")
        }
    }
}

/// How much of a damaged store an export could not read.
public final class UnreadablePosts: Sendable {
    private struct State {
        var posts = 0
        var bodies = 0
        var sources = 0
        var isDamaged = false
        var isCountUnknown = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Posts that were left out.
    public var posts: Int { state.withLock { $0.posts } }
    /// Bodies that were left out, of posts that were exported.
    public var bodies: Int { state.withLock { $0.bodies } }
    /// Sources that were left out, but for their posts.
    public var sources: Int { state.withLock { $0.sources } }
    /// Whether something could not be read in the usual way, although it may have been found in another.
    public var isDamaged: Bool { state.withLock { $0.isDamaged || $0.posts + $0.bodies + $0.sources > 0 } }
    /// Whether nothing tells how many posts there were.
    public var isCountUnknown: Bool { state.withLock { $0.isCountUnknown } }

    func addPost() { state.withLock { $0.posts += 1 } }

    func addBody() { state.withLock { $0.bodies += 1 } }

    package func addSources(_ count: Int) { state.withLock { ($0.sources, $0.isDamaged) = ($0.sources + count, true) } }

    func noteDamage() { state.withLock { $0.isDamaged = true } }

    func noteUnknown() { state.withLock { ($0.isDamaged, $0.isCountUnknown) = (true, true) } }
}

/// A post with its state, as it travels from one store to another.
///
/// As JSON it is an object with these names: `source`, `address`, `listed`, `read`, `saved`, `changedAt` (milliseconds
/// since 1970, UTC), `wordsChangedAt` where its words ever changed, `metadata` (the blog API's own shape) and, where
/// there is a body, `body`: `text`, `fetchedAt` (milliseconds) and `isCurrent`. Where there is an article behind its link,
/// `article` has `address`, `text`, `format`, `isComplete`, `fetchedAt` (milliseconds) and, where they are known,
/// `title`, `author`, `site`, `publishDate` and `language`.
public struct ExportedPost: Codable, Hashable, Sendable {
    package let source: String
    package let address: String
    package var listed: Bool
    package var read: Bool
    package var saved: Bool
    /// When the metadata, or whether it is listed, last changed.
    package var changedAt: Int64
    /// When its words last changed; nil if they never did.
    package var wordsChangedAt: Int64?
    /// Whether its id is a number that the store gave it; nil for false.
    package var numbered: Bool?
    package var metadata: PostMetadata
    package var body: Body?
    package var article: Article?

    package struct Body: Codable, Hashable, Sendable {
        package var text: String
        package let fetchedAt: Int64
        /// Whether the metadata has not changed since the body was fetched.
        package var isCurrent: Bool
        /// The format of the text; nil if its source didn't specify it.
        package var format: String?
    }

    /// Whether its times are in the years 1970 to 9999: a later one would win every merge.
    public var isPlausible: Bool {
        let years = Self.plausibleTimes
        return years.contains(changedAt) && wordsChangedAt.map(years.contains) ?? true
            && body.map { years.contains($0.fetchedAt) } ?? true
            && article.map { years.contains($0.fetchedAt) } ?? true
    }

    /// The milliseconds of the years 1970 to 9999.
    static let plausibleTimes = 0..<Int64(253_402_300_800_000)

    /// This post merged with another version of it, so that the order of the two doesn't matter.
    func merged(with other: ExportedPost) -> ExportedPost {
        let later = (changedAt, order(metadata)) < (other.changedAt, order(other.metadata)) ? other : self
        var merged = later
        merged.listed = changedAt == other.changedAt ? listed || other.listed : later.listed
        merged.read = read || other.read
        merged.saved = saved || other.saved
        merged.wordsChangedAt = [wordsChangedAt, other.wordsChangedAt].compactMap { $0 }.max()
        merged.body = [bodyWithin(later), other.bodyWithin(later)].compactMap { $0 }
            .max { ($0.fetchedAt, $0.text, $0.isCurrent ? 1 : 0) < ($1.fetchedAt, $1.text, $1.isCurrent ? 1 : 0) }
        merged.article = [article, other.article].compactMap { $0 }.max { $0.isBefore($1) }
        return merged
    }

    /// The body, which is outdated unless it belongs to the metadata that won.
    private func bodyWithin(_ winner: ExportedPost) -> Body? {
        var body = body
        if metadata != winner.metadata { body?.isCurrent = false }
        return body
    }

    /// Any order that both sides have in common will do.
    private func order(_ metadata: PostMetadata) -> String {
        let author = metadata.author
        return [
            metadata.title, metadata.publishDate.text, metadata.postId, metadata.summary ?? "", author.name,
            author.image ?? "", author.title ?? "", metadata.link ?? "", String(metadata.score ?? 0),
            String(metadata.commentCount ?? 0), metadata.discussion?.replies.joined(separator: " ") ?? "",
            metadata.discussion?.parent ?? "", metadata.discussion?.removal?.rawValue ?? "",
            (try? metadata.photo.map { try Details.photo($0).json() }) ?? "",
        ].joined(separator: "\u{0}")
    }
}

extension ExportedPost {
    /// The article behind a post's link.
    package struct Article: Codable, Hashable, Sendable {
        package let address: String
        package let title: String?
        package let author: String?
        package let site: String?
        package let publishDate: Timestamp?
        package let language: String?
        package let text: String
        package let format: BodyFormat
        package let isComplete: Bool
        package let fetchedAt: Int64

        package init(_ article: LinkedArticle) {
            address = article.address
            title = article.title
            author = article.author
            site = article.site
            publishDate = article.publishDate
            language = article.language
            text = article.body
            format = article.format
            isComplete = article.isComplete
            fetchedAt = article.fetchedAt.millisecondsSince1970
        }

        var linked: LinkedArticle {
            LinkedArticle(
                address: address, title: title, author: author, site: site, publishDate: publishDate,
                language: language, body: text, format: format, isComplete: isComplete,
                fetchedAt: Date(millisecondsSince1970: fetchedAt))
        }

        /// Whether a merge prefers another one: the one that was fetched later, or else by an order that both sides have
        /// in common.
        func isBefore(_ other: Article) -> Bool { (fetchedAt, order) < (other.fetchedAt, other.order) }

        private var order: String {
            [
                text, address, title ?? "", author ?? "", site ?? "", publishDate?.text ?? "", language ?? "",
                format.rawValue, String(isComplete),
            ].joined(separator: "\u{0}")
        }
    }
}
