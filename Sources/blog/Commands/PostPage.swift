import BlogLibrary
import Foundation
import Model
import Rendering

/// A post as a page of its own.
struct PostPage {
    let session: Session
    let options: PageOptions
    /// Where its comments come from.
    let library: Library

    /// The page of a post that was read, with its comments.
    ///
    /// Throws a ``StoreError``.
    func text(_ read: ReadPost, of source: SourceID) async throws -> String {
        var renderer = ArticlePageRenderer(options)
        var record = session.shownOnPage(Record(read.post), of: source)
        record.site = try await session.library.site(of: source)
        await session.embedded?.prepare(source) {
            var probe = renderer
            _ = probe.record(record)
        }
        var text = renderer.start()
        guard read.post.metadata.isDiscussed else {
            return (text + renderer.record(record) + renderer.end()).plain
        }
        text += renderer.thread(record)
        for try await comment in try library.comments(on: read, of: source) {
            let shown = comment.mappingID { session.typedIDs.text(PostID(source: source, local: $0)) }
            text += renderer.comment(shown)
        }
        return (text + renderer.endThread() + renderer.end()).plain
    }

    /// The page of a post whose body can't be had.
    func summary(_ metadata: PostMetadata, of source: SourceID) -> String {
        var renderer = ArticlePageRenderer(options)
        let record = session.shownOnPage(Record(metadata), of: source)
        return (renderer.start() + renderer.summary(record) + renderer.end()).plain
    }
}
