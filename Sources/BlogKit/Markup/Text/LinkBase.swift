import BlogEssentials
import Synchronization

/// The base URL of relative links: an http or https address without its fragment.
///
/// It implements https://www.rfc-editor.org/rfc/rfc3986#section-5 itself, because Foundation's URL rejects some links
/// and rewrites others that browsers follow unchanged. A class, because most elements of a feed or page share one.
package final class LinkBase: Sendable {
    /// With the colon: `https:`.
    private let scheme: Substring
    /// With the scheme: `https://example.com:8080`.
    private let site: String
    /// Up to the last slash, inclusive.
    private let folder: String
    private let path: String
    private let query: String
    private let allowance: LinkAllowance

    /// The maximum length of a base in bytes; browsers and servers accept about 2,000.
    package static let maxBytes = 2048

    /// Nil if the address isn't http or https, or is too long.
    package init?(_ address: some StringProtocol, allowance: LinkAllowance) {
        self.allowance = allowance
        let address = Substring(address)
        guard let colon = Self.endOfWebScheme(address) else { return nil }
        scheme = address[...colon]
        let rest = address[address.utf8.index(after: colon)...]
        func end(from start: Substring.Index, before delimiters: String) -> Substring.Index {
            rest.utf8[start...].firstIndex { delimiters.utf8.contains($0) } ?? rest.endIndex
        }
        let pathStart = end(from: rest.utf8.index(rest.startIndex, offsetBy: 2), before: "/?#")
        let queryStart = end(from: pathStart, before: "?#")
        let path = rest[pathStart..<queryStart]
        self.path = String(path)
        site = String(scheme + rest[..<pathStart])
        query = String(rest[queryStart..<end(from: queryStart, before: "#")])
        folder = path.utf8.lastIndex(of: Self.slash).map { String(path[...$0]) } ?? "/"
    }

    /// The index of the colon after the scheme of an absolute http or https address with a host, of at most
    /// ``maxBytes``; nil for any other link.
    private static func endOfWebScheme(_ address: Substring) -> String.Index? {
        guard address.utf8.count <= maxBytes, let colon = endOfScheme(address) else { return nil }
        let scheme = address.utf8[..<colon].lazy.map(\.lowercased)
        guard scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8) else { return nil }
        let rest = address.utf8[colon...].dropFirst()
        guard rest.starts(with: "//".utf8), let host = rest.dropFirst(2).first, !"/?#".utf8.contains(host) else {
            return nil
        }
        return colon
    }

    /// The absolute address of a link, without what doesn't count in it.
    ///
    /// A link with a scheme stays as it is, and so does every link once the ``LinkAllowance`` is used up.
    package func resolve(_ link: some StringProtocol) -> String {
        let link = Self.cleaned(link)
        if Self.endOfScheme(link) != nil { return String(link) }
        let absolute = absolute(link)
        return allowance.take(absolute.utf8.count - link.utf8.count) ? absolute : String(link)
    }

    private func absolute(_ link: Substring) -> String {
        // As bytes, because a link of marks is one Character, which takes quadratic time to compare.
        if link.utf8.starts(with: "//".utf8) { return scheme + String(link) }
        guard let first = link.utf8.first else { return site + path + query }
        switch first {
        case UInt8(ascii: "#"), UInt8(ascii: "?"):
            return site + (path.isEmpty ? "/" : path) + (first == UInt8(ascii: "#") ? query : "") + link
        case UInt8(ascii: "/"): return site + Self.withoutDots(link)
        default: return site + Self.withoutDots(folder + link)
        }
    }

    /// The base within an element with this `xml:base`; the same base if that isn't http or https.
    package func resolving(_ base: String) -> LinkBase { LinkBase(resolve(base), allowance: allowance) ?? self }

    /// A base for another address of the same feed, with the same allowance.
    package func other(_ address: String) -> LinkBase? { LinkBase(address, allowance: allowance) }

    /// The base for a page of the same host; nil for a page elsewhere.
    package func page(_ address: String) -> LinkBase? {
        func host(_ base: LinkBase) -> Substring { base.site.dropFirst(base.scheme.utf8.count) }
        guard address.utf8.starts(with: site.utf8), address.utf8.dropFirst(site.utf8.count).first == Self.slash else {
            return other(address).flatMap { host($0) == host(self) ? $0 : nil }
        }
        // Nearly all pages have the same scheme, too, and needn't be parsed.
        let path = address.utf8.dropFirst(site.utf8.count)
        return LinkBase(path: path.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }, of: self)
    }

    private init?(path: Substring.UTF8View, of base: LinkBase) {
        guard path.count <= Self.maxBytes else { return nil }
        (scheme, site, query, allowance) = (base.scheme, base.site, "", base.allowance)
        self.path = String(Substring(path))
        folder = path.lastIndex(of: Self.slash).map { String(Substring(path[...$0])) } ?? "/"
    }

    /// Whether an address is an absolute http or https URL of at most ``maxBytes``.
    package static func isWeb(_ address: String) -> Bool { endOfWebScheme(Substring(address)) != nil }

    package static func isAbsolute(_ link: some StringProtocol) -> Bool { endOfScheme(cleaned(link)) != nil }

    /// The index of the colon after a scheme; nil if the link is relative.
    private static func endOfScheme(_ link: Substring) -> String.Index? {
        guard let first = link.utf8.first, first.isASCIILetter else { return nil }
        let end = link.utf8.firstIndex { byte in
            !(byte.isASCIIAlphanumeric || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "."))
        }
        return end.flatMap { link.utf8[$0] == UInt8(ascii: ":") ? $0 : nil }
    }

    /// A link without what doesn't count in one: spaces around it, tabs and line breaks.
    package static func cleaned(_ link: some StringProtocol) -> Substring {
        let bytes = Substring(link).utf8.drop { $0 <= 0x20 }
        let end = bytes.lastIndex { $0 > 0x20 }
        return end.map { Substring(bytes[...$0]).withoutTabsAndLineBreaks } ?? ""
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// Removes `.` and `..` from the path (section 5.2.4), but not from the query and fragment.
    private static func withoutDots(_ link: Substring) -> String {
        guard zip(link.utf8, link.utf8.dropFirst()).contains(where: { $0 == slash && $1 == dot }) else {
            return String(link)
        }
        let end = link.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? link.endIndex
        let segments = link[..<end].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var kept: [Substring] = []
        for (index, segment) in zip(segments.indices, segments) {
            if segment == ".." { _ = kept.popLast() }
            if segment != "..", segment != "." {
                kept.append(segment)
            } else if index == segments.endIndex - 1 {
                kept.append("")
            }
        }
        return "/" + kept.joined(separator: "/") + link[end...]
    }
}

/// A limit on the bytes that resolving may add to all links of a feed or page together: with a long base, links of a few
/// bytes each would become thousands in the store.
package final class LinkAllowance: Sendable {
    private let remaining: Mutex<Int>

    package init(bytes: Int) {
        remaining = Mutex(bytes)
    }

    /// The allowance for a text of `count` bytes.
    package convenience init(textOf count: Int) {
        self.init(bytes: Self.growth * count + LinkBase.maxBytes)
    }

    /// How many times its own length a text may grow by.
    package static let growth = 4

    /// Uses `count` bytes; false if fewer remain.
    func take(_ count: Int) -> Bool {
        remaining.withLock { remaining in
            guard count <= remaining else { return false }
            remaining -= max(count, 0)
            return true
        }
    }
}
