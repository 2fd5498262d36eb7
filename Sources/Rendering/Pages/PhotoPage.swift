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
