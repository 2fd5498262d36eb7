import BlogEssentials

/// The mail addresses that Cloudflare hides in pages and feeds, which only a script shows
/// (https://developers.cloudflare.com/waf/tools/scrape-shield/email-address-obfuscation/).
enum ProtectedAddresses {
    /// HTML with these addresses, and links to them, in place of "[email protected]".
    static func revealed(in html: [UInt8]) -> [UInt8] {
        guard html.position(of: mark) != nil else { return html }
        return html.withUnsafeBufferPointer { bytes in
            var (revealed, copied, scanner) = ([UInt8](), 0, TagScanner(bytes))
            while let token = scanner.next() {
                guard case .open(let name, false) = token, let address = address(in: scanner) else { continue }
                let element = scanner.lowercased(name)
                revealed += bytes[copied..<name.lowerBound - 1]
                revealed += Array((element == "a" ? "<a href=\"mailto:\(address)\">\(address)</a>" : address).utf8)
                skipElement(element, &scanner)
                copied = scanner.index
            }
            return revealed + bytes[copied...]
        }
    }

    static func revealed(in html: String) -> String {
        var html = html
        guard html.withUTF8({ $0.position(of: mark) }) != nil else { return html }
        return String(decoding: revealed(in: Array(html.utf8)), as: UTF8.self)
    }

    /// The class of the elements.
    private static let mark = Array("__cf_email__".utf8)

    /// The `mailto` address that a link of Cloudflare's stands for; nil for others.
    static func target(of link: String) -> String? {
        guard let hash = link.utf8.firstIndex(of: UInt8(ascii: "#")),
            link[..<hash].hasSuffix("/cdn-cgi/l/email-protection")
        else { return nil }
        return text(of: link[link.index(after: hash)...].utf8).map { "mailto:" + $0 }
    }

    /// The address of a start tag, escaped; nil if it has none.
    private static func address(in scanner: borrowing TagScanner) -> String? {
        let code = scanner.attributes.first { scanner.lowercased($0.name) == "data-cfemail" }
        return code.flatMap { text(of: scanner[$0.value]) }.map { text in
            text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
        }
    }

    /// The text of a code, the first byte of which is the key of the others; nil if it isn't that of an address.
    private static func text(of code: some Collection<UInt8>) -> String? {
        let digits = code.prefix(1024).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == code.count, digits.count % 2 == 0, digits.count > 2 else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
        let text = String(decoding: bytes.dropFirst().map { $0 ^ bytes[0] }, as: UTF8.self)
        let isLine = !text.unicodeScalars.contains { $0.value <= 0x20 || $0.value == 0x7F }
        return text.contains("@") && isLine ? text : nil
    }

    /// Skips what an element shows, up to its end tag: a short text.
    private static func skipElement(_ name: String, _ scanner: inout TagScanner) {
        var ahead = scanner
        for _ in 0..<8 {
            guard let token = ahead.next() else { return }
            if case .close(let range) = token, ahead.lowercased(range) == name { return scanner = ahead }
        }
    }
}
