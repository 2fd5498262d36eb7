import BlogEssentials
import BlogModel

/// A response that has arrived whole.
package struct HTTPDocument: Sendable {
    /// The requested address, before any redirects.
    package let url: URL
    /// The address that responded, after all redirects.
    package let finalURL: URL
    /// The new address to request from now on, if all redirects were permanent (301, 308; RFC 9110, section 15.4,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-15.4); otherwise nil.
    package let permanentURL: URL?
    package let head: HTTPHead
    package let body: DocumentBody
    /// The other end of the connection; nil if the transport doesn't report it.
    package let peer: HTTPResponse.Peer?

    package init(
        url: URL, finalURL: URL? = nil, permanentURL: URL? = nil, head: HTTPHead, body: DocumentBody,
        peer: HTTPResponse.Peer? = nil
    ) {
        self.url = url
        self.finalURL = finalURL ?? url
        self.permanentURL = permanentURL
        self.head = head
        self.body = body
        self.peer = peer
    }

    /// Whether a server on the public internet sent it; false if that isn't known.
    package var isPublic: Bool { peer?.isPublic(host: finalURL.host) == true }

    /// Whether the cached copy that the validators identify is current.
    package var isNotModified: Bool { head.status == 304 }
}

/// The whole body of a response: in memory, or in a temporary file if it is larger than ``maxInMemory`` and there is room.
///
/// Reading throws ``StoreError/Reason/temporaryFile(_:)`` if the file can't be read.
package struct DocumentBody: Sendable {
    /// The length in bytes.
    package let count: Int
    private let content: Content

    private enum Content: Sendable {
        case memory([UInt8])
        case file(TemporaryFile)
    }

    package init(_ bytes: [UInt8]) {
        self.init(count: bytes.count, .memory(bytes))
    }

    private init(count: Int, _ content: Content) {
        (self.count, self.content) = (count, content)
    }

    /// Reads a body to its end, and rethrows its errors.
    static func collecting(
        _ body: ResponseBody, makeFile: () -> TemporaryFile? = { TemporaryFile() }
    ) async throws -> DocumentBody {
        var (bytes, file, written, hasRoom) = ([UInt8](), TemporaryFile?.none, 0, true)
        /// Moves the bytes to the file; without room for it, back to memory.
        func write() throws {
            file = file ?? makeFile()
            if let file, bytes.withUnsafeBytes({ file.write($0, at: written) }) {
                written += bytes.count
                bytes = []
            } else {
                if let file { bytes = try read(file, at: 0, count: written) + bytes }
                (file, written, hasRoom) = (nil, 0, false)
            }
        }
        while let chunk = try await body.next() {
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            if hasRoom, bytes.count > (file == nil ? maxInMemory : windowSize) { try write() }
        }
        if file != nil { try write() }
        return file.map { DocumentBody(count: written, .file($0)) } ?? DocumentBody(bytes)
    }

    /// All of it, in memory.
    package var bytes: [UInt8] { get throws { try bytes(at: 0, upTo: count) } }

    /// All of it, in memory.
    package var data: Data { get throws { Data(try bytes) } }

    /// The first bytes, as far as they can be read.
    package func prefix(_ count: Int) -> [UInt8] { (try? bytes(at: 0, upTo: count)) ?? [] }

    /// The bytes from an offset on, as many as there are up to a number.
    package func bytes(at offset: Int, upTo size: Int) throws -> [UInt8] {
        let size = min(size, count - offset)
        switch content {
        case .memory(let bytes): return size == count ? bytes : Array(bytes[offset..<offset + size])
        case .file(let file): return try Self.read(file, at: offset, count: size)
        }
    }

    /// Identifies a body that hasn't changed.
    package var digest: String {
        get throws {
            var (digest, offset) = (ContentDigest(), 0)
            while offset < count {
                let window = try bytes(at: offset, upTo: Self.windowSize)
                window.withUnsafeBytes { digest.add($0) }
                offset += window.count
            }
            return digest.text
        }
    }

    private static func read(_ file: TemporaryFile, at offset: Int, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            while done < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done..<count])
                let size = file.read(into: rest, at: offset + done)
                guard size > 0 else {
                    let reason = size == 0 ? "it is cut off" : String(cString: strerror(errno))
                    throw StoreError(path: TemporaryFile.folder, reason: .temporaryFile(reason))
                }
                done += size
            }
        }
    }

    /// The length in bytes up to which a body stays in memory.
    static let maxInMemory = 4 << 20
    /// The bytes of a file that are read at once, a multiple of the 8 of a step of the digest.
    package static let windowSize = 1 << 20
}
