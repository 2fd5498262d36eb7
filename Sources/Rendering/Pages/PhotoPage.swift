import Foundation
import Markup
import Model

/// A photo on a page of its own: the picture, who took it, with what and where, and what else is known.
struct PhotoPage {
    let record: Record
    let photo: Photo
    let options: PageOptions

    private var metadata: PostMetadata { record.metadata }

    /// All of it but the heading above and the comments.
    ///
    /// - Parameter description: what the photographer says of it, as HTML of the page.
    func text(description: PageText) -> PageText {
        """
        \(picture)\(description)\(photographer)<div class="tables">
        \(camera)\(place)\(others)</div>

        """
    }

    /// The largest picture, which leads to itself, so that it can be seen whole.
    private var picture: PageText {
        guard let largest = photo.pictures.last,
            let address = PagePictures.address(largest.url, base: record.server)
        else { return "" }
        let name = metadata.title.isEmpty ? "Untitled" : metadata.title
        guard let source = options.pictures.source(largest.url, base: record.server) else {
            return "<p><a class=\"picture\" href=\"\(address)\">\(name)</a></p>\n"
        }
        return """
            <figure class="shown"><a href="\(address)"><img src="\(source)" alt="\(name)"></a></figure>

            """
    }

    private var photographer: PageText {
        let author = metadata.author
        let account = photo.photographer?.username.flatMap { $0 == author.name ? nil : $0 }
        let home = [photo.photographer?.city, photo.photographer?.country].compactMap { $0 }.filter { !$0.isEmpty }
        let rest = (account.map { ["@\($0)"] } ?? []) + (home.isEmpty ? [] : [home.joined(separator: ", ")])
        return """
            <div class="by photographer">
            \(PageAvatar.text(record, options.pictures))
            <p><span class="author">\(author.name)</span><br><span class="facts">\(rest.joined(separator: " · "))</span></p>
            </div>

            """
    }

    private var facts: PhotoFacts? { PhotoFacts(metadata, date: options.dates.long) }
    private var camera: PageText { table("Camera", facts?.camera ?? []) }
    private var others: PageText { table("Facts", facts?.others ?? []) }

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

    /// "" where nothing is known.
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

/// What is known of a post, in a line below its title.
struct PageFacts {
    let record: Record
    let options: PageOptions

    private var metadata: PostMetadata { record.metadata }
    private var isPerson: Bool { DiscussionFacts.isPerson(metadata) }

    /// The facts of a post in a list.
    var ofCard: PageText {
        let name: PageText = "<span class=\"author\">\(metadata.author.name)</span>"
        return Self.line((isPerson ? [] : [name]) + source + common + changed + [id])
    }

    /// The facts of a post on its own page, but for its author.
    var ofPage: PageText {
        let parent = metadata.discussion?.parent.map { ["reply to \($0)" as PageText] } ?? []
        return Self.line(source + common + parent + site + [id])
    }

    static func line(_ facts: [PageText]) -> PageText { facts.joined(separator: " <span class=\"dot\">·</span> ") }

    /// A moment for people, and for programs.
    func time(_ timestamp: Timestamp) -> PageText {
        "<time datetime=\"\(timestamp.utc)\">\(options.dates.long(timestamp))</time>"
    }

    private var source: [PageText] {
        record.shownTitle.map { ["<span class=\"source\" lang=\"und\">\($0)</span>"] } ?? []
    }

    private var common: [PageText] {
        let date = isPerson ? "since \(time(metadata.publishDate))" : time(metadata.publishDate)
        return (metadata.publishDate.isKnown ? [date] : []) + counts + DiscussionFacts.kind(metadata).map { "\($0)" }
    }

    /// Points and comments, the latter leading to where they are.
    private var counts: [PageText] {
        DiscussionFacts.counts(metadata).map { count in
            guard count.contains("comment"), let page = record.discussionPage else { return "\(count)" }
            return "<a href=\"\(page)\">\(count)</a>"
        }
    }

    private var changed: [PageText] { record.changed.map { ["changed \(time($0))"] } ?? [] }

    /// Where the original is.
    private var site: [PageText] {
        guard let link = metadata.link.flatMap({ LinkTarget.safe($0) }) else { return [] }
        return ["<a href=\"\(link)\">\(DiscussionFacts.site(metadata) ?? link)</a>"]
    }

    private var id: PageText { "<span class=\"id\">\(metadata.id)</span>" }
}

/// A photo in a grid: a square with the name at the bottom and the rating in the top right corner.
struct PhotoCell {
    let record: Record
    let pictures: PagePictures

    var text: PageText {
        guard let target = record.target ?? picture else { return "<li><div class=\"cell\">\(inner)</div></li>\n" }
        return "<li><a class=\"cell\" href=\"\(target)\">\(inner)</a></li>\n"
    }

    private var photo: Photo? { record.metadata.photo }

    private var inner: PageText {
        let name = record.metadata.title
        return "\(image)\(rating)<span class=\"name\" lang=\"und\">\(name.isEmpty ? "Untitled" : name)</span>"
    }

    /// The largest picture's own address.
    private var picture: String? { photo?.pictures.last.flatMap { PagePictures.address($0.url, base: record.server) } }

    private var image: PageText {
        let source = photo?.pictures.first.flatMap { pictures.source($0.url, base: record.server) }
        guard let source else { return "" }
        // The name stands below it, so it is read out once.
        let style: PageText = photo?.isAdult == true ? " class=\"adult\"" : ""
        return "<img\(style) src=\"\(source)\" alt=\"\" loading=\"lazy\">"
    }

    private var rating: PageText {
        guard let rating = PhotoFacts.text(rating: photo?.rating) else { return "" }
        return "<span class=\"rating\"><span class=\"unseen\">rated </span>\(rating)</span>"
    }
}
