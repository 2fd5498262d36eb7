/// The lines of a file or of stdin, as bytes without the line ends.
///
/// They end early if reading fails; ``finish()`` then throws.
package final class LineReader: Sequence, IteratorProtocol {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0
    private var failure: FileError?

    /// A reader of the file at a path, `-` for stdin.
    ///
    /// Throws ``FileError/unreadable(_:reason:)``.
    package init(path: String) throws {
        let descriptor = path == "-" ? dup(0) : try Self.open(path)
        guard let file = fdopen(descriptor, "r") else { throw Self.failure(of: path) }
        self.path = path
        self.file = file
    }

    /// Opens a file, but not a pipe or a device, which could block for ever.
    ///
    /// Those in `/dev` are meant: a shell's `<(command)` is `/dev/fd/63`.
    private static func open(_ path: String) throws -> Int32 {
        let isMeant = ["/dev/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
        let descriptor = BlogEssentials.open(path, O_RDONLY | O_CLOEXEC | (isMeant ? 0 : O_NONBLOCK | O_NOCTTY))
        guard descriptor >= 0 else { throw failure(of: path) }
        var status = stat()
        // Reading a directory fails with the system's reason.
        guard isMeant || fstat(descriptor, &status) == 0 && [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
            close(descriptor)
            throw FileError.unreadable(path, reason: "not a regular file")
        }
        return descriptor
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
        guard count > 0, let line = buffer else { return nil }
        // The buffer becomes the line's, as a line may be too long for a copy.
        (buffer, capacity) = (nil, 0)
        let length = line[count - 1] == 0x0A ? count - 1 : count
        return Data(bytesNoCopy: line, count: length, deallocator: .free)
    }

    /// Throws ``FileError/unreadable(_:reason:)`` if the lines ended because reading failed.
    package func finish() throws {
        if let failure { throw failure }
    }

    /// The ids in the lines: one per line, in the first tab-separated column, or as `id` of a JSON object, of which an array
    /// may have one per line.
    ///
    /// Other programs may have written a byte order mark before them.
    package var ids: some Sequence<String> {
        lazy.map { line in
            let id = String(decoding: line.prefix { $0 != 0x09 }, as: UTF8.self).unicodeScalars
            let text = String(id.drop { $0 == "\u{FEFF}" }).trimmed
            if ["[", "]", "[]"].contains(text) { return "" }
            return text.hasPrefix("{") ? Self.id(inObject: line) ?? text : text
        }.filter { !$0.isEmpty }
    }

    private static func id(inObject line: Data) -> String? {
        struct Record: Decodable { let id: String }
        let object = line[...(line.lastIndex(of: UInt8(ascii: "}")) ?? line.startIndex)]
        return (try? JSONDecoder().decode(Record.self, from: object))?.id
    }

    /// The ids in operands, where `-` stands for the ids on stdin.
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
        // A closed stdin isn't open for reading (`StandardStreams`).
        let isClosed = path == "-" && [EBADF, EINVAL].contains(errno)
        return .unreadable(path, reason: isClosed ? "it is closed" : String(cString: strerror(errno)))
    }
}
