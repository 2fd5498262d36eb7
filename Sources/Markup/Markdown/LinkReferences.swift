/// The targets that a document defines apart from its text: `[label]: /target "title"`.
struct LinkReferences {
    struct Target {
        let url: String
        let title: String?
    }

    private var targets: [String: Target] = [:]

    /// The target of a label, whatever its case and spacing.
    subscript(label: ArraySlice<UInt8>) -> Target? { targets[Self.key(label)] }

    /// The paragraph without the definitions at its beginning.
    ///
    /// The first definition of a label stands.
    mutating func take(from paragraph: [UInt8]) -> [UInt8] {
        var rest = paragraph[...]
        while rest.first == UInt8(ascii: "["), let (label, target, after) = Self.definition(rest) {
            let key = Self.key(label)
            if targets[key] == nil { targets[key] = target }
            rest = after
        }
        return rest.isBlank ? [] : Array(rest)
    }

    private static func definition(
        _ text: ArraySlice<UInt8>
    ) -> (label: ArraySlice<UInt8>, target: Target, after: ArraySlice<UInt8>)? {
        guard let label = LinkScanner.label(text), !label.isBlank else { return nil }
        var rest = text[(label.endIndex + 1)...]
        guard rest.first == UInt8(ascii: ":") else { return nil }
        rest = LinkScanner.skipSpace(rest.dropFirst())
        guard let url = LinkScanner.destination(&rest) else { return nil }
        var end = rest
        let beforeTitle = LinkScanner.skipSpace(rest)
        var title: String?
        if beforeTitle.startIndex > rest.startIndex {
            var afterTitle = beforeTitle
            if let found = LinkScanner.title(&afterTitle), isLineEnd(afterTitle) {
                title = found
                end = afterTitle
            }
        }
        guard isLineEnd(end) else { return nil }
        let line = end.firstIndex(of: .lineFeed).map { end.index(after: $0) } ?? end.endIndex
        return (label, Target(url: url, title: title), end[line...])
    }

    private static func isLineEnd(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.prefix { $0 != .lineFeed }.isBlank
    }

    private static func key(_ label: ArraySlice<UInt8>) -> String {
        label.split(whereSeparator: \.isASCIIWhitespace).map(\.text).joined(separator: " ").lowercased().uppercased()
    }
}
