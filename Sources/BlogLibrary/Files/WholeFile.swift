import Essentials

/// A file that is written as a whole or not at all.
package enum WholeFile {
    /// Writes a file, in the place of one that is there.
    ///
    /// Throws an ``OutputError``.
    ///
    /// - Parameter mode: who may read it.
    package static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws {
        try write(text, to: path, in: AT_FDCWD, draft: path + ".part", of: AT_FDCWD, path: path, mode: mode)
    }

    /// Writes a file of an open folder, by way of a draft in the same or another one.
    ///
    /// Throws an ``OutputError``.
    ///
    /// - Parameters:
    ///   - path: what messages call it.
    ///   - didStep: is called after each step that a kill may be the last before.
    package static func write(
        _ text: String, to name: String, in folder: Int32, draft: String, of draftFolder: Int32, path: String,
        mode: mode_t = 0o644, didStep: () -> Void = {}
    ) throws {
        // What a run that was killed left behind may have another mode, or be a link.
        unlinkat(draftFolder, draft, 0)
        let file = openat(draftFolder, draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure(path) }
        didStep()
        do {
            try FileStream(descriptor: file).write(Array(text.utf8))
        } catch {
            close(file)
            unlinkat(draftFolder, draft, 0)
            throw error
        }
        guard close(file) == 0 else {
            let error = failure(path)
            unlinkat(draftFolder, draft, 0)
            throw error
        }
        didStep()
        guard renameat(draftFolder, draft, folder, name) == 0 else {
            let error = failure(path)
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

    /// Why the last call of the system failed.
    package static func failure(_ path: String) -> OutputError {
        .failed("\(path): \(String(cString: strerror(errno)))")
    }
}
