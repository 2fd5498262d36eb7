import Model

/// What stands around the content of a page.
struct PageFrame {
    let options: PageOptions

    /// Everything up to the content, whose element is open then.
    ///
    /// - Parameters:
    ///   - title: what the page is called in a browser.
    ///   - header: what stands above the content.
    ///   - name: what the content is, for who skips to it.
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
        \(PageMark.text)
        <title>\(title.isEmpty ? "Untitled" : title)</title>
        <link rel="icon" href="data:,">
        <style>
        \(PageStyle.css)</style>
        </head>
        <body>
        <a class="skip" href="#content">Skip to the \(name)</a>
        \(header)\(around)<main id="content" tabindex="-1">

        """
    }

    /// Everything behind the content.
    func foot(_ text: PageText = "") -> PageText {
        let footer: PageText = text.isEmpty ? "" : "<footer>\(text)</footer>\n"
        return "</main>\n\(neighbours)\(footer)</body>\n</html>\n"
    }

    /// Scripts, forms, frames and fonts never work, whatever got into a page.
    private var policy: PageText {
        let pictures: PageText = options.pictures.areLinked ? "https: http: data:" : "data:"
        return
            "default-src 'none'; img-src \(pictures); style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    }

    /// The way back to the list.
    private var around: PageText {
        guard let home = options.navigation.home else { return "" }
        return "<nav class=\"way\" aria-label=\"Up\"><a href=\"\(home.file)\">← \(home.title)</a></nav>\n"
    }

    /// The ways to the pages before and after this one.
    private var neighbours: PageText {
        let navigation = options.navigation
        guard navigation.previous != nil || navigation.next != nil else { return "" }
        let previous: PageText =
            navigation.previous.map { "<a rel=\"prev\" href=\"\($0.file)\"><span>← Before</span> \($0.title)</a>" }
            ?? ""
        let next: PageText =
            navigation.next.map { "<a rel=\"next\" href=\"\($0.file)\"><span>Next →</span> \($0.title)</a>" } ?? ""
        return "<nav class=\"neighbours\" aria-label=\"Neighbours\">\(previous)\(next)</nav>\n"
    }
}

/// By what a page of ours is known.
enum PageMark {
    static let text: PageText = "<meta name=\"generator\" content=\"blog\">"
}

/// What a page needs to know beside what it shows.
package struct PageOptions: Sendable {
    let dates: DateText
    let pictures: PagePictures
    /// A small map with a mark on a place, and what it is called; "" for none.
    let map: @Sendable (_ place: Coordinates, _ title: String) -> PageText
    /// The pages around it; none for a page that stands alone.
    package var navigation = PageNavigation()

    package init(
        dates: DateText, pictures: PagePictures = .linked,
        map: @escaping @Sendable (_ place: Coordinates, _ title: String) -> PageText = { _, _ in "" }
    ) {
        self.dates = dates
        self.pictures = pictures
        self.map = map
    }
}

/// Another page of the same folder.
package struct PageLink: Sendable {
    /// The path of its file, relative to the page that leads there; made by us of letters, digits, dashes and slashes.
    package let file: String
    package let title: String

    package init(file: String, title: String) {
        self.file = file
        self.title = title
    }
}

/// The pages around a page.
package struct PageNavigation: Sendable {
    /// The list that leads to it.
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
