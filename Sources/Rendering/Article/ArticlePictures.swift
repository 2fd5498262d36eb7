import Foundation
import Model

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
