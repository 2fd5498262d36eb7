import Foundation

/// A response whose body may still be arriving.
package struct HTTPResponse: Sendable {
    /// The address that was requested first, before any redirect.
    package let url: URL
    /// The address that responded, behind all redirects.
    package let finalURL: URL
    /// The address to request from now on, the final one where every redirect on the way was permanent (301, 308; RFC
    /// 9110, section 15.4, https://www.rfc-editor.org/rfc/rfc9110#section-15.4); nil where there was none, or another.
    package let permanentURL: URL?
    package let head: HTTPHead
    package let body: ResponseBody

    package init(
        url: URL, finalURL: URL? = nil, permanentURL: URL? = nil, head: HTTPHead, body: ResponseBody
    ) {
        self.url = url
        self.finalURL = finalURL ?? url
        self.permanentURL = permanentURL
        self.head = head
        self.body = body
    }

    /// Whether what the validators stand for is still current.
    package var isNotModified: Bool { head.status == 304 }
}
