import Foundation
import Synchronization

/// Bytes that wait on the disk, in a file without a name that is gone with its owner, however that ends.
package final class SpoolFile: Sendable {
    private let descriptor: Int32
    private let length = Atomic(0)

    /// An empty file in the folder for temporary files; throws ``HTTPError/noRoom`` where none can be made.
    package init() throws {
        var path = Array(FileManager.default.temporaryDirectory.appending(path: "blog-XXXXXX").path.utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw HTTPError.noRoom }
        unlink(path)
    }

    deinit {
        close(descriptor)
    }

    /// How many bytes there are.
    package var count: Int { length.load(ordering: .acquiring) }

    /// Writes behind what is there; one caller at a time.
    package func append(_ bytes: some ContiguousBytes) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = pwrite(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(count))
                guard written > 0 else { throw HTTPError.noRoom }
                rest = rest.dropFirst(written)
                length.add(written, ordering: .releasing)
            }
        }
    }

    /// The bytes from a place on, so many at most; none at the end.
    package func bytes(from place: Int, atMost most: Int) throws -> Data {
        let wanted = min(most, count - place)
        guard wanted > 0 else { return Data() }
        var data = Data(count: wanted)
        let read = data.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted, off_t(place)) }
        guard read > 0 else { throw HTTPError.noRoom }
        return data.prefix(read)
    }
}
