import Foundation

/// Looks at what is at the path of a store before SQLite opens it: opening a named pipe would wait for its other end.
///
/// It opens nothing itself, as closing a file drops all locks that the process has on it.
package struct StoreFileCheck {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Whether something is at the path.
    ///
    /// Throws ``StoreError/Reason/unreadable(_:)`` if that can't be known.
    package func exists() throws -> Bool {
        if path.hasSuffix("/") { return true }
        if mode(of: path) != nil { return true }
        guard [ENOENT, ENOTDIR].contains(errno) else {
            throw StoreError.Reason.unreadable(String(cString: strerror(errno)))
        }
        return false
    }

    /// Throws a ``StoreError/Reason`` if what is at the path, or beside it under a name that SQLite uses, can't be
    /// opened; nothing if nothing is there.
    func run() throws {
        // A path that ends in a slash names a folder, whether it exists or not.
        if path.hasSuffix("/") { throw StoreError.Reason.folder }
        switch mode(of: path) {
        case nil: return
        case S_IFREG: break
        case S_IFDIR: throw StoreError.Reason.folder
        default: throw StoreError.Reason.notAFile
        }
        for suffix in ["-wal", "-shm", "-journal"] {
            if let mode = mode(of: path + suffix), mode != S_IFREG {
                throw StoreError.Reason.sideFile(path + suffix)
            }
        }
        if access(path, R_OK) != 0, errno == EACCES {
            throw StoreError.Reason.unreadable(String(cString: strerror(errno)))
        }
    }

    /// The kind of the file at a path, following links; nil if there is none, or it can't be determined.
    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
