import Essentials
import Model
import Synchronization

/// A response whose body may still be arriving.
public struct HTTPResponse: Sendable {
    /// The address that was requested first, before any redirect.
    public let url: URL
    /// The address that responded, after all redirects.
    package let finalURL: URL
    /// The address to request from now on, the final one where every redirect on the way was permanent (301, 308; RFC
    /// 9110, section 15.4, https://www.rfc-editor.org/rfc/rfc9110#section-15.4); nil where there was none, or another.
    package let permanentURL: URL?
    /// The status and the headers.
    public let head: HTTPHead
    /// The body, which may still be arriving.
    public let body: ResponseBody
    /// The address of the connection; nil with a proxy, or if the transport doesn't tell.
    package let peer: NetworkAddress?

    /// A response of a transport, which doesn't follow redirects.
    public init(url: URL, head: HTTPHead, body: ResponseBody) {
        self.init(url: url, finalURL: url, head: head, body: body)
    }

    package init(
        url: URL, finalURL: URL, permanentURL: URL? = nil, head: HTTPHead, body: ResponseBody,
        peer: NetworkAddress? = nil
    ) {
        self.peer = peer
        self.url = url
        self.finalURL = finalURL
        self.permanentURL = permanentURL
        self.head = head
        self.body = body
    }

    /// Whether the copy of the validators is still current.
    package var isNotModified: Bool { head.status == 304 }
}

/// The status and the headers of a response.
public struct HTTPHead: Sendable {
    /// The status code: 200, 404.
    public let status: Int
    private let fields: [(name: String, value: String)]

    /// A head; the names of headers may be of any case.
    public init(status: Int, headers: [String: String] = [:]) {
        self.init(status: status, fields: headers.map { ($0.key, $0.value) })
    }

    /// A head whose fields may repeat; the values of such a field are joined (RFC 9110, section 5.3).
    public init(status: Int, fields: [(name: String, value: String)]) {
        self.status = status
        self.fields = fields
    }

    /// The value of a header, its name given in any case.
    public subscript(name: String) -> String? {
        // A response has some ten headers, of which five are looked up: a dictionary would take longer to make.
        let values = fields.filter { Self.isSame($0.name, name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private static func isSame(_ name: String, _ other: String) -> Bool {
        name == other || name.utf8.count == other.utf8.count && name.lowercased() == other.lowercased()
    }

    package var isSuccess: Bool { (200...299).contains(status) }

    /// The type of the body (`Content-Type`); nil if the server doesn't say.
    package var mediaType: MediaType? { self["Content-Type"].flatMap { MediaType($0) } }

    /// The name of the body's encoding in lower case; nil if the server doesn't say.
    package var charset: String? { mediaType?.charset }

    /// The length of the body in bytes; nil if the server doesn't say, or compresses it.
    package var bodyLength: Int? {
        self["Content-Encoding"] == nil ? self["Content-Length"].flatMap { Int($0) } : nil
    }
}

/// The body of a response as a stream of chunks, pulled by the reader: without a reader, the transfer pauses.
///
/// It can be read once. Reading throws an ``HTTPError`` or `CancellationError`. The transfer is cancelled when the body
/// is released.
public final class ResponseBody: AsyncSequence, Sendable {
    /// A chunk: bytes as they came, at least one.
    public typealias Element = [UInt8]

    /// The prefix that was read ahead to check the response, not returned yet.
    private let prefix: Mutex<[UInt8]>
    /// Whether the body ends with the prefix.
    package let isComplete: Bool
    private let readChunk: @Sendable () async throws -> [UInt8]?

    /// A body from a function that returns the next chunk, nil at the end.
    public convenience init(_ nextChunk: @escaping @Sendable () async throws -> [UInt8]?) {
        self.init(prefix: [], readChunk: nextChunk)
    }

    /// A body in memory.
    public convenience init(_ data: Data) {
        self.init(prefix: Array(data), isComplete: true) { nil }
    }

    /// A body from a prefix and a function that returns the next chunk, nil at the end.
    package init(
        prefix: [UInt8], isComplete: Bool = false, readChunk: @escaping @Sendable () async throws -> [UInt8]?
    ) {
        self.prefix = Mutex(prefix)
        self.isComplete = isComplete
        self.readChunk = readChunk
    }

    /// The next chunk, never an empty one; nil at the end.
    public func next() async throws -> [UInt8]? {
        let taken = prefix.withLock { prefix in
            defer { prefix = [] }
            return prefix
        }
        if !taken.isEmpty { return taken }
        return isComplete ? nil : try await readChunk()
    }

    /// The rest of the body.
    public func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    /// Pulls the chunks one by one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: ResponseBody

        /// The next chunk; nil at the end.
        public func next() async throws -> [UInt8]? { try await body.next() }
    }

    /// The whole body if it was read ahead to its end; else "".
    package var whole: Data { isComplete ? prefix.withLock { Data($0) } : Data() }

    /// This body with at least `count` bytes buffered, or all of them if it has fewer.
    func reading(ahead count: Int) async throws -> ResponseBody {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let chunk = try await next() else {
                return ResponseBody(prefix: bytes, isComplete: true, readChunk: readChunk)
            }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
        }
        return ResponseBody(prefix: bytes, readChunk: readChunk)
    }
}

/// The media type of a body or a link (RFC 9110, section 8.3, https://www.rfc-editor.org/rfc/rfc9110#section-8.3).
package struct MediaType: Hashable, Sendable {
    /// The type without its parameters, in lower case: `application/atom+xml`.
    package let name: String
    /// The name of the text's encoding in lower case; nil if not given.
    package let charset: String?

    /// Parses a `Content-Type` or an attribute of HTML; nil if it isn't a media type.
    package init?(_ text: String) {
        // Repeated fields are joined with a comma, which isn't part of a type.
        let first = text.prefix { $0 != "," }.lowercased()
        let parts = first.split(separator: ";").map { $0.trimmed }
        guard let name = parts.first, name.contains("/") else { return nil }
        self.name = name
        charset = parts.dropFirst().lazy.compactMap(Self.charset).first
    }

    private static func charset(_ parameter: String) -> String? {
        let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmed }
        guard parts.count == 2, parts[0] == "charset" else { return nil }
        let value = parts[1].trimmed { "\"\' ".unicodeScalars.contains($0) }
        let isName = value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isName && !value.isEmpty ? value : nil
    }
}
