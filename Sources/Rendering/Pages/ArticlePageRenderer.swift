import Foundation
import Markup
import Model

/// Posts to be read, as a page: each with its title, author and date, its body, and its comments.
///
/// A body is needed whole, as any of its elements may end anywhere.
package struct ArticlePageRenderer: Renderer {
    private let options: PageOptions
    private let marked: MarkedWords
    private var thread: CommentNest
    /// How many posts were written.
    private var count = 0

    /// - Parameter marked: the words to mark in the text.
    package init(_ options: PageOptions, marked: MarkedWords = MarkedWords()) {
        self.options = options
        self.marked = marked
        thread = CommentNest(options: options, marked: marked)
    }

    package mutating func record(_ record: Record) -> StyledText { StyledText(article(record).html) }

    package mutating func summary(_ record: Record) -> StyledText {
        var record = record
        (record.body, record.bodyFormat) = (record.metadata.summary ?? "", .plain)
        return StyledText(article(record, note: "<p class=\"note\">The text of this post is not stored.</p>\n").html)
    }

    package mutating func thread(_ record: Record) -> StyledText {
        StyledText((article(record) + thread.start(on: record)).html)
    }

    package mutating func comment(_ comment: Comment) -> StyledText { StyledText(thread.add(comment).html) }

    package mutating func endThread() -> StyledText { StyledText(thread.end().html) }

    package mutating func end() -> StyledText {
        let start = count == 0 ? start(title: "No posts") + "<p class=\"none\">No posts.</p>\n" : ""
        return StyledText((start + PageFrame(options: options).foot()).html)
    }

    // MARK: A post

    /// What comes before the first post, after which the page is called.
    private func start(title: String) -> PageText {
        PageFrame(options: options).head(title: Sanitizer.line(title), name: "text")
    }

    private mutating func article(_ record: Record, note: PageText = "") -> PageText {
        let start = count == 0 ? start(title: record.metadata.title) : ""
        count += 1
        let body = body(record)
        let content =
            record.metadata.photo.map { PhotoPage(record: record, photo: $0, options: options).text(description: body) }
            ?? body
        let kind: PageText = record.metadata.photo == nil ? "post" : "photo"
        return
            "\(start)<article class=\"\(kind)\">\n\(ArticlePageHead(record: record, options: options).text)\(note)\(content)\(foot(record))</article>\n"
    }

    private func body(_ record: Record) -> PageText {
        let metadata = record.metadata
        let document = BodyText.document(of: metadata, body: record.body ?? "", format: record.bodyFormat)
        // What is discussed is elsewhere; of any other post the link is its own page.
        let base = metadata.discussion == nil ? metadata.link.flatMap { URL(string: $0) } ?? record.site : nil
        var printer = PagePrinter(
            options.pictures, linkBase: base, pictureBase: base ?? record.server, marked: marked, below: 1)
        let text = printer.text(document, anchors: "p\(count)-")
        return text.isEmpty ? "" : "<div class=\"body\" lang=\"und\">\n\(text)</div>\n"
    }

    /// What the post is filed under, and who its author is where that takes sentences.
    private func foot(_ record: Record) -> PageText {
        let tags = record.metadata.article?.tags ?? []
        let items = tags.map { tag -> PageText in "<li>\(tag)</li>" }
        let list: PageText =
            tags.isEmpty ? "" : "<ul class=\"tags\" aria-label=\"Tags\" lang=\"und\">\(items.joined())</ul>\n"
        let author = record.metadata.author
        let role = author.title ?? ""
        let about: PageText =
            role.isEmpty || Byline.text(author) != Sanitizer.line(author.name)
            ? "" : "<p class=\"role\" lang=\"und\">\(role)</p>\n"
        return about.isEmpty && list.isEmpty ? "" : "<footer>\n\(list)\(about)</footer>\n"
    }
}

/// What stands above a body: its title, who wrote it and when, and where the original is.
struct ArticlePageHead {
    let record: Record
    let options: PageOptions

    var text: PageText {
        let metadata = record.metadata
        let title: PageText = metadata.title.isEmpty ? "Untitled" : "\(metadata.title)"
        return "<header>\n<h1 lang=\"und\">\(title)</h1>\n\(metadata.photo == nil ? byline : "")</header>\n"
    }

    private var byline: PageText {
        let metadata = record.metadata
        let facts = PageFacts(record: record, options: options).ofPage
        let name: PageText =
            DiscussionFacts.isPerson(metadata)
            ? "" : "<span class=\"author\">\(Byline.text(metadata.author))</span><br>"
        return """
            <div class="by">
            \(PageAvatar.text(record, options.pictures))
            <p>\(name)<span class="facts">\(facts)</span></p>
            </div>

            """
    }
}
