import BlogEssentials
import BlogMarkup
import BlogModel

/// The pictures of a post on pages, by their http or https addresses.
extension Record {
    /// Those on the post's own page, without comments.
    package var picturesOfPage: [String] {
        let inBody = document.images.compactMap { LinkTarget.web($0, base: pictureBase) }
        return (largestPicture.map { [$0] } ?? []) + inBody
    }

    /// Those in a list.
    package var picturesOfCard: [String] { thumbnail.map { [$0] } ?? [] }

    /// The main picture, small.
    var thumbnail: String? {
        let address = metadata.photo?.pictures.first?.url ?? metadata.entry?.image
        return address.flatMap { LinkTarget.web($0, base: server) }
    }

    /// The photo in its largest size; nil for other posts.
    var largestPicture: String? { metadata.photo?.pictures.last.flatMap { LinkTarget.web($0.url, base: server) } }

    /// The body, followed by links to the enclosures.
    var document: Document { BodyText.document(of: metadata, body: body ?? "", format: bodyFormat) }

    /// The base address of links in the body on a page; nil if unknown.
    var pageBase: URL? {
        // The link of a post is its own page, except in a discussion.
        let page = linkedArticle?.address ?? (metadata.discussion == nil ? metadata.link : nil)
        return page.flatMap { URL(address: $0) } ?? (metadata.discussion == nil ? site : nil)
    }

    /// The base address of pictures in the body on a page; nil if unknown.
    var pictureBase: URL? { pageBase ?? server }
}
