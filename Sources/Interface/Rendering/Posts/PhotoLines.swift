import BlogEssentials
import BlogMarkup
import BlogModel

/// Lays out the facts about a photo, in sections below its description.
struct PhotoLines {
    let screen: Screen
    /// The photographer's picture, small.
    var author: PicturePlace?

    /// The lines, with a blank one before each section; empty for other posts.
    func lines(_ metadata: PostMetadata) -> [StyledText] {
        guard let facts = PhotoFacts(metadata, date: screen.dates.long) else { return [] }
        var photographer = facts.photographer.flatMap(lines)
        if let author, !photographer.isEmpty { photographer[0] = StyledText(author) + photographer[0] }
        let place = map(metadata) + facts.place.flatMap(lines)
        return [photographer, facts.camera.flatMap(lines), place, facts.others.flatMap(lines)]
            .filter { !$0.isEmpty }.flatMap { [""] + $0 }
    }

    private func map(_ metadata: PostMetadata) -> [StyledText] {
        guard screen.hasMaps, let point = metadata.photo?.place?.coordinates else { return [] }
        return WorldMap(of: point).lines(width: screen.width) + [""]
    }

    private func lines(_ fact: PhotoFacts.Fact) -> [StyledText] {
        let isNarrow = screen.width < Self.widthWithColumns
        let name = StyledText(fact.name + (isNarrow ? ": " : ""), .muted).padded(to: isNarrow ? 0 : Self.nameWidth)
        guard !fact.isLink else { return [name + screen.link(fact.text)] }
        guard !isNarrow else { return (name + StyledText(fact.text)).wrapped(to: screen.width) }
        let text = StyledText(fact.text).wrapped(to: screen.width - Self.nameWidth)
        return text.hanging(from: name, indent: Self.nameWidth)
    }

    private static let nameWidth = 14
    private static let widthWithColumns = 40
}

/// The facts about a photo besides its name and description, in sections that may be empty.
package struct PhotoFacts {
    /// A fact with its name: "Aperture", "f/2.8".
    struct Fact {
        let name: String
        /// The sanitized value on one line.
        let text: String
        /// Whether the text is an address.
        var isLink = false
    }

    let photographer: [Fact]
    /// The camera, its settings and the date.
    let camera: [Fact]
    let place: [Fact]
    let others: [Fact]

    /// Returns nil for other posts.
    init?(_ metadata: PostMetadata, date: (Timestamp) -> String) {
        guard let photo = metadata.photo else { return nil }
        photographer = Self.photographer(metadata.author, photo.photographer)
        camera = photo.camera.map { Self.camera($0, date) } ?? []
        place = photo.place.map(Self.place) ?? []
        others = Self.others(metadata, photo, date)
    }

    /// A rating with one decimal: "87.3"; nil for none or an invalid one.
    package static func text(rating: Double?) -> String? {
        rating.flatMap { (0...100).contains($0) ? DecimalText.text($0, digits: 1) : nil }
    }

    private static func photographer(_ author: Author, _ photographer: Photographer?) -> [Fact] {
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
            + link("Map", place.coordinates?.openStreetMapAddress)
    }

    private static func others(_ metadata: PostMetadata, _ photo: Photo, _ date: (Timestamp) -> String) -> [Fact] {
        let best = text(rating: photo.highestRating).map { ", highest " + $0 } ?? ""
        return facts([
            ("Category", photo.category), ("Rating", text(rating: photo.rating).map { $0 + best }),
            ("Views", photo.views.map { String($0) }), ("Votes", photo.votes.map { String($0) }),
            ("Licence", photo.license), ("Published", metadata.publishDate.isKnown ? date(metadata.publishDate) : nil),
        ]) + link("Page", metadata.link)
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

    /// A link, if it is safe to follow.
    private static func link(_ name: String, _ address: String?) -> [Fact] {
        address.flatMap { LinkTarget.safe($0) }.map { [Fact(name: name, text: $0, isLink: true)] } ?? []
    }
}

extension Photographer {
    /// "Lisbon, Portugal"; "" if neither is known.
    var home: String { [city, country].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ") }
}
