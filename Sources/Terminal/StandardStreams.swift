import BlogLibrary
import Essentials

extension FileStream {
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
                // Without requested events, only the end of the reader is reported.
                var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
                if poll(&waiting, 1, 0) > 0 { throw OutputError.closed }
                usleep(delay)
                delay = min(delay * 2, 10_000)
            }
        #endif
    }
}

/// Reserves the numbers of the standard streams.
///
/// A file that is opened while stdout is closed would get its number, and our output with it.
package enum StandardStreams {
    /// Opens something unusable in the place of each closed stream; once, before anything else.
    package static func prepare() {
        for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] where fcntl(number, F_GETFD) == -1 {
            // The lowest number that is free is the one that is missing.
            _ = open("/dev/null", mode)
        }
    }
}
