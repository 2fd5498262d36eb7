import Foundation
import Terminal

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
