import Essentials
import Model
import Rendering
import Synchronization

/// A folder of pages: `index.html`, of a long list `page-2.html` and so on, and the others below `posts`.
///
/// All names are made here; nothing of a server is part of one but letters, digits and dashes of a title. Files that were
/// not written here, or were changed since, are never touched, and links never followed but for the folder itself: see
/// ``PageManifest``.
package final class PageFolder: Sendable {
    package let path: String
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
    /// Throws ``FileError/unusableFolder(_:reason:)`` if there is something that was not made here,
    /// ``FileError/folderInUse(_:)``, ``FileError/fileInTheWay(_:)``, or an ``OutputError``.
    package init(path: String, didStep: @escaping @Sendable () -> Void = {}) throws {
        self.path = path
        self.didStep = didStep
        try Self.make(path)
        root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { throw WholeFile.failure(path) }
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        do {
            state = Mutex(State(manifest: try PageManifest(in: root, path: path, names: names ?? ["?"])))
        } catch PageManifest.Problem.foreign {
            throw FileError.unusableFolder(path, reason: "it contains other files")
        } catch PageManifest.Problem.locked {
            throw FileError.folderInUse(path)
        }
        didStep()
        if mkdirat(root, Self.posts, 0o777) != 0, errno != EEXIST { throw WholeFile.failure(path + "/" + Self.posts) }
        posts = openat(root, Self.posts, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard posts >= 0 else {
            throw FileError.unusableFolder(path + "/" + Self.posts, reason: "not a folder, or a symbolic link")
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
                throw FileError.unusableFolder(path, reason: "not a folder")
            }
        } else if (try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)) == nil,
            // Only the system says why.
            mkdir(path, 0o777) != 0, errno != EEXIST
        {
            throw WholeFile.failure(path)
        }
    }

    /// Throws ``FileError/fileInTheWay(_:)`` if one of these files can't be written, as another has its name.
    package func check(_ files: [String]) throws {
        try state.withLock { state in
            for file in files where try standing(of: file, state.manifest) == .foreign {
                throw FileError.fileInTheWay(path + "/" + file)
            }
        }
    }

    /// Writes a page, unless it is there as it is.
    ///
    /// Throws ``FileError/fileInTheWay(_:)`` or an ``OutputError``.
    package func write(_ page: String, to file: String) throws {
        let digest = SHA256.hex(of: page.utf8)
        try state.withLock { state in
            switch try standing(of: file, state.manifest) {
            case .foreign: throw FileError.fileInTheWay(path + "/" + file)
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
    package func finish() throws -> [String] {
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
        PageIndex.isFile(file) || file.hasPrefix(posts + "/") && PageName.isOne(String(file.dropFirst(posts.count + 1)))
    }

    package static let index = "index.html"
    /// The folder of the pages of posts.
    package static let posts = "posts"
    /// What is being written, before it gets its name.
    private static let draft = PageManifest.name + ".draft"
}

/// The names and digests of all that was written to a folder of pages, in a file of that folder.
///
/// Only what is listed there, and still has a digest that is listed for it, may be replaced or removed. A line is added
/// before its file is put in place, so that the list names whatever an interrupted run has left; a file that was
/// replaced has several. The lines are those of `sha256sum`, which can check them.
final class PageManifest {
    private let file: Int32
    private(set) var digests: [String: Set<String>] = [:]

    /// The manifest of a folder that is empty but for it, or has one already; locked until the process ends.
    ///
    /// Throws a ``Problem`` or an ``OutputError``.
    ///
    /// - Parameter names: what is in the folder.
    init(in folder: Int32, path: String, names: [String]) throws {
        var opened = openat(folder, Self.name, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
        if opened < 0, errno == ENOENT {
            guard names.isEmpty else { throw Problem.foreign }
            opened = openat(folder, Self.name, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
            guard opened >= 0 else { throw WholeFile.failure(path + "/" + Self.name) }
        }
        guard opened >= 0 else { throw Problem.foreign }
        file = opened
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { throw Problem.locked }
        let text = String(decoding: WholeFile.content(of: file) ?? [], as: UTF8.self)
        if text.hasPrefix(Self.header) {
            read(text)
            // The last line may not have been written to its end.
            if !text.hasSuffix("\n") { try append("\n") }
        } else if Self.header.hasPrefix(text), names.allSatisfy({ $0 == Self.name }) {
            ftruncate(file, 0)
            try append(Self.header)
        } else {
            throw Problem.foreign
        }
    }

    deinit { close(file) }

    /// Why a folder can't be written to.
    enum Problem: Error {
        /// It has files that nothing says are ours.
        case foreign
        /// Another process is writing to it.
        case locked
    }

    /// Notes that a file is about to be written.
    func add(_ digest: String, _ name: String) throws {
        guard digests[name, default: []].insert(digest).inserted else { return }
        try append(Self.line(digest, name))
    }

    /// The manifest of files of which each has one digest.
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
