import BlogEssentials

/// The keys by which a post is sorted and grouped, computed once when it is stored.
///
/// They are compared byte by byte, so that SQLite can use a plain index.
package struct SortKey: Hashable, Sendable {
    /// Milliseconds since 1970, UTC.
    package let date: Int64
    /// The id, with numbers sorted by value.
    package let id: String
    /// The folded title, from its first letter or digit on.
    package let title: String
    /// The author's name, folded and then as it is, so that names that only differ in case are separate groups.
    package let author: String
    /// The month of publication in UTC, `2018-08`.
    package let month: String
    /// The group of the title: a letter in upper case, "0–9", or "#" for a title without letters and digits.
    package let letter: String

    /// - Parameter sortDate: the date to sort by, in milliseconds since 1970; nil for the publication date.
    package init(_ metadata: borrowing PostMetadata, date sortDate: Int64? = nil) {
        date = sortDate ?? metadata.publishDate.milliseconds
        id = Self.numbersByValue(metadata.id)
        title = Self.title(metadata.title)
        author = Self.author(metadata.author.name)
        month = CalendarMonth(containing: date).text
        letter = Self.letter(of: title)
    }

    private static func author(_ name: String) -> String {
        var key = numbersByValue(Folding.fold(name))
        let composed = Folding.composed(name)
        key.reserveCapacity(key.utf8.count + 1 + composed.utf8.count)
        key += "\u{1}"
        key += composed
        return key
    }

    /// Skips quotes, brackets and emoji before the first letter or digit, if there is one.
    private static func title(_ title: String) -> String {
        let folded = Folding.fold(title)
        // Most titles start with an ASCII letter, and searching by Character is slow.
        if let first = folded.utf8.first, isDigit(first) || isSmallLetter(first) { return numbersByValue(folded) }
        let start = folded.firstIndex { $0.isLetter || $0.isNumber } ?? folded.startIndex
        return numbersByValue(String(folded[start...]))
    }

    private static func letter(of titleKey: String) -> String {
        if let first = titleKey.utf8.first, isSmallLetter(first) { return letters[Int(first) - 0x61] }
        guard let first = titleKey.first else { return "#" }
        if first.isNumber { return "0–9" }
        return first.isLetter ? first.uppercased() : "#"
    }

    /// Prefixes each run of digits with its length, so that "Part 2" sorts before "Part 10".
    ///
    /// The length is one character from "0" on, for up to 75 digits; longer runs are compared digit by digit.
    private static func numbersByValue(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes -> String? in
            guard bytes.contains(where: isDigit) else { return nil }
            // Each run grows by at most one byte.
            return String(unsafeUninitializedCapacity: bytes.count * 3 / 2 + 1) { key in
                writeNumbersByValue(of: bytes, into: key)
            }
        } ?? text
    }

    private static func writeNumbersByValue(
        of text: UnsafeBufferPointer<UInt8>, into key: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var (index, count) = (0, 0)
        func append(_ byte: UInt8) {
            key[count] = byte
            count += 1
        }
        while index < text.count {
            guard isDigit(text[index]) else {
                append(text[index])
                index += 1
                continue
            }
            var end = index
            while end < text.count, isDigit(text[end]) { end += 1 }
            while index < end, text[index] == UInt8(ascii: "0") { index += 1 }
            append(UInt8(ascii: "0") + UInt8(min(end - index, 75)))
            for digit in text[index..<end] { append(digit) }
            index = end
        }
        return count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isSmallLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { String($0) }
}
