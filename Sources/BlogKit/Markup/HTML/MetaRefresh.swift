import BlogEssentials

/// The redirect in a `meta` element of a page
/// (https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh).
package enum MetaRefresh {
    /// The address that a page redirects to at once or after a few seconds, as it is written; nil if there is none.
    ///
    /// Reads the beginning of the page only.
    package static func target(in page: Data) -> String? {
        let bytes = [UInt8](page.prefix(maxBytes))
        return bytes.withUnsafeBufferPointer { bytes in
            var scanner = TagScanner(bytes)
            while let token = scanner.next() {
                guard case .open(let range, _) = token else { continue }
                let name = scanner.lowercased(range)
                if HTMLToken.scripts.contains(name) || name == "noscript" && page.count > maxStubBytes {
                    scanner.skipContent(of: range)
                } else if name == "meta", let target = target(in: scanner.attributeValues) {
                    return target
                }
            }
            return nil
        }
    }

    private static func target(in attributes: ElementAttributes) -> String? {
        guard attributes["http-equiv"]?.lowercased() == "refresh", let content = attributes["content"] else {
            return nil
        }
        let seconds = content.trimmed.prefix { $0.isNumber || $0 == "." }
        guard let delay = Double(seconds), delay <= maxSeconds else { return nil }
        var rest = content.trimmed.dropFirst(seconds.count).drop { $0.isWhitespace || $0 == ";" || $0 == "," }
        if rest.prefix(3).lowercased() == "url" {
            let value = rest.dropFirst(3).drop(while: \.isWhitespace)
            if value.first == "=" { rest = value.dropFirst().drop(while: \.isWhitespace) }
        }
        if let quote = rest.first, quote == "\"" || quote == "'" { rest = rest.dropFirst().prefix { $0 != quote } }
        let target = String(rest).trimmed
        return target.isEmpty ? nil : target
    }

    private static let maxBytes = 64 << 10
    /// Up to this length, a page is nothing but a redirect, even where only browsers without scripts follow it.
    private static let maxStubBytes = 8 << 10
    /// Pages that are replaced later are there to be read.
    private static let maxSeconds = 5.0
}
