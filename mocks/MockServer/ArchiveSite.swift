import Foundation
import Synchronization

/// Blogs whose feeds have their newest posts only, and lead to the older ones, at `/archives/wordpress` and so on.
public final class ArchiveSite: MockSite {
    /// How a feed leads to older posts.
    public enum Kind: String, CaseIterable, Sendable {
        /// Documents that never change (https://www.rfc-editor.org/rfc/rfc5005, section 4).
        case archived
        /// Pages of one document (https://www.rfc-editor.org/rfc/rfc5005, section 3).
        case paged
        /// `next_url` (https://www.jsonfeed.org/version/1.1/).
        case json
        /// `?paged=2`, which no link names; the page after the last doesn't exist.
        case wordpress
        /// Pages with the number of posts in all.
        case blogger
    }

    /// The number of posts, the newest with the highest number.
    private let posts: Mutex<Int>
    private let pageSize: Int
    /// Whether each page has the posts of the first.
    private let isStuck: Bool

    /// - Parameters:
    ///   - posts: the number of posts of each blog.
    ///   - isStuck: whether each page has the posts of the first, as of a server that ignores the query.
    public init(posts: Int = 60, pageSize: Int = 10, isStuck: Bool = false) {
        self.posts = Mutex(posts)
        (self.pageSize, self.isStuck) = (pageSize, isStuck)
    }

    /// Publishes more posts.
    public func publish(_ count: Int) { posts.withLock { $0 += count } }

    /// The response to a request; nil if the path isn't below `/archives`.
    public func response(to request: MockRequest) -> MockResponse? {
        let segments = request.segments
        guard segments.first == "archives" else { return nil }
        guard let kind = segments.dropFirst().first.flatMap(Kind.init), segments.count == 2,
            let page = Int(request.query["paged"] ?? request.query["page"] ?? "1"), page > 0
        else { return .error(404, "no such feed") }
        let newest = posts.withLock { $0 } - (isStuck ? 0 : (page - 1) * pageSize)
        guard newest > 0 else { return .error(404, "no such page") }
        let numbers = Array((max(newest - pageSize, 0) + 1...newest).reversed())
        let hasNext = isStuck || newest > pageSize
        let address = "http://\(request.headers["host"] ?? "localhost")/archives/\(kind.rawValue)"
        let next = hasNext && kind != .wordpress ? "\(address)?page=\(page + 1)" : nil
        let text = kind == .json ? json(numbers, address, next) : xml(kind, numbers, address, next)
        return MockResponse(
            headers: ["Content-Type": kind == .json ? "application/feed+json" : "application/xml"],
            body: .bytes(Data(text.utf8)))
    }

    private func xml(_ kind: Kind, _ numbers: [Int], _ address: String, _ next: String?) -> String {
        let relation = kind == .archived ? "prev-archive" : "next"
        let link = next.map { "<link xmlns=\"http://www.w3.org/2005/Atom\" rel=\"\(relation)\" href=\"\($0)\"/>" } ?? ""
        guard kind == .wordpress else {
            let total =
                kind == .blogger ? "<openSearch:totalResults>\(posts.withLock { $0 })</openSearch:totalResults>" : ""
            let entries = numbers.map {
                """
                <entry><id>\(address)/\($0)</id><title>\(Self.title($0))</title><link href="\(address)/\($0)"/>\
                <published>\(Self.date($0))</published><content type="html">&lt;p&gt;\(Self.text($0))&lt;/p&gt;</content></entry>
                """
            }
            return """
                <feed xmlns="http://www.w3.org/2005/Atom" xmlns:openSearch="http://a9.com/-/spec/opensearchrss/1.0/">\
                <title>Archive \(kind.rawValue)</title>\(total)\(link)\(entries.joined())</feed>
                """
        }
        let items = numbers.map {
            """
            <item><guid isPermaLink="false">\(address)/\($0)</guid><title>\(Self.title($0))</title><link>\(address)/\($0)</link>\
            <pubDate>\(ServedFile.httpDate(Self.time($0)))</pubDate><description>\(Self.text($0))</description></item>
            """
        }
        return """
            <rss version="2.0"><channel><title>Archive wordpress</title><link>\(address)/</link>\
            <generator>https://wordpress.org/?v=6.8</generator>\(items.joined())</channel></rss>
            """
    }

    private func json(_ numbers: [Int], _ address: String, _ next: String?) -> String {
        let items = numbers.map {
            """
            {"id":"\(address)/\($0)","url":"\(address)/\($0)","title":"\(Self.title($0))","date_published":"\(Self.date($0))",\
            "content_text":"\(Self.text($0))"}
            """
        }
        let link = next.map { "\"next_url\":\"\($0)\"," } ?? ""
        return """
            {"version":"https://jsonfeed.org/version/1.1","title":"Archive json",\(link)"items":[\(items.joined(separator: ","))]}
            """
    }

    private static func title(_ number: Int) -> String { "Post \(number)" }

    private static func text(_ number: Int) -> String {
        (0..<12).map { MadeUpWords.word(seed: number &* 31 &+ $0) }.joined(separator: " ") + " \(number)."
    }

    /// A post a day, from 1 January 2010 on.
    private static func time(_ number: Int) -> Date {
        Date(timeIntervalSince1970: 1_262_304_000 + Double(number) * 86_400)
    }

    private static func date(_ number: Int) -> String { time(number).ISO8601Format() }
}
