import BlogEssentials
import BlogModel

extension BodyText {
    /// The document of a post: its body, then its pictures that aren't in the body, and its other enclosures as links.
    package static func document(of metadata: PostMetadata, body: String, format: BodyFormat?) -> Document {
        let document = document(body, format: format)
        guard let article = metadata.entry else { return document }
        return Document(blocks: document.blocks + pictures(of: article, besides: document) + files(of: article))
    }

    /// The pictures of a post outside of its body; the one that represents it only if there is nothing else to see or
    /// hear.
    private static func pictures(of article: EntryDetails, besides document: Document) -> [Block] {
        guard article.image != nil || !article.enclosures.isEmpty else { return [] }
        let shown = Set(document.images.map(PictureKey.init))
        // Their addresses differ already.
        let pictures = article.enclosures.filter { $0.isPicture && !shown.contains(PictureKey($0.url)) }
        let blocks = pictures.map { picture($0.url, description: $0.title) }
        guard let image = article.image, shown.isEmpty, article.enclosures.isEmpty else { return blocks }
        return [picture(image, description: nil)]
    }

    private static func picture(_ address: String, description: String?) -> Block {
        .paragraph([.image([.text(Sanitizer.line(description ?? ""))], source: address, title: nil)])
    }

    package static func document(of comment: Comment) -> Document {
        document(comment.body, format: comment.bodyFormat ?? .html)
    }

    /// The enclosures except pictures as a list of links; empty without any.
    private static func files(of article: EntryDetails) -> [Block] {
        let enclosures = article.enclosures.filter { !$0.isPicture }
        guard !enclosures.isEmpty else { return [] }
        let items = enclosures.map { enclosure -> [Block] in
            let name = enclosure.title ?? enclosure.url.split(separator: "/").last.map(String.init) ?? enclosure.url
            let type = enclosure.type.map { " (\(Sanitizer.line($0)))" } ?? ""
            return [.paragraph([.link([.text(Sanitizer.line(name))], target: enclosure.url, title: nil), .text(type)])]
        }
        return [.list(numbers: nil, isTight: true, items: items)]
    }
}

/// The address of a picture without what doesn't matter to what it shows: scheme, fragment, and of a picture's file the
/// query and the size that WordPress adds to the name.
private struct PictureKey: Hashable {
    private let name: String

    init(_ address: String) {
        var name = address.prefix { $0 != "#" }
        if let scheme = name.firstRange(of: "://") { name = name[scheme.upperBound...] }
        self.name = PictureFile.isNamed(address) ? Self.withoutSize(name.prefix { $0 != "?" }) : String(name)
    }

    private static func withoutSize(_ name: Substring) -> String {
        guard let dot = name.lastIndex(of: "."), let dash = name[..<dot].lastIndex(of: "-") else { return String(name) }
        let numbers = name[name.index(after: dash)..<dot].split(separator: "x", omittingEmptySubsequences: false)
        let isSize = numbers.count == 2 && numbers.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
        return String(isSize ? name[..<dash] + name[dot...] : name)
    }
}

extension Enclosure {
    /// Whether it is a picture, by its type or else by its name.
    fileprivate var isPicture: Bool {
        if let type, !type.isEmpty { return type.lowercased().hasPrefix("image/") }
        return PictureFile.isNamed(url)
    }
}

private enum PictureFile {
    /// Whether an address ends like the name of a picture's file.
    static func isNamed(_ address: String) -> Bool {
        let name = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"].contains { name.hasSuffix($0) }
    }
}
