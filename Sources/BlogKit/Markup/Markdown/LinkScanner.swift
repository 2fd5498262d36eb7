import BlogEssentials

/// Parses the parts of a link: `[label]`, destination and title.
enum LinkScanner {
    /// The maximum length of a destination or title, so that unfinished links don't take quadratic time.
    private static let maxLength = 2000
    /// CommonMark allows 999 characters.
    private static let maxLabelLength = 1001
    /// The maximum nesting of parentheses in a destination, for the same reason; cmark has the same limit.
    private static let maxParentheses = 32

    /// The label at the beginning of a text without its brackets; nil if there is none.
    static func label(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.first == UInt8(ascii: "[") else { return nil }
        return enclosed(text, end: UInt8(ascii: "]"), forbidden: [UInt8(ascii: "[")], maxLength: maxLabelLength)
    }

    /// The target in parentheses at the beginning of a text, where its destination is, and the index after the
    /// parentheses; nil if there is none.
    static func inline(
        _ text: ArraySlice<UInt8>
    ) -> (target: LinkReferences.Target, destination: Range<Int>, end: Int)? {
        guard text.first == UInt8(ascii: "(") else { return nil }
        var rest = text.dropFirst().drop(while: \.isASCIIWhitespace)
        let target = target(&rest) { $0.drop(while: \.isASCIIWhitespace).first == UInt8(ascii: ")") }
        return target.map {
            ($0, range(in: text.dropFirst()), rest.drop(while: \.isASCIIWhitespace).startIndex + 1)
        }
    }

    /// Where the destination at the beginning of a text is, after white space; empty if there is none.
    static func range(in text: ArraySlice<UInt8>) -> Range<Int> {
        var rest = text.drop(while: \.isASCIIWhitespace)
        let start = rest.startIndex
        return destination(&rest) == nil ? start..<start : start..<rest.startIndex
    }

    /// Consumes a destination and an optional title; nil if they aren't followed by the end of the link.
    static func target(
        _ rest: inout ArraySlice<UInt8>, before isEnd: (ArraySlice<UInt8>) -> Bool
    ) -> LinkReferences.Target? {
        guard let url = destination(&rest) else { return nil }
        var afterTitle = rest.drop(while: \.isASCIIWhitespace)
        if afterTitle.startIndex > rest.startIndex, let title = title(&afterTitle), isEnd(afterTitle) {
            rest = afterTitle
            return LinkReferences.Target(url: url, title: title)
        }
        return isEnd(rest) ? LinkReferences.Target(url: url, title: nil) : nil
    }

    /// Consumes a destination, in angle brackets or not; nil if there is none.
    private static func destination(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.first == UInt8(ascii: "<") else { return bare(&rest) }
        return enclosed(&rest, end: UInt8(ascii: ">"), forbidden: [UInt8(ascii: "<"), .lineFeed])
    }

    /// Consumes a title in quotes or parentheses; nil if there is none.
    private static func title(_ rest: inout ArraySlice<UInt8>) -> String? {
        switch rest.first {
        case UInt8(ascii: "\"")?, UInt8(ascii: "'")?: enclosed(&rest, end: rest[rest.startIndex], forbidden: [])
        case UInt8(ascii: "(")?: enclosed(&rest, end: UInt8(ascii: ")"), forbidden: [UInt8(ascii: "(")])
        default: nil
        }
    }

    /// Consumes a text whose first character is its opening delimiter.
    private static func enclosed(_ rest: inout ArraySlice<UInt8>, end: UInt8, forbidden: [UInt8]) -> String? {
        guard let inner = enclosed(rest, end: end, forbidden: forbidden, maxLength: maxLength) else { return nil }
        rest = rest[(inner.endIndex + 1)...]
        return InlineText.unescaped(inner)
    }

