import Foundation

/// A response whose body may still be arriving.
package struct HTTPResponse: Sendable {
    /// The address that was requested first, before any redirect.
    package let url: URL
    package let head: HTTPHead
    package let body: ResponseBody

    package init(url: URL, head: HTTPHead, body: ResponseBody) {
        self.url = url
        self.head = head
        self.body = body
    }

    /// Whether what the validators stand for is still current.
    package var isNotModified: Bool { head.status == 304 }
}
