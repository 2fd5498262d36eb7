/// The status and the headers of an answer.
package struct HTTPHead: Sendable {
    package let status: Int
    private let headers: [String: String]

    /// A head; the names of headers may be of any case.
    package init(status: Int, headers: [String: String]) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The value of a header, its name given in any case.
    package subscript(name: String) -> String? { headers[name.lowercased()] }

    package var isSuccess: Bool { (200...299).contains(status) }

    /// How many bytes the body will have, where the server says so and doesn't compress it.
    package var bodyLength: Int? {
        self["Content-Encoding"] == nil ? self["Content-Length"].flatMap { Int($0) } : nil
    }
}
