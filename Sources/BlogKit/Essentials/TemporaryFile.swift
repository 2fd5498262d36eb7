/// A temporary file without a name: no other process can open it, and it is deleted when it is released.
package final class TemporaryFile: Sendable {
    private let descriptor: Int32

    /// Returns nil if it can't be created.
    package convenience init?() {
        var path = Array("\(Self.folder)/blog-XXXXXX".utf8CString)
        self.init(descriptor: mkstemp(&path))
        unlink(path)
    }

    /// Takes an open file; returns nil for a negative number.
    package init?(descriptor: Int32) {
        self.descriptor = descriptor
        guard descriptor >= 0 else { return nil }
        // Child processes, such as a pager, must not inherit it.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Writes bytes at an offset; returns false if there is no space for all of them.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Reads bytes at an offset; returns how many, or -1 and an error in `errno`.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }

    /// The folder of temporary files: TMPDIR, or else /var/tmp, because on many systems /tmp is in memory.
    package static let folder: String = {
        let wanted = getenv("TMPDIR").map { String(cString: $0) }
        return [wanted, "/var/tmp"].compactMap(\.self).first { access($0, W_OK | X_OK) == 0 } ?? "/tmp"
    }()
}
