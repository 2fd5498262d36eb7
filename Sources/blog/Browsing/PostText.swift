import BlogLibrary
import Essentials
import Model
import Rendering
import Terminal

/// The text of a post as `blog read` writes it into a pipe.
struct PostText {
    let session: Session
    let now: Date

    func text(of post: PostID) async throws -> String {
        let output = TextBuffer()
        let capabilities = try await session.library.capabilities(in: .sources([post.source]))
        var printer = PostPrinter(
            ReadingStyle.plainRenderer(for: capabilities, session.appearance, now: now), in: session.presentation,
            embedded: nil, to: output)
        let read = try await printer.read(post)
        try await printer.print(read, of: post.source, comments: CommentSelection())
        try await printer.finish()
        return await output.text
    }
}
