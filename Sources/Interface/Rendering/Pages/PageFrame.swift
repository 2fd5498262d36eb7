import BlogEssentials
import BlogMarkup
import BlogModel

/// The HTML around the content of a page.
struct PageFrame {
    let options: PageOptions
    /// Whether ``PageScript/folding`` may run.
    var hasScript = false

    /// The HTML before the content, whose element stays open.
    ///
    /// - Parameters:
    ///   - header: the HTML above the content.
    ///   - contents: a table of contents above it; "" for none.
    func head(title: String, header: PageText = "", contents: PageText = "") -> PageText {
        let skip: PageText = contents.isEmpty ? "" : "<a class=\"skip\" href=\"#content\">Skip to the posts</a>\n"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta name="generator" content="blog">
            <title>\(title)</title>
            <link rel="icon" href="data:,">
            <style>
            \(PageStyle.css)</style>
            </head>
            <body>
            \(skip)\(header)\(contents)<main id="content" tabindex="-1">

            """
    }

    func foot(_ text: PageText = "") -> PageText {
        let footer: PageText = text.isEmpty ? "" : "<footer>\(text)</footer>\n"
        return "</main>\n\(footer)</body>\n</html>\n"
    }

    /// Forms, frames, fonts and all other scripts are never allowed.
    private var policy: PageText {
        let pictures: PageText = options.pictures.areLinked ? "https: http: data:" : "data:"
        let script: PageText = hasScript ? " script-src '\(PageScript.digest)';" : ""
        return """
            default-src 'none'; img-src \(pictures); style-src 'unsafe-inline';\(script) base-uri 'none'; form-action 'none'
            """
    }
}

/// How pages are shown.
package struct PageOptions: Sendable {
    let dates: DateText
    let pictures: PagePictures
    let map: @Sendable (_ location: Coordinates, _ title: String) -> PageText
    let command: @Sendable (_ id: String) -> String
    /// The title of the feed or the list; nil if unknown.
    package var site: String?

    /// - Parameters:
    ///   - command: the command that reads a post.
    ///   - map: a small map with a marked location; "" for none.
    package init(
        dates: DateText, pictures: PagePictures = .linked,
        command: @escaping @Sendable (_ id: String) -> String,
        map: @escaping @Sendable (_ location: Coordinates, _ title: String) -> PageText = { _, _ in "" }
    ) {
        self.dates = dates
        self.pictures = pictures
        self.command = command
        self.map = map
    }

    /// The title of a page in the browser, with that of its feed or list.
    func title(_ title: String, of feed: String? = nil) -> String {
        guard let feed = feed ?? site, feed != title else { return title }
        return "\(title) – \(feed)"
    }

    /// A date for readers and for programs.
    func time(_ timestamp: Timestamp) -> PageText {
        "<time datetime=\"\(timestamp.utc)\">\(dates.long(timestamp))</time>"
    }
}

/// The facts about a post, on a line below its title.
struct PageFacts {
    let record: Record
    let options: PageOptions

    private var metadata: PostMetadata { record.metadata }
    private var isUser: Bool { metadata.isUser }

    /// The facts of a post in a list.
    var ofCard: PageText {
        let name: PageText = "<span class=\"author\">\(metadata.author.name)</span>"
        return Self.line((isUser ? [] : [name]) + source + common + changed + labels + alsoIn + [id])
    }

    private var alsoIn: [PageText] { record.alsoIn.map { ["\($0)"] } ?? [] }

    private var labels: [PageText] {
        let labels = record.state?.labels ?? []
        return labels.isEmpty ? [] : ["labels: \(labels.joined(separator: ", "))"]
    }

    /// The facts of a post on its own page, without its author.
    var ofPage: PageText {
        let parent = metadata.discussion?.parent.map { ["reply to \($0)" as PageText] } ?? []
        return Self.line(source + common + parent + site + labels + alsoIn + [id])
    }

    static func line(_ facts: [PageText]) -> PageText { facts.joined(separator: " <span class=\"dot\">·</span> ") }

    private var source: [PageText] {
        record.shownTitle.map { ["<span class=\"source\" lang=\"und\">\($0)</span>"] } ?? []
    }

    private var common: [PageText] {
        let date = isUser ? "since \(options.time(metadata.publishDate))" : options.time(record.listDate)
        return (metadata.publishDate.isKnown ? [date] : []) + counts + DiscussionFacts.kind(metadata).map { "\($0)" }
    }

    /// Points and comments, with a link to the discussion.
    private var counts: [PageText] {
        DiscussionFacts.counts(metadata).map { count in
            guard count.contains("comment"), let page = record.discussionPage else { return "\(count)" }
            return "<a href=\"\(page)\">\(count)</a>"
        }
    }

    private var changed: [PageText] { record.changed.map { ["changed \(options.time($0))"] } ?? [] }

    /// A link to the original.
    private var site: [PageText] {
        guard let link = metadata.safeLink else { return [] }
        return ["<a href=\"\(link)\">\(DiscussionFacts.site(metadata) ?? link)</a>"]
    }

    private var id: PageText { "<span class=\"id\">\(metadata.id)</span>" }
}

extension PostMetadata {
    /// The title, or if it is empty, the first words of the summary or else of another text.
    package func pageTitle(_ text: () -> String = { "" }) -> String {
        let title = Sanitizer.line(title)
        if !title.trimmed.isEmpty { return title }
        let lines = [summary ?? "", text()].map { TextLayout.wrap(Sanitizer.line($0), width: Self.maxFirstWords) }
        guard let words = lines.first(where: { !($0.first ?? "").isEmpty }), let first = words.first else {
            return "Untitled"
        }
        return words.count > 1 ? first + "…" : first
    }

    private static let maxFirstWords = 60
}

extension Record {
    /// The title on pages.
    var pageTitle: String {
        metadata.pageTitle { BodyText.plainText(of: String((body ?? "").prefix(2000)), format: bodyFormat) }
    }
}

/// The only script that a page may run; without it, only two buttons are missing.
enum PageScript {
    /// Adds buttons that fold and unfold all comments of a thread.
    static let folding: PageText = """
        <script>{const s=document.currentScript,p=document.createElement("p");p.className="folding";\
        for(const t of["Fold all","Unfold all"]){const b=document.createElement("button");b.type="button";b.textContent=t;\
        b.onclick=()=>{for(const d of s.parentElement.querySelectorAll(".replies>li>details"))d.open=t!="Fold all"};\
        p.append(b)}s.before(p)}</script>

        """

    /// The digest of the script for the Content-Security-Policy.
    static let digest: PageText = "sha256-Bme/Vx4CMRG7aE0hhh5rCMBA8caRbdN/xvjWvUMlP4s="
}
