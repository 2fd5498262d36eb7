import BlogEssentials
import BlogModel
import BlogRendering
import Synchronization

/// A folder of pages: `index.html`, for a long list also `page-2.html` and so on, and the pages of posts in `posts`.
///
/// All file names are made here; servers contribute only letters, digits and dashes of titles. Files that weren't
/// written here or have been changed since are never touched, and links are never followed except for the folder
/// itself: see ``PageManifest``.
package final class PageFolder: Sendable {
    package let path: String
    private let root: Int32
    private let posts: Int32
    private let state: Mutex<State>
    /// Called after each step, for tests that interrupt it there.
    private let didStep: @Sendable () -> Void

    private struct State {
        var manifest: PageManifest
        /// The digests of the pages written in this run.
        var written: [String: String] = [:]
    }

    /// Creates the folder if it doesn't exist.
    ///
    /// Throws ``FileError/unusableFolder(_:reason:)`` if it contains other files, ``FileError/folderInUse(_:)``,
    /// ``FileError/fileInTheWay(_:)``, or an ``OutputError``.
    package init(path: String, didStep: @escaping @Sendable () -> Void = {}) throws {
        self.path = path
        self.didStep = didStep
        try Self.make(path)
        root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { throw Self.unusable(path) }
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        state = Mutex(State(manifest: try PageManifest(in: root, path: path, names: names ?? ["?"])))
        didStep()
        if mkdirat(root, Self.posts, 0o777) != 0, errno != EEXIST { throw Self.unusable(path + "/" + Self.posts) }
        posts = openat(root, Self.posts, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard posts >= 0 else {
            throw FileError.unusableFolder(
                path + "/" + Self.posts, reason: "it is a symbolic link or not a directory")
        }
        didStep()
        try check([Self.index])
    }

    deinit {
        close(root)
        close(posts)
    }

    private static func make(_ path: String) throws {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw FileError.unusableFolder(path, reason: "not a directory")
            }
        } else if (try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)) == nil,
            // Only the system call gives the reason.
            mkdir(path, 0o777) != 0, errno != EEXIST
        {
            throw unusable(path)
        }
    }

    /// The error of the last system call.
    fileprivate static func unusable(_ path: String) -> FileError {
        .unusableFolder(path, reason: String(cString: strerror(errno)))
    }

    /// Throws ``FileError/fileInTheWay(_:)`` if another file has the name of one of these.
    package func check(_ files: [String]) throws {
        try state.withLock { state in
            for file in files where try status(of: file, state.manifest) == .foreign {
                throw FileError.fileInTheWay(path + "/" + file)
            }
        }
    }

    /// Writes a page, unless it is unchanged.
    ///
    /// Throws ``FileError/fileInTheWay(_:)`` or an ``OutputError``.
    package func write(_ page: String, to file: String) throws {
        let digest = SHA256.hex(of: page.utf8)
        try state.withLock { state in
            switch try status(of: file, state.manifest) {
            case .foreign: throw FileError.fileInTheWay(path + "/" + file)
            case .ours(digest): break
            case .ours, .absent:
                try state.manifest.add(digest, file)
                didStep()
                let (folder, name) = location(of: file)
                try put(page, folder, name)
            }
            state.written[file] = digest
        }
    }

    /// Removes pages of an earlier run that this one didn't write; returns those that were changed since and are kept.
    package func finish() throws -> [String] {
        try state.withLock { state in
            var changed: [String] = []
            for file in state.manifest.digests.keys.sorted() where state.written[file] == nil {
                switch try status(of: file, state.manifest) {
                case .absent: break
                case .foreign: changed.append(file)
                case .ours:
                    let (folder, name) = location(of: file)
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

    // MARK: Existing files

    private enum Status: Equatable {
        case absent
        /// Written here and unchanged since, with its digest.
        case ours(String)
        case foreign
    }

    private func status(of file: String, _ manifest: PageManifest) throws -> Status {
        let (folder, name) = location(of: file)
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
        // A file that wasn't flushed before a power failure is empty, so nothing is lost.
        return digests.contains(digest) || content.isEmpty ? .ours(digest) : .foreign
    }

    private func location(of file: String) -> (folder: Int32, name: String) {
        file.hasPrefix(Self.posts + "/") ? (posts, String(file.dropFirst(Self.posts.count + 1))) : (root, file)
    }

    /// Whether a path in the folder may be that of a page.
    static func isPage(_ file: String) -> Bool {
        PageIndex.isFile(file)
            || file.hasPrefix(posts + "/") && PageName.isValid(String(file.dropFirst(posts.count + 1)))
    }

    package static let index = "index.html"
    package static let posts = "posts"
    /// The file that is being written, before it gets its name.
    private static let draft = PageManifest.name + ".draft"
}

/// A file in a folder of pages that lists the names and digests of everything written there.
///
/// Only files that still have a listed digest may be replaced or removed. A line is appended before its file is put in
/// place, so that the list covers whatever an interrupted run leaves behind; a replaced file has several lines. The
/// format is that of `sha256sum`, which can check them.
final class PageManifest {
    private let file: Int32
    private(set) var digests: [String: Set<String>] = [:]

    /// The manifest of a folder that is otherwise empty or has one already; locked until the process ends.
    ///
    /// Throws ``FileError/unusableFolder(_:reason:)`` if there are files that may not be ours, ``FileError/folderInUse(_:)``
    /// if another process is writing to it, or an ``OutputError``.
    ///
    /// - Parameter names: the contents of the folder.
    init(in folder: Int32, path: String, names: [String]) throws {
        let foreign = FileError.unusableFolder(path, reason: "it contains other files")
        var opened = openat(folder, Self.name, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
        if opened < 0, errno == ENOENT {
            guard names.isEmpty else { throw foreign }
            opened = openat(folder, Self.name, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
            guard opened >= 0 else { throw PageFolder.unusable(path) }
        }
        guard opened >= 0 else { throw foreign }
        file = opened
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { throw FileError.folderInUse(path) }
        let text = String(decoding: WholeFile.content(of: file) ?? [], as: UTF8.self)
        if text.hasPrefix(Self.header) {
            read(text)
            // The last line may be incomplete.
            if !text.hasSuffix("\n") { try append("\n") }
        } else if Self.header.hasPrefix(text), names.allSatisfy({ $0 == Self.name }) {
            ftruncate(file, 0)
            try append(Self.header)
        } else {
            throw foreign
        }
    }

    deinit { close(file) }

    /// Records that a file is about to be written.
    func add(_ digest: String, _ name: String) throws {
        guard digests[name, default: []].insert(digest).inserted else { return }
        try append(Self.line(digest, name))
    }

    /// The text of a manifest with one digest per file.
    static func text(_ digests: [String: String]) -> String {
        header + digests.sorted { $0.key < $1.key }.map { line($0.value, $0.key) }.joined()
    }

    private func append(_ text: String) throws { try FileStream(descriptor: file).write(Array(text.utf8)) }

    private func read(_ text: String) {
        for line in text.split(separator: "\n") {
            let (digest, name) = (line.prefix(64), String(line.dropFirst(66)))
            guard line.dropFirst(64).hasPrefix("  "), digest.utf8.count == 64, PageFolder.isPage(name) else { continue }
            digests[name, default: []].insert(String(digest))
        }
    }

    private static func line(_ digest: String, _ name: String) -> String { "\(digest)  \(name)\n" }

    static let name = ".blog-pages"
    private static let header = "# Written by blog, which replaces and removes only files that are as listed here.\n"
}
