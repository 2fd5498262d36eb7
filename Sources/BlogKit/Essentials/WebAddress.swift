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

/// Internationalized host names (https://www.unicode.org/reports/tr46/).
package enum HostName {
    /// The host name in lower case, with compatibility characters replaced and "。" as a full stop, for comparison.
    package static func normalized(_ host: String) -> String {
        let plain = host.utf8.allSatisfy { $0 < 0x80 } ? host : host.withPlainASCII.composed
        let scalars = plain.unicodeScalars.filter { $0.value < 0x80 || !$0.properties.isDefaultIgnorableCodePoint }
        return String(String.UnicodeScalarView(scalars.map { "。．｡".unicodeScalars.contains($0) ? "." : $0 }))
            .lowercased()
    }

    /// The range of the host name in an address, without user name and port; nil if there is none.
    static func range(in address: String) -> Range<String.Index>? {
        guard let slashes = address.utf8.firstRange(of: Array("//".utf8)) else { return nil }
        let scheme = address.utf8[..<slashes.lowerBound]
        guard scheme.isEmpty || scheme.last == UInt8(ascii: ":") && scheme.dropLast().allSatisfy(isInScheme) else {
            return nil
        }
        let rest = address.utf8[slashes.upperBound...]
        var host = rest.prefix { !Array("/?#\\".utf8).contains($0) }
        if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[host.index(after: at)...] }
        if host.first == UInt8(ascii: "[") { return nil }
        if let colon = host.lastIndex(of: UInt8(ascii: ":")) { host = host[..<colon] }
        return host.startIndex..<host.endIndex
    }

    private static func isInScheme(_ byte: UInt8) -> Bool {
        let character = Character(Unicode.Scalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber || "+-.".contains(character))
    }

    static func ascii(_ host: Substring) -> String? {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return host.utf8.allSatisfy(isAllowed) ? String(host) : nil }
        let labels = normalized(String(host)).split(separator: ".", omittingEmptySubsequences: false)
            .map(ascii(label:))
        return labels.contains(nil) ? nil : labels.compactMap(\.self).joined(separator: ".")
    }

    private static func ascii(label: Substring) -> String? {
        let isValid = label.unicodeScalars.allSatisfy { scalar in
            scalar.value < 0x80 ? isAllowed(UInt8(scalar.value)) : isAllowed(scalar.properties.generalCategory)
        }
        guard isValid else { return nil }
        if label.utf8.allSatisfy({ $0 < 0x80 }) { return String(label) }
        return Punycode.encode(Array(label.unicodeScalars)).map { "xn--" + $0 }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        let character = Character(Unicode.Scalar(byte))
        return character.isLetter || character.isNumber || "-._~!$&'()*+,;=%".contains(character)
    }

    private static func isAllowed(_ category: Unicode.GeneralCategory) -> Bool {
        switch category {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator:
            false
        default: true
        }
    }
}

/// Punycode (https://www.rfc-editor.org/rfc/rfc3492#section-6.3).
private enum Punycode {
    /// The encoded label, without `xn--`; nil if it is too long.
    static func encode(_ label: [Unicode.Scalar]) -> String? {
        guard label.count <= maxLength else { return nil }
        var output = label.filter(\.isASCII).map { UInt8($0.value) }
        let basicCount = output.count
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (code, delta, bias, handled) = (UInt32(128), 0, 72, basicCount)
        while handled < label.count, let next = label.map(\.value).filter({ $0 >= code }).min() {
            delta += Int(next - code) * (handled + 1)
            code = next
            for scalar in label {
                if scalar.value < code { delta += 1 }
                guard scalar.value == code else { continue }
                output += digits(of: delta, bias: bias)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return output.count + 4 <= maxLength ? String(decoding: output, as: UTF8.self) : nil
    }

    /// A number as a variable-length integer.
    private static func digits(of number: Int, bias: Int) -> [UInt8] {
        var (digits, rest, position) = ([UInt8](), number, base)
        while true {
            let threshold = min(max(position - bias, 1), 26)
            guard rest >= threshold else { return digits + [digit(rest)] }
            digits.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
    }

    private static func digit(_ value: Int) -> UInt8 {
        value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var rest = isFirst ? delta / 700 : delta / 2
        rest += rest / count
        var steps = 0
        while rest > 455 {
            rest /= base - 1
            steps += base
        }
        return steps + base * rest / (rest + 38)
    }

    private static let base = 36
    /// The maximum length of a DNS label.
    private static let maxLength = 63
}
