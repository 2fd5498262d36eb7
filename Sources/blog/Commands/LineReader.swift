import Foundation

/// The lines of a file or of stdin, without their ends, whatever bytes they are.
///
/// They end early where reading fails; ``finish()`` tells.
final class LineReader: Sequence, IteratorProtocol {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0
    private var failure: UsageError?

    /// A reader of the file at a path, `-` for stdin.
    ///
    /// Throws ``UsageError/unreadableFile(_:reason:)``.
    init(path: String) throws {
        guard let file = path == "-" ? fdopen(dup(0), "r") : fopen(path, "r") else {
            throw Self.failure(of: path)
        }
        self.path = path
        self.file = file
    }

    deinit {
        free(buffer)
        fclose(file)
    }

    func next() -> Data? {
        guard failure == nil else { return nil }
        let count = getline(&buffer, &capacity, file)
        guard ferror(file) == 0 else {
            // A truncated line is dropped, because half an id may look like an id.
            failure = Self.failure(of: path)
            return nil
        }
        guard count > 0, let buffer else { return nil }
        let line = UnsafeRawBufferPointer(start: buffer, count: count)
        return Data(line.last == 0x0A ? line.dropLast() : line[...])
    }

    /// Throws ``UsageError/unreadableFile(_:reason:)`` if the lines ended because reading failed.
    func finish() throws {
        if let failure { throw failure }
    }

    private static func failure(of path: String) -> UsageError {
        // A closed stdin is not open for reading (`StandardStreams`).
        let isClosed = path == "-" && [EBADF, EINVAL].contains(errno)
        return .unreadableFile(
            path,
            reason: isClosed ? "it is closed" : String(cString: strerror(errno)))
    }
}
