// Lists the posts of a blog by author, and shows how the newest begins: ReadTheAPI http://localhost:8106
import BlogKit
import Foundation

guard CommandLine.arguments.count == 2, let api = BlogAPI(address: CommandLine.arguments[1], timeout: 10) else {
    exit(2)
}

let list = try await api.list()
for record in list.rejected { print("Left out record \(record.index): \(record.field) \(record.reason)") }

for group in list.posts.sorted(by: .title).grouped(by: .author) {
    print(group.name)
    for post in group.posts { print("  \(post.publishDate.utc)  \(post.title)") }
}

if let newest = list.posts.sorted(by: .date).first {
    let post = try await api.post(postId: newest.postId)
    print("\n\(post.metadata.title)\n\n\(post.body.prefix(100))…")
}
