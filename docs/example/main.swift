// Three uses of BlogKit: the blog API without a store; a feed and a page that are there already; and a blog or a feed whose
// posts are kept and searched.
//
//     BlogExample
//     BlogExample http://localhost:8106
//     BlogExample mocks/data/feeds/feed.xml mocks/data/hackernews/pages/two-clocks.html
//     BlogExample http://localhost:8106/feeds/saltmarsh/ posts.sqlite3 curlews
import BlogKit
import Foundation

/// The code in README.md.
func listSamples() async throws {
    guard let api = BlogAPI(address: "http://localhost:8106") else { fatalError("not an address") }
    for post in try await api.list().posts { print(post.publishDate.utc, post.safeTitle) }
}

/// Lists the posts of a blog by author, and shows how the newest begins.
func readAPI(at address: String) async throws {
    guard let api = BlogAPI(address: address, timeout: 10) else { exit(2) }

    let list = try await api.list()
    for record in list.rejected { print("Left out record \(record.index): \(record.field) \(record.reason)") }

    for group in list.posts.sorted(by: .title).grouped(by: .author) {
        print(group.name)
        for post in group.posts { print("  \(post.publishDate.utc)  \(post.safeTitle)") }
    }

    if let newest = list.posts.sorted(by: .date).first {
        let post = try await api.post(postId: newest.postId)
        print("\n\(post.metadata.safeTitle)\n\n\(post.safeText.prefix(100))…")
    }
}

/// Shows the posts of a feed, and how the article of a page begins.
func read(feed file: URL, page: URL) throws {
    let feed = try Feed(Data(contentsOf: file), from: file)
    print(feed.safeTitle ?? "Untitled")
    for post in feed.posts { print("  \(post.metadata.publishDate.utc)  \(post.metadata.safeTitle)") }

    let article = try Article(html: Data(contentsOf: page), at: page)
    print("\n\(article.safeTitle ?? "Untitled")\n\n\(article.markdown.prefix(100))…")
}

/// Follows a blog or a feed, lists its unread posts, and shows how those with some words begin.
func keepPosts(of address: String, in store: String, about words: String) async throws {
    let library = try Library(storePath: store)
    let followed = try await library.follow(address)
    print("Following \(followed.name): \(followed.posts) posts")

    let unread = Query(filter: Filter(isUnread: true), arrangement: Arrangement(sorting: .title))
    for try await post in try await library.list(unread, in: .everything).posts {
        print("  \(post.metadata.safeTitle)")
    }

    _ = try await library.sync(SyncOptions(limit: 10))
    let search = Query(arrangement: Arrangement(sorting: .relevance), limit: 3, words: words)
    for try await found in try await library.search(search, in: .sources([followed.source])).posts {
        let post = try await library.read(found.id).post
        print("\n\(post.metadata.safeTitle)\n\n\(post.safeText.prefix(100))…")
    }
}

let arguments = CommandLine.arguments
switch arguments.count {
case 1: try await listSamples()
case 2: try await readAPI(at: arguments[1])
case 3: try read(feed: URL(filePath: arguments[1]), page: URL(filePath: arguments[2]))
case 4: try await keepPosts(of: arguments[1], in: arguments[2], about: arguments[3])
default: exit(2)
}
