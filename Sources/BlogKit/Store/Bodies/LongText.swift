import BlogEssentials
import BlogModel

/// A text in a temporary file.
final class TextFile: LongText {
    private let file: TemporaryFile

    init() throws {
        guard let file = TemporaryFile() else { throw Self.failure(.noTemporarySpace) }
        self.file = file
    }

    func write(_ text: String, at offset: Int) throws {
        var text = text
        let isWritten = text.withUTF8 { file.write(UnsafeRawBufferPointer($0), at: offset) }
        guard isWritten else { throw Self.failure(.noTemporarySpace) }
    }

    func part(at place: inout Int) throws -> String? {
        var count = 0
        let part = String(unsafeUninitializedCapacity: PostStore.partSize) { bytes in
            count = file.read(into: UnsafeMutableRawBufferPointer(bytes), at: place)
            // The last character may be incomplete, so leave it to the next part.
            if count == bytes.count { count = bytes.lastIndex { !UTF8.isContinuation($0) } ?? count }
            return max(0, count)
        }
        guard count >= 0 else { throw Self.failure(.failed(String(cString: strerror(errno)))) }
        place += count
        return count == 0 ? nil : part
    }

    private static func failure(_ reason: StoreError.Reason) -> StoreError {
        StoreError(path: TemporaryFile.folder, reason: reason)
    }
}
