import BlogEssentials
import BlogModel

extension Post {
    /// The addresses of the pictures that the post is shown with, each in several sizes, best fit first.
    ///
    /// They are the author's picture, the photo, and the images in paragraphs of their own, in this order.
    ///
    /// - Parameters:
    ///   - pixels: the width of a photo.
    ///   - server: the address of the source, which the author's picture is relative to; nil if unknown.
    ///   - site: the address that images in the body are relative to; nil if it is the server's.
    package func pictureAddresses(fitting pixels: Int, server: URL?, site: URL?) -> [[URL]] {
        let author = metadata.author.image.map { [(address: $0, base: server)] } ?? []
        let photo = metadata.photo.map { $0.pictures(fitting: pixels).map { (address: $0.url, base: nil as URL?) } }
        let images = BodyText.document(of: metadata, body: body, format: bodyFormat).standaloneImages
        let groups = [author, photo ?? []] + images.map { [(address: $0, base: site ?? server)] }
        return groups.map { group in
            group.compactMap { LinkTarget.web($0.address, base: $0.base) }.compactMap { URL(address: $0) }
        }.filter { !$0.isEmpty }
    }
}

extension Photo {
    /// The pictures, best fit first: the smallest that is large enough, larger ones, smaller ones, then square crops.
    ///
    /// - Parameter wanted: the length in pixels of the longer side.
    package func pictures(fitting wanted: Int) -> [Picture] {
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
}

extension [Span] {
    /// The images, perhaps in links, of a paragraph that consists of images only; nil for other paragraphs.
    package var imagesAlone: [Span]? {
        let rest = filter { !$0.isBlank }
        return !rest.isEmpty && rest.allSatisfy { $0.imageSource != nil } ? rest : nil
    }
}

extension Span {
    /// The address of the image; nil for other spans.
    package var imageSource: String? {
        switch self {
        case .image(_, let source, _, _): return source
        case .link(let inner, _, _):
            let rest = inner.filter { !$0.isBlank }
            return rest.count == 1 && rest[0].isImage ? rest[0].imageSource : nil
        default: return nil
        }
    }

    /// Whether nothing of it can be seen.
    package var isBlank: Bool {
        switch self {
        case .softBreak, .hardBreak, .html, .element(.anchor, _): true
        case .text(let text): text.allSatisfy(\.isWhitespace)
        default: false
        }
    }
}
