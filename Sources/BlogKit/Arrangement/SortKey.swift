import Foundation

/// The keys by which a post is ordered and grouped, computed once, when it is stored.
///
/// Each is compared byte by byte, so SQLite orders by it with a plain index.
package struct SortKey: Hashable, Sendable {
    /// Milliseconds since 1970, UTC.
    package let date: Int64
    /// The id with its numbers by value.
    package let id: String
    /// The title, folded, from its first letter or digit on.
    package let title: String
    /// The author's name, folded, then the name itself: names that differ only in case stay two groups.
    package let author: String
    /// The month of publication in UTC, `2018-08`.
    package let month: String
    /// The group of the title: a letter in upper case, "0–9", or "#" for a title without letters and digits.
    package let letter: String

    package init(_ metadata: PostMetadata) {
        date = metadata.publishDate.milliseconds
        id = Self.numbersByValue(metadata.id)
        title = Self.title(metadata.title)
        author =
            Self.numbersByValue(Folding.fold(metadata.author.name)) + "\u{1}"
            + Folding.composed(metadata.author.name)
        month = CalendarMonth(containing: date).text
        letter = Self.letter(of: title)
    }

    /// Quotes, brackets and emoji before the first letter don't decide a title's place; a title of nothing else keeps
    /// them.
    private static func title(_ title: String) -> String {
        let folded = Folding.fold(title)
        // Most begin with a plain letter; looking for whole characters takes longer than all the rest.
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

    /// Puts before each run of digits how many there are, so that "Part 2" comes before "Part 10".
    ///
    /// The count is one character from "0" on, up to 75 digits; longer runs are compared digit by digit.
    private static func numbersByValue(_ text: String) -> String {
        guard text.utf8.contains(where: isDigit) else { return text }
        var key: [UInt8] = []
        key.reserveCapacity(text.utf8.count + 8)
        var rest = text.utf8[...]
        while let byte = rest.first {
            guard isDigit(byte) else {
                key.append(byte)
                rest.removeFirst()
                continue
            }
            let run = rest.prefix(while: isDigit)
            let significant = run.drop { $0 == UInt8(ascii: "0") }
            key.append(UInt8(ascii: "0") + UInt8(min(significant.count, 75)))
            key += significant
            rest = rest[run.endIndex...]
        }
        return String(decoding: key, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isSmallLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { String($0) }
}
