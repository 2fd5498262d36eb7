import Essentials
import Markup
import Model

/// A picture to draw above the line with its caption, on terminals that can show pictures.
package struct PicturePlace: Hashable, Sendable {
    /// The http or https addresses of the picture in several sizes, best fit first.
    package let urls: [URL]
    /// The name on one line; "" if unknown.
    package let name: String
    /// The maximum width in columns.
    package let columns: Int
    /// The maximum height in rows; nil for any.
    package let rows: Int?
    /// Whether it is decoration, which is neither waited for nor reported as missing.
    package let isOrnament: Bool

    /// Returns nil without an http or https address.
    package init?(_ addresses: [String], name: String, columns: Int, rows: Int? = nil, isOrnament: Bool = false) {
        urls = addresses.compactMap { LinkTarget.web($0) }.compactMap { URL(address: $0) }
        guard !urls.isEmpty else { return nil }
        self.name = Sanitizer.line(name)
        self.columns = columns
        self.rows = rows
        self.isOrnament = isOrnament
    }
}

/// The pictures of a post.
package enum PostPictures {
    /// The photo, fitted to a width; nil for other posts.
    package static func photo(_ metadata: PostMetadata, columns: Int) -> PicturePlace? {
        metadata.photo.flatMap { photo in
            PicturePlace(photo.pictures(fitting: columns).map(\.url), name: metadata.title, columns: columns)
        }
    }

    /// The author's picture, small.
    package static func author(_ address: String?) -> PicturePlace? {
        address.flatMap { PicturePlace([$0], name: "", columns: 4, rows: 2, isOrnament: true) }
    }

    /// All pictures of a post, in order of appearance.
    package static func all(_ record: Record, columns: Int) -> [PicturePlace] {
        [author(record.authorImage), photo(record.metadata, columns: columns)].compactMap(\.self)
            + DocumentRenderer.pictures(of: record.document, base: record.site ?? record.server)
    }

    /// The line above the description of a photo, with its address; empty for other posts.
    static func lines(_ metadata: PostMetadata, _ screen: Screen) -> [StyledText] {
        guard screen.hasPictures, let place = photo(metadata, columns: screen.width), let address = place.urls.first
        else { return [] }
        return [StyledText(place) + screen.link(address.absoluteString)]
    }
}

extension Photo {
    /// The pictures, best fit first: the smallest that is large enough, larger ones, smaller ones, then square crops.
    func pictures(fitting columns: Int) -> [Picture] {
        let wanted = columns * Self.pixelsPerColumn
        func sorted(_ pictures: [Picture]) -> [Picture] {
            let start = pictures.firstIndex { Self.pixels($0) >= wanted } ?? pictures.count
            return pictures[start...] + pictures[..<start].reversed()
        }
        return sorted(pictures.filter { !Self.isCropped($0) }) + sorted(pictures.filter(Self.isCropped))
    }

    /// The length of the longer side; unknown sizes count as large enough.
    private static func pixels(_ picture: Picture) -> Int {
        picture.size.map { pixelsOfSizes[$0] ?? $0 } ?? .max
    }

    private static func isCropped(_ picture: Picture) -> Bool { picture.size.map(croppedSizes.contains) ?? false }

    /// Sizes that aren't numbers of pixels (https://github.com/500px/legacy-api-documentation, "Image sizes").
    private static let pixelsOfSizes = [
        1: 70, 2: 140, 3: 280, 4: 900, 5: 1170, 6: 1080, 20: 300, 21: 600, 30: 256, 31: 450,
    ]
    private static let croppedSizes: Set = [1, 2, 3, 100, 200, 440, 600]
    /// In a typical font.
    private static let pixelsPerColumn = 10
}

extension [Span] {
    /// The images, perhaps in links, of a paragraph that consists of images only; nil for other paragraphs.
    var imagesAlone: [Span]? {
        let rest = filter { !$0.isBlank }
        return !rest.isEmpty && rest.allSatisfy { $0.imageSource != nil } ? rest : nil
    }
}

extension Span {
    /// The address of the image; nil for other spans.
    var imageSource: String? {
        switch self {
        case .image(_, let source, _, _): return source
        case .link(let inner, _, _):
            let rest = inner.filter { !$0.isBlank }
            return rest.count == 1 && rest[0].isImage ? rest[0].imageSource : nil
        default: return nil
        }
    }

    /// Whether nothing of it can be seen.
    var isBlank: Bool {
        switch self {
        case .softBreak, .hardBreak, .html, .element(.anchor, _): true
        case .text(let text): text.allSatisfy(\.isWhitespace)
        default: false
        }
    }
}
