import BlogEssentials

/// The mail addresses that Cloudflare hides in pages and feeds, which only a script shows
/// (https://developers.cloudflare.com/waf/tools/scrape-shield/email-address-obfuscation/).
enum ProtectedAddresses {
    /// HTML with links to these addresses in place of "[email protected]".
    static func revealed(in html: [UInt8]) -> [UInt8] {
        guard html.position(of: attribute) != nil || html.position(of: path) != nil else { return html }
        return html.withUnsafeBufferPointer { bytes in
            var (revealed, copied, scanner) = ([UInt8](), 0, TagScanner(bytes))
            while let token = scanner.next() {
                guard case .open(let name, let isEmpty) = token, let address = address(in: scanner) else { continue }
                let element = scanner.lowercased(name)
                revealed += bytes[copied..<name.lowerBound - 1]
                if element == "a" { revealed += Array("<a href=\"mailto:\(address.escaped)\">".utf8) }
                if address.isWhole, !isEmpty {
                    revealed += Array((element == "a" ? "\(address.escaped)</a>" : address.escaped).utf8)
                    skipElement(element, &scanner)
                }
                copied = scanner.index
            }
            return revealed + bytes[copied...]
        }
    }

    static func revealed(in html: String) -> String {
        var html = html
        guard html.withUTF8({ $0.position(of: attribute) ?? $0.position(of: path) }) != nil else { return html }
        return String(decoding: revealed(in: Array(html.utf8)), as: UTF8.self)
    }

    private static let attribute = Array("-cfemail".utf8)
    private static let path = Array("-protection#".utf8)

    private struct Address {
        let escaped: String
        /// Whether it is all that the element shows.
        let isWhole: Bool

        /// Nil for what isn't the code of an address.
        init?(_ code: some Collection<UInt8>, isWhole: Bool) {
            guard code.count <= 1024, let bytes = Self.bytes(hex: code), let key = bytes.first else { return nil }
            let text = String(decoding: bytes.dropFirst().map { $0 ^ key }, as: UTF8.self)
            let address = text.prefix { $0 != "?" }
            guard address.contains("@"), !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F })
            else { return nil }
            escaped = (isWhole ? String(address) : text).replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
                .replacing("<", with: "&lt;")
            self.isWhole = isWhole
        }

        private static func bytes(hex: some Collection<UInt8>) -> [UInt8]? {
            let digits = hex.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == hex.count, digits.count % 2 == 0 else { return nil }
            return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
        }
    }

    private static func address(in scanner: borrowing TagScanner) -> Address? {
        for attribute in scanner.attributes {
            let value = scanner[attribute.value]
            switch scanner.lowercased(attribute.name) {
            case "data-cfemail": return Address(value, isWhole: true)
            case "href":
                guard let start = Array(value).position(of: path) else { continue }
                // The text may be that of another element with a code.
                if scanner.attributes.contains(where: { scanner.lowercased($0.name) == "data-cfemail" }) { continue }
                return Address(value.dropFirst(start + path.count), isWhole: false)
            default: break
            }
        }
        return nil
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
