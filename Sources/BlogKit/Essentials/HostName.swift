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
        // No scheme has a slash, so the first one is that of "//".
        guard let slash = address.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let scheme = address.utf8[..<slash]
        var rest = address.utf8[slash...].dropFirst()
        guard rest.popFirst() == UInt8(ascii: "/"),
            scheme.isEmpty || scheme.last == UInt8(ascii: ":") && scheme.dropLast().allSatisfy(isInScheme)
        else { return nil }
        var host = rest.prefix { !"/?#\\".utf8.contains($0) }
        if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[host.index(after: at)...] }
        if host.first == UInt8(ascii: "[") { return nil }
        if let colon = host.lastIndex(of: UInt8(ascii: ":")) { host = host[..<colon] }
        return host.startIndex..<host.endIndex
    }

    private static func isInScheme(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "+-.".utf8.contains(byte)
    }

    /// The host name in ASCII, without percent-encoding, as in the URL standard; nil if it isn't valid.
    static func ascii(_ host: Substring) -> String? {
        guard host.utf8.contains(UInt8(ascii: "%")) else { return ascii(decoded: host) }
        return host.percentDecoded.flatMap { $0.contains("%") ? nil : ascii(decoded: $0[...]) }
    }

    private static func ascii(decoded host: Substring) -> String? {
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
        byte.isASCIIAlphanumeric || "-._~!$&'()*+,;=%".utf8.contains(byte)
    }

    // MARK: As people write it

    /// An address with its host name as people write it: `https://bücher.example/` for `https://xn--bcher-kva.example/`.
    package static func shown(in address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: "-")), let host = range(in: address) else {
            return address
        }
        return address[..<host.lowerBound] + shown(String(address[host])) + address[host.upperBound...]
    }

    /// A host name as people write it, but for parts that may be taken for another name: those that mix alphabets, have
    /// letters of one that all look like those of another, or have characters other than letters, marks and digits.
    package static func shown(_ host: String) -> String {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.map { label in
            guard label.lowercased().hasPrefix("xn--"), let scalars = Punycode.decode(label.lowercased().dropFirst(4)),
                isUnmistakable(scalars), case let text = String(String.UnicodeScalarView(scalars)),
                ascii(label: text[...]) == label.lowercased()
            else { return String(label) }
            return text
        }.joined(separator: ".")
    }

    private static func isUnmistakable(_ label: [Unicode.Scalar]) -> Bool {
        let alphabets = Set(label.compactMap(Alphabet.init))
        guard alphabets.count <= 1, label.allSatisfy(isPartOfWord) else { return false }
        return alphabets.isSubset(of: [.latin]) || !label.allSatisfy { lookalikes.contains($0) || $0.isASCII }
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .lowercaseLetter: !(0x250...0x2AF).contains(scalar.value)
        case .otherLetter, .nonspacingMark, .spacingMark, .decimalNumber: true
        default: "-々〻ーｰ".unicodeScalars.contains(scalar)
        }
    }

    /// Alphabets with letters that look alike.
    private enum Alphabet {
        case latin, greek, cyrillic

        init?(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x61...0x7A, 0xDF...0x24F, 0x1E00...0x1EFF: self = .latin
            case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
            case 0x400...0x52F: self = .cyrillic
            default: return nil
            }
        }
    }

    /// The Greek and Cyrillic letters that look like Latin ones, as in Chromium.
    private static let lookalikes = Set("αικνρυωηοτасԁеһіјӏорԗԛѕԝхуъҽпгѵѡ".unicodeScalars)

    private static func isAllowed(_ category: Unicode.GeneralCategory) -> Bool {
        switch category {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator:
            false
        default: true
        }
    }
}

/// Punycode (https://www.rfc-editor.org/rfc/rfc3492#section-6).
private enum Punycode {
    /// The label that is encoded, without `xn--`; nil if it is malformed or too long.
    static func decode(_ encoded: Substring) -> [Unicode.Scalar]? {
        guard encoded.utf8.count + 4 <= maxLength, encoded.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let basicEnd = encoded.lastIndex(of: "-")
        var label = basicEnd.map { Array(encoded[..<$0].unicodeScalars) } ?? []
        var rest = (basicEnd.map { encoded[encoded.index(after: $0)...] } ?? encoded[...]).utf8
        var (code, index, bias) = (128, 0, 72)
        while !rest.isEmpty {
            guard let delta = number(&rest, bias: bias) else { return nil }
            let count = label.count + 1
            bias = adapted(delta, count: count, isFirst: index == 0)
            index += delta
            code += index / count
            index %= count
            guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
            label.insert(scalar, at: index)
            index += 1
        }
        return label
    }

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

    /// The variable-length integer at the beginning of a text, which it removes; nil if it is malformed.
    private static func number(_ text: inout Substring.UTF8View, bias: Int) -> Int? {
        var (number, weight, position) = (0, 1, base)
        // Every scalar in any place of a label is below.
        while number < 1 << 32, weight < 1 << 32, let digit = text.popFirst().flatMap(value) {
            number += digit * weight
            let threshold = min(max(position - bias, 1), 26)
            if digit < threshold { return number }
            weight *= base - threshold
            position += base
        }
        return nil
    }

    private static func value(_ digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 26
        default: nil
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
