/// An exclusive lock on a file, which also ends with the process that holds it, however that ends.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Why there is no lock.
    package enum Failure: Error {
        /// Another lock on the file is held.
        case isHeld
        /// The file can't be created.
        case noFile
    }

    /// Locks a file, readable only by its owner, which is created if needed.
    package init(path: String) throws(Failure) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .noFile }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .isHeld
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
