import BlogEssentials

extension FileStream {
    static let standardOutput = FileStream(descriptor: 1)
    static let standardError = FileStream(descriptor: 2)

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether both are the same terminal.
    func isSameTerminal(as other: FileStream) -> Bool {
        var (first, second) = (stat(), stat())
        return other.isTerminal && fstat(descriptor, &first) == 0 && fstat(other.descriptor, &second) == 0
            && first.st_rdev == second.st_rdev
    }

    /// Waits for input; false if none arrives in time.
    func hasInput(within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }

    private var windowSize: winsize? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? size : nil
    }

    /// The terminal's columns and rows; nil if it isn't a terminal, or its size is unknown.
    var size: (columns: Int, rows: Int)? { windowSize.map { (Int($0.ws_col), Int($0.ws_row)) } }

    /// The size of a cell; nil if it is unknown.
    var cell: PictureFrame.Cell? {
        guard let size = windowSize, size.ws_row > 0 else { return nil }
        let (width, height) = (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row))
        return width > 1 && height > 1 ? PictureFrame.Cell(width: width, height: height) : nil
    }

    /// Waits until the reader of a pipe has read everything.
    ///
    /// Throws ``OutputError/closed`` if the reader is gone.
    func waitForReader() throws {
        #if os(Linux)
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
            // Most readers are quick.
            var delay: useconds_t = 20
            while true {
                var left: Int32 = 0
                guard ioctl(descriptor, UInt(FIONREAD), &left) == 0, left > 0 else { return }
                // With no events requested, poll reports only that the reader is gone.
                var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
                if poll(&waiting, 1, 0) > 0 { throw OutputError.closed }
                usleep(delay)
                delay = min(delay * 2, 10_000)
            }
        #endif
    }
}

/// Reserves the descriptors of the standard streams.
///
/// A file opened while stdout is closed would get its number, and then our output.
package enum StandardStreams {
    /// Opens `/dev/null` in place of each closed stream, in the wrong direction; call once, before anything else.
    package static func prepare() {
        for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] where fcntl(number, F_GETFD) == -1 {
            // open() returns the lowest free number.
            _ = open("/dev/null", mode)
        }
    }
}
