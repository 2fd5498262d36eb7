import Essentials
import Markup
import Model

/// The HTML around the content of a page.
struct PageFrame {
    let options: PageOptions
    /// Whether ``PageScript/folding`` may run.
    var hasScript = false

    /// The beginning of a page, which leaves the element of the content open.
    ///
    /// - Parameters:
    ///   - title: the title in the browser.
    ///   - header: the HTML above the content.
    ///   - name: the kind of content, for the link that skips to it.
    func head(title: String, header: PageText = "", name: PageText) -> PageText {
        """
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
        <a class="skip" href="#content">Skip to the \(name)</a>
        \(header)\(around)<main id="content" tabindex="-1">

        """
    }

    /// The end of a page.
    func foot(_ text: PageText = "") -> PageText {
        let footer: PageText = text.isEmpty ? "" : "<footer>\(text)</footer>\n"
        return "</main>\n\(neighbours)\(footer)</body>\n</html>\n"
    }

    /// Forms, frames, fonts and all other scripts are never allowed.
    private var policy: PageText {
        let pictures: PageText = options.pictures.areLinked ? "https: http: data:" : "data:"
        let script: PageText = hasScript ? " script-src '\(PageScript.digest)';" : ""
        return """
            default-src 'none'; img-src \(pictures); style-src 'unsafe-inline';\(script) base-uri 'none'; form-action 'none'
            """
    }

    /// A link back to the list.
    private var around: PageText {
        guard let home = options.navigation.home else { return "" }
        return "<nav class=\"way\" aria-label=\"Up\"><a href=\"\(home.file)\">← \(home.title)</a></nav>\n"
    }

    /// Links to the pages before and after this one.
    private var neighbours: PageText {
        let navigation = options.navigation
        guard navigation.previous != nil || navigation.next != nil else { return "" }
        let previous: PageText =
            navigation.previous.map { "<a rel=\"prev\" href=\"\($0.file)\"><span>← Previous</span> \($0.title)</a>" }
            ?? ""
        let next: PageText =
            navigation.next.map { "<a rel=\"next\" href=\"\($0.file)\"><span>Next →</span> \($0.title)</a>" } ?? ""
        return "<nav class=\"neighbours\" aria-label=\"Previous and next\">\(previous)\(next)</nav>\n"
    }
}

/// How pages are shown, and the pages around them.
package struct PageOptions: Sendable {
    let dates: DateText
    let pictures: PagePictures
    /// A small map with a mark on a place; "" for none.
    let map: @Sendable (_ place: Coordinates, _ title: String) -> PageText
    /// The command that reads a post with an id.
    let command: @Sendable (_ id: String) -> String
    /// The title of the feed, or of all that are listed; nil if unknown.
    package var site: String?
    /// The pages around it; empty for a page of its own.
    package var navigation = PageNavigation()

    package init(
        dates: DateText, pictures: PagePictures = .linked,
        command: @escaping @Sendable (_ id: String) -> String,
        map: @escaping @Sendable (_ place: Coordinates, _ title: String) -> PageText = { _, _ in "" }
    ) {
        self.dates = dates
        self.pictures = pictures
        self.command = command
        self.map = map
    }

    /// The title of a page in the browser, with that of the feed or the list it is of.
    func title(_ title: String, of feed: String? = nil) -> String {
        let feed = feed ?? site
        return feed == nil || feed == title ? title : "\(title) – \(feed ?? "")"
    }

    /// A date for readers and for programs.
    func time(_ timestamp: Timestamp) -> PageText {
        "<time datetime=\"\(timestamp.utc)\">\(dates.long(timestamp))</time>"
    }
}

/// Another page of the same folder.
package struct PageLink: Sendable {
    /// The path of its file, relative to the page with the link; only letters, digits, dashes and slashes.
    package let file: String
    package let title: String

    package init(file: String, title: String) {
        self.file = file
        self.title = title
    }
}

/// The pages around a page.
package struct PageNavigation: Sendable {
    /// The list that it belongs to.
    let home: PageLink?
    /// The pages before and after it in the list.
    let previous: PageLink?
    let next: PageLink?

    package init(home: PageLink? = nil, previous: PageLink? = nil, next: PageLink? = nil) {
        self.home = home
        self.previous = previous
        self.next = next
    }
}

/// The facts about a post, in a line below its title.
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

    /// The facts of a post on its own page, without its author.
    var ofPage: PageText {
        let parent = metadata.discussion?.parent.map { ["reply to \($0)" as PageText] } ?? []
        return Self.line(source + common + parent + site + [id])
    }

    static func line(_ facts: [PageText]) -> PageText { facts.joined(separator: " <span class=\"dot\">·</span> ") }

    private var source: [PageText] {
        record.shownTitle.map { ["<span class=\"source\" lang=\"und\">\($0)</span>"] } ?? []
    }

    private var common: [PageText] {
        let date = isPerson ? "since \(options.time(metadata.publishDate))" : options.time(metadata.publishDate)
        return (metadata.publishDate.isKnown ? [date] : []) + counts + DiscussionFacts.kind(metadata).map { "\($0)" }
    }

    /// Points and comments; the number of comments links to the discussion.
    private var counts: [PageText] {
        DiscussionFacts.counts(metadata).map { count in
            guard count.contains("comment"), let page = record.discussionPage else { return "\(count)" }
            return "<a href=\"\(page)\">\(count)</a>"
        }
    }

    private var changed: [PageText] { record.changed.map { ["changed \(options.time($0))"] } ?? [] }

    /// A link to the original.
    private var site: [PageText] {
        guard let link = metadata.link.flatMap({ LinkTarget.safe($0) }) else { return [] }
        return ["<a href=\"\(link)\">\(DiscussionFacts.site(metadata) ?? link)</a>"]
    }

    private var id: PageText { "<span class=\"id\">\(metadata.id)</span>" }
}

extension PostMetadata {
    /// The title; of a post without one, the first words of its summary, or else of a text.
    package func pageTitle(_ text: () -> String = { "" }) -> String {
        let title = Sanitizer.line(title)
        if !title.trimmed.isEmpty { return title }
        let lines = [summary ?? "", text()].map { TextLayout.wrap(Sanitizer.line($0), width: Self.firstWords) }
        guard let found = lines.first(where: { !($0.first ?? "").isEmpty }), let first = found.first else {
            return "Untitled"
        }
        return found.count > 1 ? first + "…" : first
    }

    /// How many columns the first words of a post have at most.
    private static let firstWords = 60
}

extension Record {
    /// The title on pages.
    var pageTitle: String {
        metadata.pageTitle { BodyText.plainText(of: String((body ?? "").prefix(2000)), format: bodyFormat) }
    }
}

/// The only script that a page may run: without it, only two buttons are missing.
enum PageScript {
    /// Makes buttons that fold and unfold all comments of the thread that it is in.
    static let folding: PageText = """
        <script>{const s=document.currentScript,p=document.createElement("p");p.className="folding";\
        for(const t of["Fold all","Unfold all"]){const b=document.createElement("button");b.type="button";b.textContent=t;\
        b.onclick=()=>{for(const d of s.parentElement.querySelectorAll(".replies>li>details"))d.open=t!="Fold all"};\
        p.append(b)}s.before(p)}</script>

        """

    /// The digest of its text, which the policy of a page allows instead of all scripts.
    static let digest: PageText = "sha256-Bme/Vx4CMRG7aE0hhh5rCMBA8caRbdN/xvjWvUMlP4s="
}
