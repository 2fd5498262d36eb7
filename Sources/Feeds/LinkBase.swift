import HTTP
import Markup
import Synchronization

/// What relative links are relative to: an address of http or https, without its fragment.
///
/// By hand, after https://www.rfc-editor.org/rfc/rfc3986#section-5: Foundation's URL refuses some links and rewrites
/// others that browsers follow as they stand. A class, because each element of a feed has one, and most have the same.
final class LinkBase: Sendable {
    /// With its colon: `https:`.
    private let scheme: Substring
    /// With its slashes: `//example.com:8080`.
    private let authority: Substring
    /// Up to the last slash and with it.
    private let folder: Substring
    private let path: Substring
    private let query: Substring
    private let allowance: LinkAllowance

    /// Nil where the address is not one of http or https, or too long for one.
    init?(_ address: some StringProtocol, allowance: LinkAllowance) {
        self.allowance = allowance
        let address = Substring(address)
        guard address.utf8.count <= HTTPLimits.addressBytes, let colon = Self.endOfScheme(address) else { return nil }
        scheme = address[...colon]
        guard ["http:", "https:"].contains(scheme.lowercased()) else { return nil }
        let rest = address[address.utf8.index(after: colon)...]
        guard rest.hasPrefix("//") else { return nil }
        let ends = rest.utf8
        let start = ends.index(ends.startIndex, offsetBy: 2)
        let pathStart = ends[start...].firstIndex(where: Self.endsAuthority) ?? ends.endIndex
        authority = rest[..<pathStart]
        let fragment = ends[pathStart...].firstIndex(of: UInt8(ascii: "#")) ?? ends.endIndex
        let queryStart = ends[pathStart..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
        let path = rest[pathStart..<queryStart]
        self.path = path
        query = rest[queryStart..<fragment]
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { path[...$0] } ?? "/"
        guard authority.utf8.count > 2 else { return nil }
    }

    /// The absolute address that a link leads to: white space around it is left out, and one with a scheme stays.
    ///
    /// It stays as it is, too, when all links together have become so much longer that no feed of people has it.
    func resolve(_ link: some StringProtocol) -> String {
        let link = Self.trimmed(Substring(link))
        if Self.endOfScheme(link) != nil { return String(link) }
        let absolute = absolute(link)
        return allowance.take(absolute.utf8.count - link.utf8.count) ? absolute : String(link)
    }

    private func absolute(_ link: Substring) -> String {
        if link.hasPrefix("//") { return scheme + String(link) }
        let site = scheme + authority
        guard let first = link.utf8.first else { return String(site + path + query) }
        switch first {
        case UInt8(ascii: "#"), UInt8(ascii: "?"):
            return String(site + (path.isEmpty ? "/" : path) + (first == UInt8(ascii: "#") ? query : "") + link)
        case UInt8(ascii: "/"): return site + Self.withoutDots(link)
        default: return site + Self.withoutDots(folder + link)
        }
    }

    /// What an `xml:base` makes of this: itself where it names something other than http.
    func resolving(_ base: String) -> LinkBase { LinkBase(resolve(base), allowance: allowance) ?? self }

    /// The base that another address of the same feed is.
    func other(_ address: String) -> LinkBase? { LinkBase(address, allowance: allowance) }

    /// Whether an address is one of http or https.
    static func isWeb(_ address: String) -> Bool { LinkBase(address, allowance: LinkAllowance(bytes: 0)) != nil }

    static func isAbsolute(_ link: some StringProtocol) -> Bool { endOfScheme(trimmed(Substring(link))) != nil }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Where the colon of `https:` is.
    private static func endOfScheme(_ link: Substring) -> String.Index? {
        guard let first = link.utf8.first, first.isASCIILetter else { return nil }
        let end = link.utf8.firstIndex { byte in
            !(byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "."))
        }
        return end.flatMap { link.utf8[$0] == UInt8(ascii: ":") ? $0 : nil }
    }

    private static func trimmed(_ link: Substring) -> Substring {
        let bytes = link.utf8.drop { $0 <= 0x20 }
        let end = bytes.lastIndex { $0 > 0x20 }
        return end.map { Substring(bytes[...$0]) } ?? ""
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// A path with its `.` and `..` gone through (section 5.2.4); a query or fragment is left alone.
    private static func withoutDots(_ link: Substring) -> String {
        let end = link.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? link.endIndex
        // Nearly no path has any.
        guard zip(link.utf8, link.utf8.dropFirst()).contains(where: { $0 == slash && $1 == dot }) else {
            return String(link)
        }
        var parts: [Substring] = []
        let pieces = link[..<end].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, piece) in zip(pieces.indices, pieces) {
            let isLast = index == pieces.endIndex - 1
            if piece == ".." { _ = parts.popLast() }
            if piece != "..", piece != "." { parts.append(piece) } else if isLast { parts.append("") }
        }
        return "/" + parts.joined(separator: "/") + link[end...]
    }
}

/// How many bytes the links of a feed may become longer, all together, by being made absolute: with a long base, a few
/// bytes in the feed would be thousands in the store.
final class LinkAllowance: Sendable {
    private let left: Mutex<Int>

    init(bytes: Int) {
        left = Mutex(bytes)
    }

    /// For the links of a feed of so many bytes.
    convenience init(feedOf count: Int) {
        self.init(bytes: HTTPLimits.linkGrowth * count + HTTPLimits.addressBytes)
    }

    /// Whether there are so many left, which then are taken.
    func take(_ count: Int) -> Bool {
        left.withLock { left in
            guard count <= left else { return false }
            left -= max(count, 0)
            return true
        }
    }
}
