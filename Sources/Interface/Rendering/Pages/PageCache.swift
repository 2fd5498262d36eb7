import BlogEssentials
import BlogMarkup
import BlogModel

/// The pages that were last shown in a browser, in a folder next to the store.
package struct PageCache {
    private let path: String

    package init(storePath: String) {
        path = storePath + "-pages"
    }

    /// Writes a page, which only its owner can read, and returns its URL.
    ///
    /// Throws an ``OutputError``.
    package func write(_ page: String, of post: PostID, title: String) throws -> URL {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw WholeFile.failure(path) }
        let name = PageName.of(post, title: title)
        try WholeFile.write(page, to: path + "/" + name, mode: 0o600)
        removeOldest(but: name)
        return URL(filePath: path).appending(path: name)
    }

    /// Keeps the newest pages, which a browser may still show.
    private func removeOldest(but kept: String) {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
            PageName.isValid($0) && $0 != kept
        }
        guard names.count >= Self.maxPages else { return }
        let dated = names.map { name -> (name: String, date: Date) in
            (name, FileFacts(path: path + "/" + name)?.modified ?? .distantPast)
        }
        for page in dated.sorted(by: { $0.date > $1.date }).dropFirst(Self.maxPages - 1) {
            unlink(path + "/" + page.name)
        }
    }

    private static let maxPages = 50
}

enum PageName {
    /// The name of the page of a post: words of its title and a digest of its ID.
    static func of(_ post: PostID, title: String) -> String {
        let slug = Slug.of(title)
        let id = "\(post.source.kind) \(post.source.address) \(post.local)"
        return (slug.isEmpty ? "" : slug + "-") + SHA256.hex(of: id.utf8).prefix(digitCount) + ".html"
    }

    /// Whether a file may have been named by ``of(_:title:)``.
    static func isValid(_ name: String) -> Bool {
        let digits = name.dropLast(suffix.count).suffix(digitCount)
        return name.hasSuffix(suffix) && digits.count == digitCount && digits.allSatisfy(\.isHexDigit)
            && name.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 >= 0x20 }
    }

    private static let suffix = ".html"
    private static let digitCount = 12
}
