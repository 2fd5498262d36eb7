import BlogEssentials
import BlogModel
import Synchronization

/// A response of a ``Transport``, whose body may still be arriving.
public struct HTTPResponse: Sendable {
    /// The requested address.
    public let url: URL
    /// The status and headers.
    public let head: HTTPHead
    /// The body, which may still be arriving.
    public let body: ResponseBody
    /// The other end of the connection; nil if the transport doesn't report it.
    package let peer: Peer?

    /// Creates a response.
    public init(url: URL, head: HTTPHead, body: ResponseBody) {
        self.init(url: url, head: head, body: body, peer: nil)
    }

    package init(url: URL, head: HTTPHead, body: ResponseBody, peer: Peer?) {
        self.url = url
        self.head = head
        self.body = body
        self.peer = peer
    }

    /// The other end of a connection.
    package enum Peer: Hashable, Sendable {
        case server(NetworkAddress)
        /// A proxy, which doesn't tell the address of the server.
        case proxy

        /// Whether the server of a host is on the public internet; behind a proxy, only its name tells.
        func isPublic(host: String?) -> Bool {
            switch self {
            case .server(let address): !address.isPrivate
            case .proxy: !NetworkAddress.isPrivate(host: host ?? "")
            }
        }

        /// The address of the server; nil if a proxy hides it.
        var serverAddress: NetworkAddress? { if case .server(let address) = self { address } else { nil } }
    }
}

/// The status and headers of a response.
public struct HTTPHead: Sendable {
    /// The status code, such as 200 or 404.
    public let status: Int
    private let fields: [(name: String, value: String)]

    /// Creates a head; header names are case-insensitive.
    public init(status: Int, headers: [String: String] = [:]) {
        self.init(status: status, fields: headers.map { ($0.key, $0.value) })
    }

    /// Creates a head whose fields may repeat; the values of repeated fields are joined (RFC 9110, section 5.3).
    public init(status: Int, fields: [(name: String, value: String)]) {
        self.status = status
        self.fields = fields
    }

    var withoutValidators: HTTPHead {
        HTTPHead(status: status, fields: fields.filter { !["etag", "last-modified"].contains($0.name.lowercased()) })
    }

    /// The value of a header, whose name is case-insensitive; nil if it is missing.
    public subscript(name: String) -> String? {
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The values of a header that may repeat and whose values can't be joined.
    func values(of name: String) -> [String] {
        // A linear search, because building a dictionary of about ten headers takes longer than five lookups.
        fields.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    private static func isSame(_ name: String, _ other: String) -> Bool {
        name == other || name.utf8.count == other.utf8.count && name.lowercased() == other.lowercased()
    }

    /// Whether the `Content-Encoding` isn't one (https://www.iana.org/assignments/http-parameters), like `utf-8`.
    var hasUnknownEncoding: Bool {
        let names = (self["Content-Encoding"] ?? "").lowercased().split(separator: ",").map { $0.trimmed }
        return names.contains { !["", "identity", "gzip", "x-gzip", "deflate", "br", "zstd"].contains($0) }
    }

    package var isSuccess: Bool { (200...299).contains(status) }

    /// The `Content-Type`; nil if it is missing or invalid.
    package var mediaType: MediaType? { self["Content-Type"].flatMap { MediaType($0) } }

    package var charset: String? { mediaType?.charset }

    /// The length of the body in bytes; nil if it is unknown or the body is compressed.
    package var bodyLength: Int? {
        self["Content-Encoding"] == nil ? self["Content-Length"].flatMap { Int($0) } : nil
    }
}

/// The body of a response as a stream of chunks, which can be read once.
///
/// Reading throws an ``HTTPError`` or `CancellationError`. While the body isn't being read, the transfer pauses; when it is
/// released, the transfer is cancelled.
public final class ResponseBody: AsyncSequence, Sendable {
    /// A chunk of at least one byte.
    public typealias Element = [UInt8]

    private let nextChunk: @Sendable () async throws -> [UInt8]?

    /// Creates a body from a function that returns the next chunk, nil at the end.
    public init(_ nextChunk: @escaping @Sendable () async throws -> [UInt8]?) {
        self.nextChunk = nextChunk
    }

    /// Creates a body in memory.
    public convenience init(_ data: Data) {
        let rest = Mutex(data.isEmpty ? nil : Array(data))
        self.init { rest.withLock { $0.take() } }
    }

    /// Returns the next chunk, which is never empty; nil at the end.
    public func next() async throws -> [UInt8]? { try await nextChunk() }

    /// Creates an iterator over the rest of the body.
    public func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    /// Iterates over the chunks.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: ResponseBody

        /// Returns the next chunk; nil at the end.
        public func next() async throws -> [UInt8]? { try await body.next() }
    }
}
