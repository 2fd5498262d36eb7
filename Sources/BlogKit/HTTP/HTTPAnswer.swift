import Foundation

/// A complete answer of a server.
package struct HTTPAnswer: Sendable {
    /// The address that was asked first, before any redirect.
    package let url: URL
    package let head: HTTPHead
    package let body: Data

    package init(url: URL, head: HTTPHead, body: Data) {
        self.url = url
        self.head = head
        self.body = body
    }

    /// Whether what the validators stand for is still current.
    package var isNotModified: Bool { head.status == 304 }
}
