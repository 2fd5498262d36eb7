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

    /// Made of bytes: taken apart as characters, the names take as long as all else that a short command does.
    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for entry in (EntityNames.first + " " + EntityNames.second).utf8.split(whereSeparator: { $0 <= 0x20 }) {
            guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let codes = entry[entry.index(after: equals)...].split(separator: UInt8(ascii: ","))
            let scalars = codes.compactMap { UInt32(Substring($0), radix: 16).flatMap(Unicode.Scalar.init) }
            names[String(Substring(entry[..<equals]))] = String(String.UnicodeScalarView(scalars))
        }
        return names
    }()
}
