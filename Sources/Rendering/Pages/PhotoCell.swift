import Model

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
