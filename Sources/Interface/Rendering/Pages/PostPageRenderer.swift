import BlogEssentials
import BlogMarkup
import BlogModel

/// Renders posts as a page, each with its title, author and date, body and comments.
///
/// Bodies must be in memory, because any element may end anywhere.
package struct PostPageRenderer: PostRenderer {
    private let options: PageOptions
    private let marked: MarkedWords
    private var thread: CommentNest
    /// The number of posts so far.
    private var count = 0

    /// - Parameter marked: the words to mark in the text.
    package init(_ options: PageOptions, marked: MarkedWords = MarkedWords()) {
        self.options = options
        self.marked = marked
        thread = CommentNest(options: options, marked: marked)
    }

    package mutating func post(_ record: Record, _ emit: (StyledText) throws -> Void) throws {
        let comments = record.hasThread ? thread.start(on: record) : ""
        try emit(StyledText((article(record) + comments).html))
    }

    package mutating func comment(_ comment: Comment) -> StyledText { StyledText(thread.add(comment).html) }

    package mutating func endThread() -> StyledText { StyledText(thread.end().html) }

    package mutating func end() -> StyledText {
        let start: PageText =
            count == 0
            ? PageFrame(options: options).head(title: "No posts") + "<p class=\"none\">No posts.</p>\n"
            : ""
        return StyledText((start + PageFrame(options: options).foot()).html)
    }

    // MARK: A post

    private mutating func article(_ record: Record) -> PageText {
        let title = options.title(record.pageTitle, of: record.sourceTitle)
        let start = count == 0 ? PageFrame(options: options, hasScript: true).head(title: title) : ""
        count += 1
        let body = body(record)
        let content =
            record.metadata.photo.map { PhotoPage(record: record, photo: $0, options: options).text(description: body) }
            ?? body
        let kind: PageText = record.metadata.photo == nil ? "post" : "photo"
        let note: PageText =
            record.isSummary ? "<p class=\"note\">The body of this post is not stored.</p>\n" : ""
        return
            "\(start)<article class=\"\(kind)\">\n\(head(record))\(note)\(content)\(foot(record))</article>\n"
    }

    /// The title, and unless it is a photo, the author and facts.
    private func head(_ record: Record) -> PageText {
        let byline = record.metadata.photo == nil ? byline(record) : ""
        let language = Language(tag: record.metadata.entry?.language).attributesOfLine
        return "<header>\n<h1\(language)>\(record.pageTitle)</h1>\n\(byline)</header>\n"
    }

    private func byline(_ record: Record) -> PageText {
        let metadata = record.metadata
        let article = LinkedArticleFacts(record) { String($0.utc.prefix(10)) }
        let facts = article.map { facts -> PageText in "<br>Article: \(PageFacts.line(facts.texts.map { "\($0)" }))" }
        let name: PageText =
            metadata.isUser
            ? "" : "<span class=\"author\">\(metadata.author.byline)</span><br>"
        return """
            <div class="by">
            <p>\(name)<span class="facts">\(PageFacts(record: record, options: options).ofPage)\(facts ?? "")</span></p>
            </div>

            """
    }

    private func body(_ record: Record) -> PageText {
        var printer = PagePrinter(
            options.pictures, linkBase: record.pageBase, pictureBase: record.pictureBase,
            isDirected: record.language.isRightToLeft, below: 1, marking: marked.html)
        let text = printer.text(record.document, anchors: "p\(count)-")
        return text.isEmpty ? "" : "<div class=\"body\"\(record.language.attributesOfText)>\n\(text)</div>\n"
    }

    /// The tags, and the author's role if it is too long for the byline.
    private func foot(_ record: Record) -> PageText {
        let tags = record.metadata.entry?.tags ?? []
        let items = tags.map { tag -> PageText in "<li>\(tag)</li>" }
        let list: PageText =
            tags.isEmpty ? "" : "<ul class=\"tags\" aria-label=\"Tags\" lang=\"und\">\(items.joined())</ul>\n"
        let author = record.metadata.author
        let role = author.title ?? ""
        let about: PageText =
            role.isEmpty || author.byline != Sanitizer.line(author.name)
            ? "" : "<p class=\"role\" lang=\"und\">\(role)</p>\n"
        return about.isEmpty && list.isEmpty ? "" : "<footer>\n\(list)\(about)</footer>\n"
    }
}

/// Writes the page of a photo: the picture, the photographer, the camera, the location and other facts.
struct PhotoPage {
    let record: Record
    let photo: Photo
    let options: PageOptions

    private var metadata: PostMetadata { record.metadata }

    /// - Parameter description: the photographer's description.
    func text(description: PageText) -> PageText {
        let facts = PhotoFacts(metadata, date: options.dates.long)
        return """
            \(picture)\(description)\(photographer)<div class="tables">
            \(table("Camera", facts?.camera ?? []))\(place)\(table("Details", facts?.others ?? []))</div>

            """
    }

    /// The largest picture, with a link to its file.
    private var picture: PageText {
        guard let address = record.largestPicture else { return "" }
        let name = record.pageTitle
        guard let source = options.pictures.source(address) else {
            return "<p><a class=\"picture\" href=\"\(address)\">\(name)</a></p>\n"
        }
        return """
            <figure class="shown"><a href="\(address)"><img src="\(source)" alt="\(name)"></a></figure>

            """
    }

    private var photographer: PageText {
        let author = metadata.author
        let account = photo.photographer?.username.flatMap { $0 == author.name ? nil : $0 }
        let home = photo.photographer?.home ?? ""
        let rest = (account.map { ["@\($0)"] } ?? []) + (home.isEmpty ? [] : [home])
        return """
            <div class="by photographer">
            <p><span class="author">\(author.name)</span><br><span class="facts">\(rest.joined(separator: " · "))</span></p>
            </div>

            """
    }

    private var place: PageText {
        guard let place = photo.place, place.name != nil || place.coordinates != nil else { return "" }
        let name: PageText = place.name.map { "<p class=\"place\" lang=\"und\">\($0)</p>\n" } ?? ""
        return "<section class=\"where\"><h2>Place</h2>\n\(name)\(place.coordinates.map(map) ?? "")</section>\n"
    }

    private func map(_ point: Coordinates) -> PageText {
        let words = point.text
        return """
            \(options.map(point, "Map of \(words)"))
            <p><a href="\(point.openStreetMapAddress)">\(words)</a> <span class="facts">OpenStreetMap</span></p>

            """
    }

    private func table(_ name: PageText, _ facts: [PhotoFacts.Fact]) -> PageText {
        guard !facts.isEmpty else { return "" }
        let rows = facts.map { fact -> PageText in
            "<tr><th scope=\"row\">\(fact.name)</th><td>\(value(fact))</td></tr>\n"
        }
        return "<section><h2>\(name)</h2>\n<table>\n\(rows.joined())</table></section>\n"
    }

    private func value(_ fact: PhotoFacts.Fact) -> PageText {
        guard fact.isLink else { return "\(fact.text)" }
        return "<a href=\"\(fact.text)\">\(DiscussionFacts.site(metadata) ?? fact.text)</a>"
    }
}

extension Record {
    /// The language of the body according to the article's page or the feed.
    var language: Language {
        guard let linkedArticle else { return Language(tag: metadata.entry?.language) }
        return Language(tag: linkedArticle.language.flatMap(Language.tag))
    }
}
