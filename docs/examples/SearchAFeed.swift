// Follows a feed, and shows how its posts with some words begin: SearchAFeed STORE https://example.org/feed.xml words
import BlogKit
import Foundation

guard CommandLine.arguments.count == 4 else { exit(2) }

let library = try Library(storePath: CommandLine.arguments[1])
let feed = try await library.follow(CommandLine.arguments[2], as: "feed")

// The texts of a feed's posts come with it, so there is nothing to sync.
let words = Query(arrangement: Arrangement(sorting: .relevance), limit: 10, words: CommandLine.arguments[3])
for try await found in try await library.search(words, in: .sources([feed.source])).posts {
    let post = try await library.read(found.id).post
    print("\(post.metadata.publishDate.utc.prefix(10))  \(post.metadata.title)\n  \(post.plainText.prefix(70))")
}
