import BlogLibrary
import Foundation
import Model
import Rendering
import Synchronization
import Terminal

/// A folder of pages: `index.html`, and the others below `posts`.
///
/// All names are made here; nothing of a server is part of one but letters, digits and dashes of a title. Files that were
/// not written here, or were changed since, are never touched, and links never followed but for the folder itself: see
/// ``PageManifest``.
final class PageFolder: Sendable {
    let path: String
    private let root: Int32
    private let posts: Int32
    private let state: Mutex<State>
    /// Called after each step that a kill may be the last before.
    private let didStep: @Sendable () -> Void

    private struct State {
        var manifest: PageManifest
        /// The digests of what this run has written.
        var written: [String: String] = [:]
    }

    /// Makes the folder, where there is none.
    ///
    /// Throws ``UsageError/unusableFolder(_:reason:)`` if there is something that was not made here,
    /// ``UsageError/fileInTheWay(_:)``, or an ``OutputError``.
    init(path: String, didStep: @escaping @Sendable () -> Void = {}) throws {
        self.path = path
        self.didStep = didStep
        try Self.make(path)
        root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { throw WholeFile.failure(path) }
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        do {
            state = Mutex(State(manifest: try PageManifest(in: root, path: path, names: names ?? ["?"])))
        } catch PageManifest.Problem.foreign {
            throw UsageError.unusableFolder(path, reason: "it contains other files")
        } catch PageManifest.Problem.locked {
            throw UsageError.unusableFolder(path, reason: "another blog is writing there")
        }
        didStep()
        if mkdirat(root, Self.posts, 0o777) != 0, errno != EEXIST { throw WholeFile.failure(path + "/" + Self.posts) }
        posts = openat(root, Self.posts, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard posts >= 0 else {
            throw UsageError.unusableFolder(path + "/" + Self.posts, reason: "not a folder, or a link to one")
        }
        didStep()
        try check([Self.index])
    }

    deinit {
        close(root)
        close(posts)
    }

    private static func make(_ path: String) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard isFolder.boolValue else { throw UsageError.unusableFolder(path, reason: "not a folder") }
        } else if (try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)) == nil,
            // Only the system says why.
            mkdir(path, 0o777) != 0, errno != EEXIST
        {
            throw WholeFile.failure(path)
        }
    }

    /// Throws ``UsageError/fileInTheWay(_:)`` if one of these files can't be written, as another has its name.
    func check(_ files: [String]) throws {
        try state.withLock { state in
            for file in files where try standing(of: file, state.manifest) == .foreign {
                throw UsageError.fileInTheWay(path + "/" + file)
            }
        }
    }

    /// Writes a page, unless it is there as it is.
    ///
    /// Throws ``UsageError/fileInTheWay(_:)`` or an ``OutputError``.
    func write(_ page: String, to file: String) throws {
        let digest = SHA256.hex(of: page.utf8)
        try state.withLock { state in
            switch try standing(of: file, state.manifest) {
            case .foreign: throw UsageError.fileInTheWay(path + "/" + file)
            case .ours(digest): break
            case .ours, .absent:
                try state.manifest.add(digest, file)
                didStep()
                let (folder, name) = place(of: file)
                try put(page, folder, name)
            }
            state.written[file] = digest
        }
    }

    /// Removes the pages that an earlier run made and this one did not; returns those that were changed since, which
    /// stay.
    func finish() throws -> [String] {
        try state.withLock { state in
            var changed: [String] = []
            for file in state.manifest.digests.keys.sorted() where state.written[file] == nil {
                switch try standing(of: file, state.manifest) {
                case .absent: break
                case .foreign: changed.append(file)
                case .ours:
                    let (folder, name) = place(of: file)
                    unlinkat(folder, name, 0)
                    didStep()
                }
            }
            try put(PageManifest.text(state.written), root, PageManifest.name)
            return changed
        }
    }

    private func put(_ text: String, _ folder: Int32, _ name: String) throws {
        try WholeFile.write(text, to: name, in: folder, draft: Self.draft, of: root, path: path, didStep: didStep)
    }

    // MARK: What is there

    private enum Standing: Equatable {
        case absent
        /// Written here, and not changed since; with its digest.
        case ours(String)
        case foreign
    }

    private func standing(of file: String, _ manifest: PageManifest) throws -> Standing {
        let (folder, name) = place(of: file)
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw WholeFile.failure(path + "/" + file) }
            return .absent
        }
        guard status.st_mode & S_IFMT == S_IFREG, let digests = manifest.digests[file] else { return .foreign }
        let opened = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { return .foreign }
        defer { close(opened) }
        guard let content = WholeFile.content(of: opened) else { return .foreign }
        let digest = SHA256.hex(of: content)
        // What was not on the disk yet when the power failed is empty, and so nothing to lose.
        return digests.contains(digest) || content.isEmpty ? .ours(digest) : .foreign
    }

    private func place(of file: String) -> (folder: Int32, name: String) {
        file.hasPrefix(Self.posts + "/") ? (posts, String(file.dropFirst(Self.posts.count + 1))) : (root, file)
    }

    /// Whether a path within the folder is one that pages are given.
    static func isPage(_ file: String) -> Bool {
        file == index || file.hasPrefix(posts + "/") && PageName.isOne(String(file.dropFirst(posts.count + 1)))
    }

    static let index = "index.html"
    /// Where the pages of posts are.
    static let posts = "posts"
    /// What is being written, before it gets its name.
    private static let draft = PageManifest.name + ".draft"
}

/// The names of files of pages.
enum PageName {
    /// A name for the page of a post, always the same: some words of its title, and a number made of its id.
    static func of(_ post: PostID, title: String) -> String {
        let slug = Slug.of(title)
        let id = "\(post.source.kind) \(post.source.address) \(post.local)"
        return (slug.isEmpty ? "" : slug + "-") + SHA256.hex(of: id.utf8).prefix(digitCount) + ".html"
    }

    /// Whether a file may have been named here.
    static func isOne(_ name: String) -> Bool {
        let digits = name.dropLast(suffix.count).suffix(digitCount)
        return name.hasSuffix(suffix) && digits.count == digitCount && digits.allSatisfy(\.isHexDigit)
            && name.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 >= 0x20 }
    }

    private static let suffix = ".html"
    private static let digitCount = 12
}
