import BlogEssentials
import Synchronization

/// A folder of pages: `index.html`, for a long list also `page-2.html` and so on, and the pages of posts in `posts`.
///
/// All file names are made here; servers contribute only letters, digits and dashes of titles. A list in the folder
/// names the pages that were written there. Only these are replaced and removed, even if somebody has changed them.
package struct PageFolder: Sendable {
    package let path: String
    /// The pages of earlier runs, even of an interrupted one.
    private let earlier: Set<String>

    /// Creates the folder if it doesn't exist.
    ///
    /// Throws ``FileError/unusableFolder(_:reason:)`` if it can't be written or contains other files but no list.
    package init(path: String) throws {
        self.path = path
        // Only the system call gives the reason.
        if (try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)) == nil,
            mkdir(path, 0o777) != 0, errno != EEXIST
        {
            throw Self.unusable(path)
        }
        guard access(path + "/.", R_OK | W_OK | X_OK) == 0 else { throw Self.unusable(path) }
        earlier = try Self.listedPages(in: path)
    }

    /// Lists pages that are about to be written, so that the next run may replace them even if this one is interrupted.
    ///
    /// Throws ``FileError/fileInTheWay(_:)`` if another file has the name of one of them,
    /// ``FileError/unusableFolder(_:reason:)`` or an ``OutputError``.
    package func begin(_ files: [String]) throws {
        let posts = path + "/" + Self.posts
        // Through a link, pages would be written elsewhere.
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: posts)) != nil {
            throw FileError.unusableFolder(posts, reason: "it is a symbolic link")
        }
        for file in files where !earlier.contains(file) && FileFacts(path: path + "/" + file) != nil {
            throw FileError.fileInTheWay(path + "/" + file)
        }
        try list(earlier.union(files))
        if mkdir(posts, 0o777) != 0, errno != EEXIST { throw Self.unusable(posts) }
    }

    /// Writes a page.
    ///
    /// Throws an ``OutputError``.
    package func write(_ page: String, to file: String) throws {
        try WholeFile.write(page, to: path + "/" + file)
    }

    /// Removes the pages of earlier runs except these.
    ///
    /// Throws an ``OutputError``.
    package func finish(_ files: [String]) throws {
        for file in earlier.subtracting(files) {
            unlink(path + "/" + file)
            unlink(path + "/" + file + WholeFile.draftSuffix)
        }
        try list(Set(files))
    }

    // MARK: The list

    private func list(_ files: Set<String>) throws {
        let lines = [Self.header] + files.sorted()
        try WholeFile.write(lines.joined(separator: "\n") + "\n", to: path + "/" + Self.list)
    }

    /// The pages in the list of a folder, which may have any text.
    private static func listedPages(in path: String) throws -> Set<String> {
        let list = path + "/" + list
        guard FileFacts(path: list)?.isRegular == true, let content = FileManager.default.contents(atPath: list) else {
            let files = try? FileManager.default.contentsOfDirectory(atPath: path)
            // The first run may have been interrupted.
            guard files?.allSatisfy({ $0 == Self.list + WholeFile.draftSuffix }) == true else { throw foreign(path) }
            return []
        }
        let lines = String(decoding: content, as: UTF8.self).split(separator: "\n").map(String.init)
        guard lines.first == header else { throw foreign(path) }
        return Set(lines.dropFirst().filter(isPage))
    }

    /// Whether a path may belong to a page in the folder; this excludes files elsewhere.
    private static func isPage(_ file: String) -> Bool {
        PageIndex.isFile(file)
            || file.hasPrefix(posts + "/") && PageName.isValid(String(file.dropFirst(posts.count + 1)))
    }

    private static func foreign(_ path: String) -> FileError {
        .unusableFolder(path, reason: "it contains other files")
    }

    /// The error of the last system call.
    private static func unusable(_ path: String) -> FileError {
        .unusableFolder(path, reason: String(cString: strerror(errno)))
    }

    package static let index = "index.html"
    package static let posts = "posts"
    private static let list = ".blog-pages"
    private static let header = "# Written by blog, which replaces and removes the files listed here."
}
