/// Writes files atomically.
package enum WholeFile {
    /// Writes a file, replacing an existing one.
    ///
    /// Throws an ``OutputError``.
    ///
    /// - Parameter mode: its permissions.
    package static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws {
        try write(text, to: path, in: AT_FDCWD, draft: path + ".part", of: AT_FDCWD, path: path, mode: mode)
    }

    /// Writes a file in an open folder by way of a draft, which may be in another one.
    ///
    /// Throws an ``OutputError``.
    ///
    /// - Parameters:
    ///   - path: the path in error messages.
    ///   - didStep: called after each step, for tests that interrupt it there.
    package static func write(
        _ text: String, to name: String, in folder: Int32, draft: String, of draftFolder: Int32, path: String,
        mode: mode_t = 0o644, didStep: () -> Void = {}
    ) throws {
        // A draft left by a killed process may have another mode or be a link.
        unlinkat(draftFolder, draft, 0)
        let file = openat(draftFolder, draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure(path) }
        didStep()
        do {
            let result = Result { try FileStream(descriptor: file).write(Array(text.utf8)) }
            let isClosed = close(file) == 0
            try result.get()
            guard isClosed else { throw failure(path) }
            didStep()
            guard renameat(draftFolder, draft, folder, name) == 0 else { throw failure(path) }
        } catch {
            unlinkat(draftFolder, draft, 0)
            throw error
        }
        didStep()
    }

    /// All bytes of an open file; nil if it can't be read.
    package static func content(of file: Int32) -> [UInt8]? {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pread(file, &buffer, buffer.count, off_t(content.count))
            guard count > 0 else { return count == 0 ? content : nil }
            content += buffer[..<count]
        }
    }

    /// The error of the last system call.
    package static func failure(_ path: String) -> OutputError {
        .failed("\(path): \(String(cString: strerror(errno)))")
    }
}
