extension URL {
    /// Parses a URL and converts an internationalized host name to ASCII ("xn--bcher-kva.example" for
    /// "bücher.example"); nil if the URL or its host name isn't valid.
    ///
    /// Foundation's initializer only does so with ICU; without it, it percent-encodes the host name.
    package init?(address: String, relativeTo base: URL? = nil) {
        var address = address
        if let host = HostName.range(in: address) {
            guard let name = HostName.ascii(address[host]) else { return nil }
            address.replaceSubrange(host, with: name)
        }
        self.init(string: Self.encoded(address), relativeTo: base)
    }

    /// Percent-encodes invalid characters without touching the escapes that are already there.
    ///
    /// Foundation would encode their percent signs again: `a%20[b]` would become `a%2520%5Bb%5D`.
    private static func encoded(_ address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: "%")), URL(string: address, encodingInvalidCharacters: false) == nil
        else { return address }
        var start = address.startIndex
        if let host = address.firstRange(of: "://")?.upperBound {
            start = address[host...].firstIndex { "/?#".contains($0) } ?? address.endIndex
        }
        let bytes = Array(address[start...].utf8)
        var text = String(address[..<start])
        for (index, byte) in bytes.enumerated() {
            let character = Character(Unicode.Scalar(byte))
            let isEscape =
                byte == UInt8(ascii: "%") && index + 2 < bytes.count
                && bytes[index + 1...index + 2].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
            let isAllowed =
                character.isASCII && (character.isLetter || character.isNumber)
                || "-._~:/?#@!$&'()*+,;=".utf8.contains(byte)
            let hex = String(byte, radix: 16, uppercase: true)
            text += isEscape || isAllowed ? String(character) : "%\(byte < 16 ? "0" : "")\(hex)"
        }
        return text
    }
}

extension String {
    /// This host, in lower case, without "www.": with and without it, a host is that of the same site.
    package var withoutWWW: String { hasPrefix("www.") ? String(dropFirst(4)) : self }
}

extension StringProtocol {
    /// The text with percent-encoding removed; nil if that is malformed or not UTF-8.
    ///
    /// Foundation's `removingPercentEncoding` isn't part of FoundationEssentials.
    package var percentDecoded: String? {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        var bytes: [UInt8] = []
        var rest = Substring(self).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let decoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
