import BlogEssentials
import BlogMarkup
import BlogModel

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
    /// The width in pixels of this many columns, in a typical font.
    package static func pixels(of columns: Int) -> Int { columns * 10 }

    /// The photo, fitted to a width; nil for other posts.
    package static func photo(_ metadata: PostMetadata, columns: Int) -> PicturePlace? {
        metadata.photo.flatMap { photo in
            PicturePlace(
                photo.pictures(fitting: pixels(of: columns)).map(\.url), name: metadata.title, columns: columns)
        }
    }

    /// The author's picture, small.
    package static func author(_ address: String?) -> PicturePlace? {
        address.flatMap { PicturePlace([$0], name: "", columns: 4, rows: 2, isOrnament: true) }
    }

    /// The pictures that are known without the body.
    package static func ofMetadata(_ record: Record, columns: Int) -> [PicturePlace] {
        [author(record.authorImage), photo(record.metadata, columns: columns)].compactMap(\.self)
    }

    /// The line above the description of a photo, with its address; empty for other posts.
    static func lines(_ metadata: PostMetadata, _ screen: Screen) -> [StyledText] {
        guard screen.hasPictures, let place = photo(metadata, columns: screen.width), let address = place.urls.first
        else { return [] }
        return [StyledText(place) + screen.link(address.absoluteString)]
    }
}
