import Foundation

/// An open file descriptor: stdout or stderr, or a replacement in a test.
package struct FileStream: Sendable {
    package let descriptor: Int32

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    static let standardOutput = FileStream(descriptor: 1)
    static let standardError = FileStream(descriptor: 2)

    /// Whether it is a terminal.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The terminal's columns and rows, or nil if it is none or doesn't say.
    var size: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// The size of a cell, or nil if it is no terminal or doesn't say.
    var cell: PictureFrame.Cell? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        let (width, height) = (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row))
        return width > 1 && height > 1 ? PictureFrame.Cell(width: width, height: height) : nil
    }

    /// Waits until the reader of a pipe has taken all that was written, and fails if there is none any more.
    ///
    /// Throws ``OutputError/closed``.
    func waitForReader() throws {
        #if os(Linux)
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
            // Most readers are there at once.
            var delay: useconds_t = 20
            while true {
                var left: Int32 = 0
                guard ioctl(descriptor, UInt(FIONREAD), &left) == 0, left > 0 else { return }
                // Without events to wait for only the end of the reader is one.
                var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
                if poll(&waiting, 1, 0) > 0 { throw OutputError.closed }
                usleep(delay)
                delay = min(delay * 2, 10_000)
            }
        #endif
    }

    /// Writes all of the bytes.
    ///
    /// Throws an ``OutputError``.
    package func write(_ bytes: [UInt8]) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
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
}
