import BlogEssentials

package enum BodyContent: Sendable {
    /// The text.
    case text(String)
    /// The text in a temporary file, because it is too long for memory.
    case staged(StagedText)
    /// Not modified: the stored body is current.
    case unchanged
}

/// Collects a body while it arrives: in memory, or if it gets long, in a temporary file.
package struct BodyBuffer {
    private var text = ""
    private var staged: StagedText?

    package init() {}

    package mutating func append(_ chunk: String) throws {
        if text.isEmpty { text = chunk } else { text += chunk }
        if text.utf8.count >= PostStore.partSize { try stage() }
    }

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

/// A text in a temporary file, because it is too long for memory.
///
/// The file is unlinked: no other process can open it, and it is deleted when the process ends. All functions throw
/// ``StoreError``.
package final class StagedText: Sendable {
    private let file: Int32

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

    package func append(_ chunk: String) throws {
        var chunk = chunk
        try chunk.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = write(file, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.failure(.noTemporarySpace) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// The size in bytes.
    package var count: Int { Int(lseek(file, 0, SEEK_END)) }

    /// The part of the text at a byte offset, at most ``PostStore/partSize`` bytes of whole characters; nil at the end.
    ///
    /// - Parameter offset: is advanced to the end of the part.
    package func part(at offset: inout Int) throws -> String? {
        var count = 0
        let part = String(unsafeUninitializedCapacity: PostStore.partSize) { bytes in
            count = pread(file, bytes.baseAddress, bytes.count, off_t(offset))
            // The last character may be incomplete, so leave it to the next part.
            if count == bytes.count { count = bytes.lastIndex { !UTF8.isContinuation($0) } ?? count }
            return max(0, count)
        }
        guard count >= 0 else { throw Self.failure(.failed(String(cString: strerror(errno)))) }
        offset += count
        return count == 0 ? nil : part
    }

    private static func failure(_ reason: StoreError.Reason) -> StoreError {
        StoreError(path: folder, reason: reason)
    }

    /// The folder for temporary files: TMPDIR, or else /var/tmp, because on many systems /tmp is in memory.
    package static let folder: String = {
        let wanted = getenv("TMPDIR").map { String(cString: $0) }
        return [wanted, "/var/tmp"].compactMap(\.self).first { access($0, W_OK | X_OK) == 0 } ?? "/tmp"
    }()
}
