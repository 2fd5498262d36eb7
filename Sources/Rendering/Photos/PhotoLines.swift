import Model

/// What stands below the description of a photo: its facts in sections, a line each, their names in a column.
struct PhotoLines {
    let screen: Screen
    /// The photographer's picture, small; nil for none.
    var author: PicturePlace?

    /// The lines, a blank one before each section; none for a post that is no photo.
    func lines(_ metadata: PostMetadata) -> [StyledText] {
        guard let facts = PhotoFacts(metadata, date: screen.dates.long) else { return [] }
        var who = lines(facts.who)
        if let author, !who.isEmpty { who[0] = StyledText(author) + who[0] }
        return [who, lines(facts.camera), map(metadata) + lines(facts.place), lines(facts.others)]
            .filter { !$0.isEmpty }.flatMap { [""] + $0 }
    }

    private func map(_ metadata: PostMetadata) -> [StyledText] {
        guard screen.hasMaps, let point = metadata.photo?.place?.coordinates else { return [] }
        return WorldMap(of: point).lines(width: screen.width) + [""]
    }

    private func lines(_ facts: [PhotoFacts.Fact]) -> [StyledText] { facts.flatMap(lines) }

    private func lines(_ fact: PhotoFacts.Fact) -> [StyledText] {
        let isNarrow = screen.width < Self.widthWithColumns
        let name = StyledText(fact.name + (isNarrow ? ": " : ""), .muted).padded(to: isNarrow ? 0 : Self.nameWidth)
        // An address in two pieces can't be used.
        guard !fact.isLink else { return [name + link(fact.text)] }
        guard !isNarrow else { return (name + StyledText(fact.text)).wrapped(to: screen.width) }
        let space = StyledText(String(repeating: " ", count: Self.nameWidth))
        return StyledText(fact.text).wrapped(to: screen.width - Self.nameWidth).enumerated().map { index, line in
            (index == 0 ? name : space) + line
        }
    }

    private func link(_ address: String) -> StyledText {
        let text = StyledText(address, .link)
        return screen.hasHyperlinks ? text.linked(to: address) : text
    }

    private static let nameWidth = 14
    private static let widthWithColumns = 40
}
