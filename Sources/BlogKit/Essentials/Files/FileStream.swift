/// An open file descriptor: stdout or stderr, a file, or a replacement in a test.
package struct FileStream: Sendable {
    package let descriptor: Int32

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes all of the bytes.
    ///
    /// Throws an ``OutputError``.
    package func write(_ bytes: [UInt8]) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { BlogEssentials.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            case EPIPE: throw OutputError.closed
            case EBADF: throw OutputError.failed("it is closed")
            default: throw OutputError.failed(String(cString: strerror(errno)))
            }
        }
    }

    /// Reads up to a number of bytes, until the end; fewer if reading fails.
    package func read(upTo count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(count, 1 << 16))
        while bytes.count < count {
            let size = BlogEssentials.read(descriptor, &buffer, min(buffer.count, count - bytes.count))
            if size > 0 { bytes += buffer[..<size] }
            guard size > 0 || size < 0 && errno == EINTR else { break }
        }
        return bytes
    }

    /// Closes it; false if the data couldn't be stored.
    @discardableResult package func close() -> Bool { BlogEssentials.close(descriptor) == 0 }
}

/// Why output could not be written.
package enum OutputError: Error, Equatable {
    /// The reader closed the pipe.
    case closed
    /// An error of the system: "No space left on device".
    case failed(String)
    /// The command of a pager, and its exit status: it may have shown nothing.
    case pagerFailed(String, status: Int)
}

/// Why a file that the user named can't be used.
package enum FileError: Error, Equatable {
    /// A file, `-` for stdin, that can't be opened or read to its end, and the system's reason.
    case unreadable(String, reason: String)
}
