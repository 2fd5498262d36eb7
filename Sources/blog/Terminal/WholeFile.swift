import Foundation

/// A file that is written as a whole or not at all.
enum WholeFile {
    /// Writes a file, in the place of one that is there.
    ///
    /// Throws an ``OutputError``.
    ///
    /// - Parameter mode: who may read it.
    static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws {
        let part = path + ".part"
        // What a run that was killed left behind may have another mode, or be a link.
        unlink(part)
        let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure(path) }
        do {
            try FileStream(descriptor: file).write(Array(text.utf8))
        } catch {
            close(file)
            unlink(part)
            throw error
        }
        guard close(file) == 0, rename(part, path) == 0 else {
            let error = failure(path)
            unlink(part)
            throw error
        }
    }

    /// Why the last call of the system failed.
    static func failure(_ path: String) -> OutputError { .failed("\(path): \(String(cString: strerror(errno)))") }
}
