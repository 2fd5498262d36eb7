import Markup
import Model

/// A post in a list: its author's picture, its title, and what is known of it.
struct PageCard {
    let record: Record
    let options: PageOptions
    /// The level of its title's heading.
    let level: Int

    private var metadata: PostMetadata { record.metadata }

    var text: PageText {
        """
        <li class="card\(isRead ? " read" : "")">
        \(PageAvatar.text(record, options.pictures))
        <div class="about">
        <h\(level) lang="und">\(rank)\(title)\(site)\(marks)</h\(level)>
        <p class="facts">\(PageFacts(record: record, options: options).ofCard)</p>
        \(story)\(summary)</div>
        \(thumbnail)</li>

        """
    }

    private var isRead: Bool { record.state?.isRead == true }

    private var rank: PageText { record.rank.map { "<span class=\"rank\">\($0).</span> " } ?? "" }

    private var title: PageText {
        let name: PageText = metadata.title.isEmpty ? "Untitled" : "\(metadata.title)"
        return record.target.map { "<a href=\"\($0)\">\(name)</a>" } ?? name
    }

    /// The site of what is discussed.
    private var site: PageText {
        guard metadata.discussion != nil else { return "" }
        return DiscussionFacts.site(metadata).map { " <span class=\"site\">(\($0))</span>" } ?? ""
    }

    private var marks: PageText {
        guard let state = record.state else { return "" }
        let unread: PageText = state.isRead ? "" : " <span class=\"unread\" role=\"img\" aria-label=\"unread\">●</span>"
        return unread + (state.isSaved ? " <span class=\"saved\" role=\"img\" aria-label=\"saved\">★</span>" : "")
    }

    /// The post that a comment is on.
    private var story: PageText { record.story.map { "<p class=\"story\">on “\($0.title)”</p>\n" } ?? "" }

    /// What the post is about: where the search terms stand, or the summary.
    private var summary: PageText {
        if let snippet = record.snippet {
            let pieces = snippet.pieces.map { piece -> PageText in
                piece.isHit ? "<mark>\(piece.text)</mark>" : "\(piece.text)"
            }
            return "<p class=\"summary\" lang=\"und\">\(pieces.joined())</p>\n"
        }
        guard let summary = metadata.summary, !summary.isEmpty else { return "" }
        return "<p class=\"summary\" lang=\"und\">\(summary)</p>\n"
    }

    /// A picture that stands for the post.
    private var thumbnail: PageText {
        let address = metadata.photo?.pictures.first?.url ?? metadata.article?.image
        guard let source = address.flatMap({ options.pictures.source($0, base: record.server) }) else { return "" }
        return "<span class=\"thumbnail\"><img src=\"\(source)\" alt=\"\" loading=\"lazy\"></span>\n"
    }
}

extension Record {
    /// Where a click on it in a list leads: to its page in the same folder, else to what it is about, else to where it is
    /// discussed; nil if nowhere.
    var target: String? {
        page ?? metadata.link.flatMap { LinkTarget.safe($0) } ?? discussionPage
    }
}