    /// The text after the first character up to an unescaped `end`; nil if a forbidden character comes first.
    private static func enclosed(
        _ text: ArraySlice<UInt8>, end: UInt8, forbidden: [UInt8], maxLength: Int
    ) -> ArraySlice<UInt8>? {
        var index = text.startIndex + 1
        while index < text.endIndex, index - text.startIndex < maxLength {
            let byte = text[index]
            if byte == end { return text[(text.startIndex + 1)..<index] }
            if forbidden.contains(byte) { return nil }
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static func bare(_ rest: inout ArraySlice<UInt8>) -> String? {
        var index = rest.startIndex
        var depth = 0
        scan: while index < rest.endIndex, index - rest.startIndex < maxLength {
            switch rest[index] {
            case UInt8(ascii: "\\") where index + 1 < rest.endIndex && rest[index + 1].isASCIIPunctuation: index += 1
            case UInt8(ascii: "("):
                depth += 1
                if depth > maxParentheses { return nil }
            case UInt8(ascii: ")"):
                if depth == 0 { break scan }
                depth -= 1
            case 0...0x20, 0x7F: break scan
            default: break
            }
            index += 1
        }
        guard depth == 0, index > rest.startIndex || rest.first == UInt8(ascii: ")") else { return nil }
        defer { rest = rest[min(index, rest.endIndex)...] }
        return InlineText.unescaped(rest[rest.startIndex..<min(index, rest.endIndex)])
    }
}

/// The link reference definitions of a document: `[label]: /target "title"`.
struct LinkReferences {
    struct Target {
        let url: String
        let title: String?
    }

    private var targets: [String: Target] = [:]

    /// The target of a label, ignoring case and spacing.
    subscript(label: ArraySlice<UInt8>) -> Target? { targets[Self.key(label)] }

    /// Consumes the definitions at the beginning of a paragraph and returns the rest; the first for a label counts.
    mutating func take(from paragraph: [UInt8]) -> [UInt8] {
        var rest = paragraph[...]
        while rest.first == UInt8(ascii: "["), let (label, target, after) = Self.definition(rest) {
            let key = Self.key(label)
            if targets[key] == nil { targets[key] = target }
            rest = after
        }
        return rest.isBlank ? [] : Array(rest)
    }

    /// The definition at the beginning of a text; nil if there is none.
    static func definition(
        _ text: ArraySlice<UInt8>
    ) -> (label: ArraySlice<UInt8>, target: Target, after: ArraySlice<UInt8>)? {
        guard let label = LinkScanner.label(text), !label.isBlank else { return nil }
        var rest = text[(label.endIndex + 1)...]
        guard rest.first == UInt8(ascii: ":") else { return nil }
        rest = rest.dropFirst().drop(while: \.isASCIIWhitespace)
        guard let target = LinkScanner.target(&rest, before: isLineEnd) else { return nil }
        let line = rest.firstIndex(of: .lineFeed).map { rest.index(after: $0) } ?? rest.endIndex
        return (label, target, rest[line...])
    }

    private static func isLineEnd(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.prefix { $0 != .lineFeed }.isBlank
    }

    private static func key(_ label: ArraySlice<UInt8>) -> String {
        label.split(whereSeparator: \.isASCIIWhitespace).map(\.text).joined(separator: " ").lowercased().uppercased()
    }
}

/// Autolinks: `<https://example.org>`, `<me@example.org>`.
enum Autolink {
    /// The target and text of the link at the beginning of a text, and its length with the brackets; nil if there is none.
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
        let scheme = address.prefix { $0.isASCIIAlphanumeric || Array("+.-".utf8).contains($0) }
        return (2...32).contains(scheme.count) && scheme.first?.isASCIILetter == true
            && address.dropFirst(scheme.count).first == UInt8(ascii: ":")
    }

    private static func isMail(_ address: ArraySlice<UInt8>) -> Bool {
        let parts = address.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        let allowed = Array(".!#$%&'*+/=?^_`{|}~-".utf8)
        let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts[0].allSatisfy { $0.isASCIIAlphanumeric || allowed.contains($0) }
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
            }
    }
}
