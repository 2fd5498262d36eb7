import Foundation
import Markup

/// Addresses as pages write them.
enum PageAddress {
    /// The address that an attribute of a page names; nil for anything but http and https with a host, or with a user
    /// name.
    ///
    /// The scheme `feed` stands for http, or before another address (https://en.wikipedia.org/wiki/Feed_URI_scheme).
    ///
    /// - Parameter base: the address that others of the page are relative to.
    static func url(_ attribute: String, relativeTo base: URL) -> URL? {
        // As https://url.spec.whatwg.org has it: around an address white space doesn't count, nor do breaks within it.
        var text = attribute.trimmingCharacters(in: .whitespacesAndNewlines)
        text.unicodeScalars.removeAll { "\t\n\r".unicodeScalars.contains($0) }
        guard !text.isEmpty, text.utf8.count <= maxBytes, !text.unicodeScalars.contains(where: Sanitizer.isControl)
        else { return nil }
        if text.lowercased().hasPrefix("feed:") {
            text.removeFirst("feed:".count)
            if text.hasPrefix("//") { text = "http:" + text }
        }
        return URL(string: text, relativeTo: base).flatMap(plain)
    }

    /// An address without its fragment, and with scheme and host in lower case, so that one is known when it comes
    /// again; nil for what ``url(_:relativeTo:)`` doesn't take.
    static func plain(_ url: URL) -> URL? {
        guard var parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true), isWeb(parts),
            parts.user == nil, parts.password == nil
        else { return nil }
        parts.scheme = parts.scheme?.lowercased()
        parts.host = parts.host?.lowercased()
        parts.fragment = nil
        if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
        return parts.url
    }

    static func isWeb(_ parts: URLComponents) -> Bool {
        ["http", "https"].contains(parts.scheme?.lowercased()) && parts.host?.isEmpty == false
    }

    /// The longest address that browsers and servers agree on, roughly.
    private static let maxBytes = 8192
}
