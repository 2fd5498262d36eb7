import Model

/// The picture of an author in a circle, over the author's initials, which are seen where there is no picture.
enum PageAvatar {
    static func text(_ record: Record, _ pictures: PagePictures) -> PageText {
        let name = record.metadata.author.name
        let source = record.authorImage.flatMap { pictures.source($0, base: nil) }
        let picture: PageText = source.map { "<img src=\"\($0)\" alt=\"\" loading=\"lazy\">" } ?? ""
        // The name stands beside it, so nothing of it is read out.
        return """
            <span class="avatar tint\(tint(name))" aria-hidden="true"><span>\(initials(name))</span>\(picture)</span>
            """
    }

    /// The first letters of the first and the last name of the first author: "Kerri Lane, Bram O'Dell" is "KL".
    private static func initials(_ name: String) -> String {
        let first = name.split(separator: ",").first ?? ""
        let words = first.split(whereSeparator: \.isWhitespace).compactMap { $0.first { $0.isLetter || $0.isNumber } }
        guard let one = words.first else { return "?" }
        // One letter of Chinese, Japanese or Korean is a whole part of a name.
        guard words.count > 1, let last = words.last, one.isCased else { return String(one).uppercased() }
        return (String(one) + String(last)).uppercased()
    }

    /// One of some colours, always the same for a name.
    private static func tint(_ name: String) -> Int {
        Int(name.unicodeScalars.reduce(0) { ($0 &* 31 &+ $1.value) & 0xFFFF } % 6)
    }
}
