/// Characters written as `&name;`, `&#8212;` or `&#x2014;`.
enum Entities {
    /// The characters that an entity at the beginning of a text stands for, and how many bytes it has; nil for none.
    static func entity(_ text: ArraySlice<UInt8>) -> (text: String, length: Int)? {
        let body = text.dropFirst().prefix(maxNameLength + 1)
        guard text.first == UInt8(ascii: "&"), let end = body.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = body[body.startIndex..<end]
        let length = end + 1 - text.startIndex
        guard name.first == UInt8(ascii: "#") else {
            return names[name.text].map { ($0, length) }
        }
        let isHex = name.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let digits = name.dropFirst(isHex ? 2 : 1)
        guard (1...(isHex ? 6 : 7)).contains(digits.count), digits.first != UInt8(ascii: "+"),
            let code = UInt32(digits.text, radix: isHex ? 16 : 10)
        else { return nil }
        let scalar = code == 0 ? nil : Unicode.Scalar(code)
        return (String(scalar ?? "\u{FFFD}"), length)
    }

    private static let maxNameLength = 33

    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for entry in (EntityNames.first + " " + EntityNames.second).split(whereSeparator: \.isWhitespace) {
            let parts = entry.split(separator: "=", maxSplits: 1)
            let scalars = parts[1].split(separator: ",").compactMap {
                UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
            }
            names[String(parts[0])] = String(String.UnicodeScalarView(scalars))
        }
        return names
    }()
}
