import Essentials
import Markup
import Model

/// The facts below the description of a photo, in sections, one a line.
struct PhotoLines {
    let screen: Screen
    /// The photographer's picture, small; nil for none.
    var author: PicturePlace?

    /// The lines, with a blank one before each section; empty for other posts.
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
        // A broken address can't be used.
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

/// The facts about a photo besides its name and description.
///
/// Any of the sections may be empty.
package struct PhotoFacts: Sendable {
    /// A fact with its name: "Aperture", "f/2.8".
    package struct Fact: Hashable, Sendable {
        package let name: String
        /// The sanitized value on one line.
        package let text: String
        /// Whether the text is an address.
        package var isLink = false
    }

    /// The photographer.
    package let who: [Fact]
    /// The camera, its settings and the date.
    package let camera: [Fact]
    /// The place.
    package let place: [Fact]
    /// All other facts.
    package let others: [Fact]

    /// The sections that aren't empty.
    package var sections: [[Fact]] { [who, camera, place, others].filter { !$0.isEmpty } }

    /// The facts of a photo; nil for other posts.
    ///
    /// - Parameter date: formats a date.
    package init?(_ metadata: PostMetadata, date: (Timestamp) -> String) {
        guard let photo = metadata.photo else { return nil }
        who = Self.who(metadata.author, photo.photographer)
        camera = photo.camera.map { Self.camera($0, date) } ?? []
        place = photo.place.map(Self.place) ?? []
        others = Self.others(metadata, photo, date)
    }

    /// A rating with one decimal: "87.3"; nil for none or an invalid one.
    package static func text(rating: Double?) -> String? {
        rating.flatMap { (0...100).contains($0) ? DecimalText.text($0, digits: 1) : nil }
    }

    private static func who(_ author: Author, _ photographer: Photographer?) -> [Fact] {
        let username = photographer?.username.flatMap { $0 == author.name ? nil : " (\($0))" } ?? ""
        return facts([("By", author.name + username), ("From", photographer?.home)])
    }

    private static func camera(_ camera: Camera, _ date: (Timestamp) -> String) -> [Fact] {
        facts([
            ("Camera", camera.model), ("Lens", camera.lens),
            ("Focal length", camera.focalLength.map { unit($0, "mm") }),
            ("Shutter", camera.shutterSpeed.map { unit($0, "s") }),
            ("Aperture", camera.aperture.map { $0.first?.isNumber == true ? "f/\($0)" : $0 }),
            ("ISO", camera.iso), ("Taken", camera.takenAt.map(date)),
        ])
    }

    private static func place(_ place: Place) -> [Fact] {
        facts([("Where", place.name), ("Coordinates", place.coordinates?.text)])
            + links([("Map", place.coordinates?.openStreetMapAddress)])
    }

    private static func others(_ metadata: PostMetadata, _ photo: Photo, _ date: (Timestamp) -> String) -> [Fact] {
        let best = text(rating: photo.highestRating).map { ", highest " + $0 } ?? ""
        return facts([
            ("Category", photo.category), ("Rating", text(rating: photo.rating).map { $0 + best }),
            ("Views", photo.views.map { String($0) }), ("Votes", photo.votes.map { String($0) }),
            ("Licence", photo.license), ("Published", metadata.publishDate.isKnown ? date(metadata.publishDate) : nil),
        ]) + links([("Page", metadata.link)])
    }

    /// A number with its unit, unless the text has one.
    private static func unit(_ text: String, _ unit: String) -> String {
        text.last?.isNumber == true ? "\(text) \(unit)" : text
    }

    private static func facts(_ all: [(String, String?)]) -> [Fact] {
        all.compactMap { name, text in
            let line = Sanitizer.line(text ?? "")
            return line.allSatisfy(\.isWhitespace) ? nil : Fact(name: name, text: line)
        }
    }

    /// The addresses that are safe to follow.
    private static func links(_ all: [(String, String?)]) -> [Fact] {
        all.compactMap { name, address in
            address.flatMap { LinkTarget.safe($0) }.map { Fact(name: name, text: $0, isLink: true) }
        }
    }
}

extension Photographer {
    /// "Lisbon, Portugal"; "" if neither is known.
    var home: String { [city, country].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ") }
}
