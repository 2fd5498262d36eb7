// Follows a blog, and shows what its unread posts say about a word: KeepPosts STORE http://localhost:8106 word
import BlogKit
import Foundation

guard CommandLine.arguments.count == 4 else { exit(2) }

let library = try Library(storePath: CommandLine.arguments[1])
let followed = try await library.follow(CommandLine.arguments[2])
print("Following \(followed.name): \(followed.posts) posts")

let unread = Query(filter: Filter(isUnread: true), arrangement: Arrangement(sorting: .title))
for try await post in try await library.list(unread, in: .everything).posts { print("  \(post.metadata.title)") }

_ = try await library.sync(SyncOptions(limit: 10))
let words = Query(arrangement: Arrangement(sorting: .relevance), words: CommandLine.arguments[3])
for try await found in try await library.search(words).posts.prefix(1) {
    print("\n\(try await library.read(found.id).post.body)")
}
