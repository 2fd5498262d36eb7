import Essentials
import Model

/// The lines of a file or of stdin, without their ends, whatever bytes they are.
///
/// They end early where reading fails; ``finish()`` tells.
package final class LineReader: Sequence, IteratorProtocol {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0
    private var failure: FileError?

    /// A reader of the file at a path, `-` for stdin.
    ///
    /// Throws ``FileError/unreadableFile(_:reason:)``.
    package init(path: String) throws {
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

    package func next() -> Data? {
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

    /// Throws ``FileError/unreadableFile(_:reason:)`` if the lines ended because reading failed.
    package func finish() throws {
        if let failure { throw failure }
    }

    /// The ids in the lines as they come: one a line, the first column of a tab-separated one.
    package var ids: some Sequence<String> {
        lazy.map { line in
            String(decoding: line.prefix { $0 != 0x09 }, as: UTF8.self).trimmed
        }.filter { !$0.isEmpty }
    }

    /// The ids among operands, where `-` stands for those on stdin, which are read to their end.
    ///
    /// Throws ``FileError/unreadable(_:reason:)``.
    package static func ids(among operands: [String]) throws -> [String] {
        try operands.flatMap { operand in
            guard operand == "-" else { return [operand] }
            let lines = try LineReader(path: operand)
            let ids = Array(lines.ids)
            try lines.finish()
            return ids
        }
    }

    private static func failure(of path: String) -> FileError {
        // A closed stdin is not open for reading (`StandardStreams`).
        let isClosed = path == "-" && [EBADF, EINVAL].contains(errno)
        return .unreadable(
            path,
            reason: isClosed ? "it is closed" : String(cString: strerror(errno)))
    }
}
