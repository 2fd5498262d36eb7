import Foundation
import Markup
import Model

/// Where a picture belongs that a terminal may be able to show: above the line of text that tells of it.
package struct PicturePlace: Hashable, Sendable {
    /// The addresses at which the picture is, each in another size, what fits best first; http or https.
    package let urls: [URL]
    /// What it is called, on one line; "" if nothing says.
    package let name: String
    /// The columns that it may fill.
    package let columns: Int
    /// The rows that it may fill; nil for as many as there are.
    package let rows: Int?
    /// Whether it adds nothing to the text, so that it is neither waited for nor missed.
    package let isOrnament: Bool

    /// A place; nil where no address is one of the web.
    package init?(_ addresses: [String], name: String, columns: Int, rows: Int? = nil, isOrnament: Bool = false) {
        urls = addresses.compactMap { LinkTarget.safe($0) }.compactMap { URL(string: $0) }.filter {
            ["http", "https"].contains($0.scheme?.lowercased())
        }
        guard !urls.isEmpty else { return nil }
        self.name = Sanitizer.line(name)
        self.columns = columns
        self.rows = rows
        self.isOrnament = isOrnament
    }
}

/// The pictures of a post that are in no body: the photo that it is, and its author.
package enum ArticlePictures {
    /// The photo that a post is, to fill some columns; nil if it is none.
    package static func photo(_ metadata: PostMetadata, columns: Int) -> PicturePlace? {
        metadata.photo.flatMap { photo in
            PicturePlace(photo.pictures(fitting: columns).map(\.url), name: metadata.title, columns: columns)
        }
    }

    /// An author, small.
    package static func author(_ address: String?) -> PicturePlace? {
        address.flatMap { PicturePlace([$0], name: "", columns: 4, rows: 2, isOrnament: true) }
    }

    /// All of a post's, as it is shown.
    package static func all(_ record: Record, columns: Int) -> [PicturePlace] {
        let document = BodyText.document(of: record.metadata, body: record.body ?? "", format: record.bodyFormat)
        return [author(record.authorImage), photo(record.metadata, columns: columns)].compactMap(\.self)
            + DocumentRenderer.pictures(of: document, base: record.site ?? record.server)
    }

    /// The line of a photo, which leads to its picture; none for any other post.
    static func lines(_ metadata: PostMetadata, _ screen: Screen) -> [StyledText] {
        guard screen.hasPictures, let place = photo(metadata, columns: screen.width), let address = place.urls.first
        else { return [] }
        let text = StyledText(address.absoluteString, .link)
        return [StyledText(place) + (screen.hasHyperlinks ? text.linked(to: address.absoluteString) : text)]
    }
}

extension Photo {
    /// The pictures by how well they fill some columns of a terminal: the smallest that is large enough, larger ones,
    /// then smaller ones; those that are cut to a square after all others.
    func pictures(fitting columns: Int) -> [Picture] {
        let wanted = columns * Self.pixelsPerColumn
        func sorted(_ pictures: [Picture]) -> [Picture] {
            let start = pictures.firstIndex { Self.pixels($0) >= wanted } ?? pictures.count
            return pictures[start...] + pictures[..<start].reversed()
        }
        return sorted(pictures.filter { !Self.isCropped($0) }) + sorted(pictures.filter(Self.isCropped))
    }

    /// How long the longer side is; unknown ones are taken for large enough.
    private static func pixels(_ picture: Picture) -> Int {
        picture.size.map { pixelsOfSizes[$0] ?? $0 } ?? .max
    }

    private static func isCropped(_ picture: Picture) -> Bool { picture.size.map(croppedSizes.contains) ?? false }

    /// Sizes that are no number of pixels (https://github.com/500px/legacy-api-documentation, "Image sizes").
    private static let pixelsOfSizes = [
        1: 70, 2: 140, 3: 280, 4: 900, 5: 1170, 6: 1080, 20: 300, 21: 600, 30: 256, 31: 450,
    ]
    private static let croppedSizes: Set = [1, 2, 3, 100, 200, 440, 600]
    /// Of a terminal's usual font.
    private static let pixelsPerColumn = 10
}

extension [Span] {
    /// The images of a paragraph that has nothing else, each with the link around it; nil for any other.
    var imagesAlone: [Span]? {
        let rest = filter { !$0.isBlank }
        return !rest.isEmpty && rest.allSatisfy { $0.imageSource != nil } ? rest : nil
    }
}

extension Span {
    /// The address of the image that the span is; nil if it is none.
    var imageSource: String? {
        switch self {
        case .image(_, let source, _): return source
        case .link(let inner, _, _):
            let rest = inner.filter { !$0.isBlank }
            return rest.count == 1 && rest[0].isImage ? rest[0].imageSource : nil
        default: return nil
        }
    }

    /// The description of the image that the span is.
    var imageName: String { [self].plainText.trimmingSpace }

    fileprivate var isBlank: Bool {
        switch self {
        case .softBreak, .hardBreak, .html: true
        case .text(let text): text.allSatisfy(\.isWhitespace)
        default: false
        }
    }
}

extension String {
    fileprivate var trimmingSpace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
