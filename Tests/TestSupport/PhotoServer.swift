import BlogHTTP
import Foundation
import Synchronization

/// A photo server without a network: pages by number, and single photos by id.
package final class PhotoServer: Transport {
    /// The JSON of each page, from the first one on; anything else is sent unchanged.
    private let pages: [String]
    private let photos: [Int: String]
    private let status: Int
    private let headers: [String: String]
    private let requested = Mutex<[URL]>([])

    package init(pages: [String] = [], photos: [Int: String] = [:], status: Int = 200, headers: [String: String] = [:])
    {
        self.pages = pages
        self.photos = photos
        self.status = status
        self.headers = headers
    }

    /// A server with one photo.
    package static func of(_ photo: String, comments: String = "[]") -> PhotoServer {
        PhotoServer(pages: [list([photo])], photos: [1: #"{"photo":\#(photo),"comments":\#(comments)}"#])
    }

    /// The requested addresses in order.
    package var requests: [URL] { requested.withLock { $0 } }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        requested.withLock { $0.append(request.url) }
        let body = body(for: request.url)
        let head = HTTPHead(status: body == nil ? 404 : status, headers: headers)
        let text = body ?? #"{"status":404,"error":"Not found"}"#
        return HTTPResponse(url: request.url, head: head, body: ResponseBody(Data(text.utf8)))
    }

    private func body(for url: URL) -> String? {
        guard url.lastPathComponent == "photos" else { return Int(url.lastPathComponent).flatMap { photos[$0] } }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        let page = items.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 0
        return pages.indices.contains(page - 1) ? pages[page - 1] : Self.list([], of: pages.count)
    }

    /// A page of a list.
    package static func list(_ photos: [String], of pageCount: Int? = 1) -> String {
        let count = pageCount.map { #""total_pages":\#($0),"# } ?? ""
        return #"{"current_page":1,\#(count)"photos":[\#(photos.joined(separator: ","))]}"#
    }
}

/// A photo as the API sends it, with some members replaced or added.
package func photoJSON(_ id: Int = 1, _ changes: [String: String] = [:]) -> String {
    var members = [
        "id": "\(id)", "name": #""Photo \#(id)""#, "created_at": #""2018-07-03T04:06:09-04:00""#, "rating": "50",
        "user": #"{"id":7,"username":"ana"}"#,
    ]
    for (key, value) in changes { members[key] = value }
    return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
}
