import Foundation

/// The names of sources, which the ids of their posts begin with.
enum SourceName {
    /// Throws ``LibraryError/badName(_:reason:)`` for what a person can't choose as a name.
    static func check(_ name: String) throws {
        guard !name.isEmpty, name.count <= maxLength, name.utf8.allSatisfy(isAllowed), !name.hasPrefix("-") else {
            throw LibraryError.badName(
                name,
                reason: "can't be used: a name has 1 to \(maxLength) letters from a to z, digits and dashes, "
                    + "and no dash in front")
        }
    }

    /// What a source is called from now on: as the request wishes, as it was called before, as the request suggests where
    /// that is possible, or after its host.
    ///
    /// Throws ``LibraryError/badName(_:reason:)`` for a wish that can't be met.
    static func chosen(
        for id: SourceID, _ request: FollowRequest, before: String?, besides taken: Set<String>
    ) throws -> String {
        func checked(_ name: String) throws -> String {
            try check(name)
            if let owner = SourceRegistry.kind(named: name), owner.name != id.kind {
                throw LibraryError.badName(name, reason: "is kept for \(owner.description)")
            }
            if taken.contains(name) { throw LibraryError.badName(name, reason: "is another source's") }
            return name
        }
        if let name = request.name { return try checked(name) }
        return before ?? request.suggestedName.flatMap { try? checked($0) } ?? of(id, besides: taken)
    }

    /// A name for a source that no other has: `swift` for `https://www.swift.org`.
    static func of(_ id: SourceID, besides taken: Set<String>) -> String {
        let kind = SourceRegistry.kind(named: id.kind)
        if let short = kind?.shorthands.first, kind?.source(at: nil) == id, !taken.contains(short) { return short }
        let url = URL(string: id.address)
        let name = of(host: url?.host() ?? "")
        func isFree(_ name: String) -> Bool {
            !taken.contains(name) && (SourceRegistry.kind(named: name) == nil)
        }
        if isFree(name) { return name }
        for part in parts(of: url) where isFree("\(name)-\(part)") { return "\(name)-\(part)" }
        if let port = url?.port, isFree("\(name)-\(port)") { return "\(name)-\(port)" }
        return (2...).lazy.map { "\(name)-\($0)" }.first(where: isFree) ?? name
    }

    /// What tells the sources of a host apart: the folder of a feed, then the feed without its ending.
    private static func parts(of url: URL?) -> [String] {
        let parts = (url?.path() ?? "").split(separator: "/").map(String.init)
        guard let last = parts.last else { return [] }
        let file = last.split(separator: ".").first.map(String.init) ?? last
        let isFeed = last.contains(".") || ["feed", "rss", "atom"].contains(last)
        let folder = isFeed ? parts.dropLast().last : nil
        return ([folder, file].compactMap { $0 }.map(cleaned)).filter { !$0.isEmpty }
    }

    /// The part of a host that tells it from others: `example` of `blog.example.co.uk`, `jane` of `jane.github.io`.
    static func of(host: String) -> String {
        var labels = host.lowercased().split(separator: ".").map(String.init)
        let isAddress = host.contains(":") || labels.allSatisfy { Int($0) != nil }
        guard labels.count > 1, !isAddress else { return cleaned(host) }
        labels.removeLast()
        if labels.count > 1, secondLevels.contains(labels[labels.count - 1]) { labels.removeLast() }
        if labels.count > 1, hosters.contains(labels[labels.count - 1]) { labels.removeLast() }
        return cleaned(labels[labels.count - 1])
    }

    private static func cleaned(_ text: String) -> String {
        let name = String(
            decoding: text.lowercased().utf8.map { isAllowed($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self
        )
        .split(separator: "-").joined(separator: "-")
        return name.isEmpty ? "blog-1" : String(name.prefix(maxLength))
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }

    /// Of these, people register names one level down, as in `example.co.uk`.
    private static let secondLevels: Set = ["co", "com", "org", "net", "ac", "gov", "edu"]
    /// Under these, everybody has a host of their own.
    private static let hosters: Set = [
        "github", "gitlab", "blogspot", "wordpress", "medium", "substack", "tumblr", "ghost", "bearblog", "micro",
        "netlify", "vercel", "pages", "hashnode", "dreamwidth", "livejournal", "write",
    ]
    private static let maxLength = 40
}
