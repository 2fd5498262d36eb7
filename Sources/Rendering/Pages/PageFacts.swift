import Foundation
import Markup
import Model

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
