import BlogEssentials

/// Where a link leads: what may be opened, what is only shown, and what is neither.
package enum LinkTarget {
    /// The target as an absolute URL in printable ASCII; nil unless it is http, https or mailto.
    package static func safe(_ target: String, base: URL? = nil) -> String? {
        let text = cleaned(target)
        guard !text.isEmpty, !text.unicodeScalars.contains(where: Sanitizer.isControl) else { return nil }
        // Without a scheme, the page's own applies: https nowadays.
        let address = text.utf8.starts(with: "//".utf8) ? "https:" + text : text
        guard let url = URL(address: address, relativeTo: base)?.absoluteURL,
            let scheme = url.scheme?.lowercased(),
            ["http", "https", "mailto"].contains(scheme)
        else { return nil }
        return scheme == "mailto" ? mail(url) : printable(url.absoluteString)
    }

    /// The target as an absolute URL in printable ASCII; nil unless it is http or https.
    package static func web(_ target: String, base: URL? = nil) -> String? {
        safe(target, base: base).flatMap { $0.lowercased().hasPrefix("http") ? $0 : nil }
    }

    /// A mail address with only recipients, subject and text, as other fields make some mail clients attach files.
    ///
    /// Nil if the recipients contain line breaks, which could add headers to the mail.
    private static func mail(_ url: URL) -> String? {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: false), isOneLine(parts.percentEncodedPath)
        else { return nil }
        let fields = (parts.percentEncodedQueryItems ?? []).compactMap { item -> String? in
            let name = item.name.lowercased()
            guard let value = item.value, name == "body" || ["subject", "cc"].contains(name) && isOneLine(value) else {
                return nil
            }
            return "\(name)=\(value)"
        }
        let query = fields.isEmpty ? "" : "?" + fields.joined(separator: "&")
        return printable("mailto:" + parts.percentEncodedPath + query)
    }

    private static func isOneLine(_ encoded: String) -> Bool {
        guard let text = encoded.percentDecoded else { return false }
        return !text.unicodeScalars.contains(where: Sanitizer.isControl)
    }

    /// A target relative to the post's site, in printable ASCII; nil if it isn't one.
    ///
    /// It can be shown even if the site's address is unknown and it can't be opened.
    package static func relative(_ target: String) -> String? {
        let text = cleaned(target)
        guard let first = text.utf8.first, first != UInt8(ascii: "#"),
            !text.unicodeScalars.contains(where: Sanitizer.isControl),
            let url = URL(address: text), url.scheme == nil
        else { return nil }
        return printable(url.relativeString)
    }

    /// A target with a scheme that isn't opened here, such as magnet or gemini, in printable ASCII; nil for a script, for data,
    /// and for what has no such scheme.
    package static func foreign(_ target: String) -> String? {
        let text = cleaned(target)
        guard safe(text) == nil, text.utf8.count <= LinkBase.maxBytes, let scheme = scheme(of: text),
            !scripts.contains(scheme), !["http", "https", "mailto"].contains(scheme)
        else { return nil }
        return printable(text)
    }

    /// What is shown of a target: the address that can be opened, a relative one, or one that another program opens.
    package static func shown(_ target: String, base: URL? = nil) -> String? {
        safe(target, base: base) ?? relative(target) ?? foreign(target)
    }

    /// The target for another document: as it is shown, or as published if it is none of that, such as a fragment.
    package static func written(_ target: String) -> String { shown(target) ?? cleaned(target) }

    /// Whether a target has a scheme that no program should open, such as `javascript` or `file`.
    package static func isHarmful(_ target: String) -> Bool {
        guard safe(target) == nil, let scheme = scheme(of: cleaned(target)) else { return false }
        return scheme == "file" || foreign(target) == nil
    }

    private static let scripts: Set = ["javascript", "vbscript", "data", "blob", "about"]

    /// The scheme in lower case; nil for a relative target, of which a slash comes before any colon.
    private static func scheme(of target: String) -> String? {
        guard let colon = target.utf8.firstIndex(of: UInt8(ascii: ":")),
            !target.utf8[..<colon].contains(where: { "/?#".utf8.contains($0) })
        else { return nil }
        return target[..<colon].lowercased()
    }

    private static func cleaned(_ target: String) -> String {
        let text = String(Substring(target.trimmed).withoutTabsAndLineBreaks)
        return ProtectedAddresses.target(of: text) ?? text
    }

    private static func printable(_ address: String) -> String? {
        address.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? address : nil
    }
}

extension Substring {
    /// An address without tabs and line breaks, which don't count in one, wherever they are.
    ///
    /// https://url.spec.whatwg.org/#concept-basic-url-parser
    package var withoutTabsAndLineBreaks: Substring {
        func isRemoved(_ byte: UInt8) -> Bool { [.tab, .lineFeed, .carriageReturn].contains(byte) }
        return utf8.contains(where: isRemoved) ? Substring(utf8.filter { !isRemoved($0) }.text) : self
    }
}
