/// Addresses in angle brackets: `<https://example.org>`, `<me@example.org>`.
enum Autolink {
    /// The target, the text and how many bytes it has, brackets included; nil for none.
    static func link(_ text: ArraySlice<UInt8>) -> (target: String, text: String, length: Int)? {
        let inner = text.dropFirst().prefix(2000)
        guard let end = inner.firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") || $0 <= 0x20 }),
            inner[end] == UInt8(ascii: ">")
        else { return nil }
        let address = inner[inner.startIndex..<end]
        let length = address.count + 2
        if isURL(address) { return (address.text, address.text, length) }
        if isMail(address) { return ("mailto:" + address.text, address.text, length) }
        return nil
    }

    private static func isURL(_ address: ArraySlice<UInt8>) -> Bool {
        let scheme = address.prefix { $0.isASCIILetter || $0.isDigit || Array("+.-".utf8).contains($0) }
        return (2...32).contains(scheme.count) && scheme.first?.isASCIILetter == true
            && address.dropFirst(scheme.count).first == UInt8(ascii: ":")
    }

    private static func isMail(_ address: ArraySlice<UInt8>) -> Bool {
        let parts = address.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        let allowed = Array(".!#$%&'*+/=?^_`{|}~-".utf8)
        let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts[0].allSatisfy { $0.isASCIILetter || $0.isDigit || allowed.contains($0) }
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "-") }
            }
    }
}
