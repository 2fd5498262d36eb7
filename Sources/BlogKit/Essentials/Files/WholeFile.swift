/// Writes files atomically.
package enum WholeFile {
    /// Writes a file by way of a draft beside it, replacing an existing one.
    ///
    /// Throws an ``OutputError``.
    ///
    /// - Parameter mode: its permissions.
    package static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws {
        let draft = path + draftSuffix
        // A draft left by a killed process may have another mode or be a link.
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure(path) }
        let stream = FileStream(descriptor: file)
        do {
            let result = Result { try stream.write(Array(text.utf8)) }
            let isClosed = stream.close()
            try result.get()
            guard isClosed, rename(draft, path) == 0 else { throw failure(path) }
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// The error of the last system call.
    package static func failure(_ path: String) -> OutputError {
        .failed("\(path): \(String(cString: strerror(errno)))")
    }

    package static let draftSuffix = ".part"
}
