import Foundation
import HTTP
import Markup

/// The site whose photos an API gives: it is on the API's own host, without an `api.` in front.
struct PhotoWebsite: Sendable {
    private let root: URL

    init(api: URL) {
        var site = URLComponents()
        let host = api.host() ?? ""
        (site.scheme, site.port) = (api.scheme, api.port)
        site.host = host.hasPrefix("api.") ? String(host.dropFirst("api.".count)) : host
        site.path = "/"
        root = site.url ?? api
    }

    /// The absolute http or https address that a text names, perhaps as seen from the site; nil for none.
    func address(_ text: String?) -> String? {
        text.flatMap { LinkTarget.safe($0, base: root) }.flatMap { $0.hasPrefix("http") ? $0 : nil }
    }

    /// The page of a photo.
    func page(of photo: Int) -> URL { root.appending(encodedPath: ["photo", String(photo)]) }

    /// The id of the photo that a page is about; nil for another page.
    func photo(ofPage page: URL) -> Int? {
        guard page.hostAndPort == root.hostAndPort else { return nil }
        let parts = page.path().split(separator: "/")
        return parts.first == "photo" && parts.count > 1 ? Int(parts[1]) : nil
    }
}
