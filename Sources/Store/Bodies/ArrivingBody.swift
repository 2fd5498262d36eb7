import Essentials

/// The content of a body that has arrived.
package enum BodyContent: Sendable {
    /// The whole text.
    case text(String)
    /// The whole text, in a temporary file because it is too long for memory.
    case staged(StagedText)
    /// Not modified: the stored body is still current.
    case unchanged
}

/// A body that is arriving: in memory, as nearly every body is short, or in a temporary file if it is long.
package struct ArrivingBody {
    private var text = ""
    private var staged: StagedText?

    package init() {}

    /// Appends the next piece.
    package mutating func append(_ piece: String) throws {
        if text.isEmpty { text = piece } else { text += piece }
        if text.utf8.count >= PostStore.partSize { try stage() }
    }

    /// The whole body.
    package mutating func finish() throws -> BodyContent {
        guard let staged else { return .text(text) }
        try stage()
        return .staged(staged)
    }

    private mutating func stage() throws {
        let staged = try staged ?? StagedText()
        try staged.append(text)
        self.staged = staged
        text = ""
    }
}

/// A text that is too long for memory, in a temporary file.
///
/// The file has no name: no other process sees it, and it is gone when the process ends.
package final class StagedText: Sendable {
    private let file: Int32

    /// An empty text.
    ///
    /// Like all functions here it throws a ``StoreError``.
    package init() throws {
        var path = Array("\(Self.folder)/blog-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { throw Self.failure(.noTemporarySpace) }
        // Child processes, such as a pager, must not inherit it.
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        unlink(path)
        self.file = file
    }

    deinit {
        close(file)
    }

    /// Appends a piece.
    package func append(_ piece: String) throws {
        var piece = piece
        try piece.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = write(file, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.failure(.noTemporarySpace) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// How many bytes there are.
    package var count: Int { Int(lseek(file, 0, SEEK_END)) }

    /// The part of the text that begins at a byte, at most ``PostStore/partSize`` long and cut between characters; nil
    /// at the end.
    ///
    /// - Parameter place: is moved to the part after it.
    package func part(at place: inout Int) throws -> String? {
        var count = 0
        let part = String(unsafeUninitializedCapacity: PostStore.partSize) { bytes in
            count = pread(file, bytes.baseAddress, bytes.count, off_t(place))
            // The last character may be cut in two, so it is left for the next part.
            if count == bytes.count { count = bytes.lastIndex { !UTF8.isContinuation($0) } ?? count }
            return max(0, count)
        }
        guard count >= 0 else { throw Self.failure(.failed(String(cString: strerror(errno)))) }
        place += count
        return count == 0 ? nil : part
    }

    private static func failure(_ reason: StoreError.Reason) -> StoreError {
        StoreError(path: folder, reason: reason)
    }

    /// Where such files lie: where the user says so, if that is a folder, else where there is more room than in memory,
    /// in which /tmp is on many systems.
    package static let folder: String = {
        let wanted = getenv("TMPDIR").map { String(cString: $0) }
        return [wanted, "/var/tmp"].compactMap(\.self).first { access($0, W_OK | X_OK) == 0 } ?? "/tmp"
    }()
}
