import Foundation

/// A response whose body may still be arriving.
public struct HTTPResponse: Sendable {
    /// The address that was requested first, before any redirect.
    public let url: URL
    /// The address that responded, behind all redirects.
    package let finalURL: URL
    /// The address to request from now on, the final one where every redirect on the way was permanent (301, 308; RFC
    /// 9110, section 15.4, https://www.rfc-editor.org/rfc/rfc9110#section-15.4); nil where there was none, or another.
    package let permanentURL: URL?
    /// The status and the headers.
    public let head: HTTPHead
    /// The body, which may still be arriving.
    public let body: ResponseBody
    /// The address that the connection was made to; nil where a proxy was asked, or the transport doesn't tell.
    package let peer: NetworkAddress?

    /// A response as a transport gives it: of the address that it requested, as it follows no redirect.
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

    /// Whether what the validators stand for is still current.
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

    /// What the body is (`Content-Type`); nil where the server doesn't say.
    package var mediaType: MediaType? { self["Content-Type"].flatMap { MediaType($0) } }

    /// The name of the body's encoding in lower case, where the server says so.
    package var charset: String? { mediaType?.charset }

    /// How many bytes the body will have, where the server says so and doesn't compress it.
    package var bodyLength: Int? {
        self["Content-Encoding"] == nil ? self["Content-Length"].flatMap { Int($0) } : nil
    }
}
