import BlogCore
import Foundation

/// A folder of pages: `index.html`, and the others below `posts`.
///
/// All names are made here; nothing of a server is part of one but letters, digits and dashes of a title.
struct PageFolder {
    let path: String

    /// Makes the folder, where there is none.
    ///
    /// Throws ``UsageError/unusableFolder(_:reason:)`` if there is something that was not made here, or an
    /// ``OutputError``.
    init(path: String) throws {
        self.path = path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard isFolder.boolValue else { throw UsageError.unusableFolder(path, reason: "is no folder") }
            let names = try? FileManager.default.contentsOfDirectory(atPath: path)
            guard names?.isEmpty == true || isOurs else {
                throw UsageError.unusableFolder(path, reason: "has other files in it")
            }
        }
        try make()
    }

    /// Whether its index is one that was made here.
    private var isOurs: Bool {
        guard let file = FileHandle(forReadingAtPath: path + "/" + Self.index) else { return false }
        defer { try? file.close() }
        let start = (try? file.read(upToCount: 4096)).flatMap { $0 } ?? Data()
        return String(decoding: start, as: UTF8.self).contains(PageMark.html)
    }

    private func make() throws {
        let posts = path + "/" + Self.posts
        guard (try? FileManager.default.createDirectory(atPath: posts, withIntermediateDirectories: true)) == nil else {
            return
        }
        // Only the system says why.
        for folder in [path, posts] where mkdir(folder, 0o777) != 0 && errno != EEXIST {
            throw WholeFile.failure(folder)
        }
    }

    /// Writes a page.
    ///
    /// Throws an ``OutputError``.
    func write(_ page: String, to file: String) throws {
        try WholeFile.write(page, to: path + "/" + file)
    }

    /// Removes the pages of posts that an earlier run made and this one did not.
    func removePages(but files: Set<String>) {
        let folder = path + "/" + Self.posts
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let file = Self.posts + "/" + name
            if PageName.isOne(name), !files.contains(file) { unlink(path + "/" + file) }
        }
    }

    static let index = "index.html"
    /// Where the pages of posts are.
    static let posts = "posts"
}

/// The names of files of pages.
enum PageName {
    /// A name for the page of a post, always the same: some words of its title, and a number made of its id.
    static func of(_ post: PostID, title: String) -> String {
        let slug = Slug.of(title)
        let id = "\(post.source.kind) \(post.source.address) \(post.local)"
        return (slug.isEmpty ? "" : slug + "-") + number(of: id) + ".html"
    }

    /// Whether a file may have been named here.
    static func isOne(_ name: String) -> Bool {
        let digits = name.dropLast(suffix.count).suffix(digitCount)
        return name.hasSuffix(suffix) && digits.count == digitCount && digits.allSatisfy(\.isHexDigit)
            && name.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 >= 0x20 }
    }

    /// Twelve digits that are hardly ever the same for two texts (FNV-1a).
    private static func number(of text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        // The last letters of a text are in its lower bits only.
        hash = (hash ^ hash >> 32) &* 0x9e37_79b9_7f4a_7c15
        let digits = String(hash >> (64 - 4 * UInt64(digitCount)), radix: 16)
        return String(repeating: "0", count: digitCount - digits.count) + digits
    }

    private static let suffix = ".html"
    private static let digitCount = 12
}
