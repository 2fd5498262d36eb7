import Essentials

extension URL {
    /// The URL that a text names, with an international host name in ASCII ("bücher.example" as
    /// "xn--bcher-kva.example"); nil if the text isn't a URL, or its host has characters that no host can have.
    ///
    /// Foundation's initializer does the same with ICU; without it, it would encode such a host with percent signs.
    package init?(address: String, relativeTo base: URL? = nil) {
        guard let host = HostName.range(in: address) else {
            self.init(string: address, relativeTo: base)
            return
        }
        guard let name = HostName.ascii(address[host]) else { return nil }
        self.init(string: address.replacingCharacters(of: host, with: name), relativeTo: base)
    }
}

extension String {
    fileprivate func replacingCharacters(of range: Range<Index>, with text: String) -> String {
        text == self[range] ? self : self[..<range.lowerBound] + text + self[range.upperBound...]
    }

}

extension StringProtocol {
    /// The text with percent-encoded bytes decoded; nil if a percent sign has no two digits behind it, or the bytes
    /// aren't UTF-8.
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

/// Host names in the form in which they are looked up (https://www.unicode.org/reports/tr46/).
package enum HostName {
    /// The text in lower case and with characters in their usual form, as hosts are compared; "。" is a full stop.
    package static func normalized(_ host: String) -> String {
        let plain = host.utf8.allSatisfy { $0 < 0x80 } ? host : host.withPlainASCII.composed
        let scalars = plain.unicodeScalars.filter { $0.value < 0x80 || !$0.properties.isDefaultIgnorableCodePoint }
        return String(String.UnicodeScalarView(scalars.map { "。．｡".unicodeScalars.contains($0) ? "." : $0 }))
            .lowercased()
    }

    /// The place of the host in an address that has one, without user name and port.
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

    /// The host in ASCII; nil if it has characters that no host can have.
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

    /// Whether a byte may be in a host: what RFC 3986 allows, with percent signs.
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

/// International labels in ASCII (https://www.rfc-editor.org/rfc/rfc3492#section-6.3).
private enum Punycode {
    /// The encoded label, without `xn--`; nil if it is too long for a host.
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

    /// A number with as many digits as it needs.
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
    /// The length of a label in DNS.
    private static let maxLength = 63
}
