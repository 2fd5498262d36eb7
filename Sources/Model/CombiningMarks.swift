/// Bounds how many marks stand upon one letter.
///
/// No writing needs more than a few, and Unicode's Stream-Safe Text Format has 30 at most
/// (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format). Without a bound, whatever compares, folds or hashes a
/// text takes time in the square of their number, as it has to sort them.
package enum CombiningMarks {
    /// The text without the marks that are too many.
    package static func limited(_ text: String) -> String {
        var text = text
        let isLimited = text.withUTF8 { runTooLong(in: $0, from: 0) == nil }
        return isLimited ? text : String(decoding: limited(Array(text.utf8)), as: UTF8.self)
    }

    /// The UTF-8 text without the marks that are too many.
    package static func limited(_ text: [UInt8]) -> [UInt8] {
        text.withUnsafeBufferPointer { bytes in
            guard var run = runTooLong(in: bytes, from: 0) else { return text }
            var result: [UInt8] = []
            var place = 0
            while true {
                result += bytes[place..<run.lowerBound]
                place = run.upperBound
                guard let next = runTooLong(in: bytes, from: place) else { break }
                run = next
            }
            return result + bytes[place...]
        }
    }

    /// Whether nothing is to be taken out.
    package static func areFew(in text: UnsafeBufferPointer<UInt8>) -> Bool { runTooLong(in: text, from: 0) == nil }

    private static let most = 30

    /// The marks from the 31st on where so many stand one after the other.
    ///
    /// A run that is too long has at least 62 bytes, so every 60th byte is looked at, and what is around it only where it
    /// is a mark.
    private static func runTooLong(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        var probe = start + 2 * most
        while probe < text.count {
            var end = beginning(of: probe, in: text, from: start)
            guard text[end] >= 0xCC, isMark(text, end) else {
                probe += 2 * most
                continue
            }
            var first = end
            while first > start, case let before = beginning(of: first - 1, in: text, from: start), isMark(text, before)
            {
                first = before
            }
            var (kept, count) = (first, 0)
            end = first
            while end < text.count, isMark(text, end) {
                end += length(of: text[end])
                count += 1
                if count == most { kept = end }
            }
            end = min(end, text.count)
            if count > most { return kept..<end }
            probe = end + 2 * most
        }
        return nil
    }

    private static func isMark(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard text[index] >= 0xCC else { return false }
        let end = min(index + length(of: text[index]), text.count)
        guard let scalar = String(decoding: text[index..<end], as: UTF8.self).unicodeScalars.first else { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    /// Where the character begins that a byte is part of.
    private static func beginning(of index: Int, in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = index
        while index > start, text[index] & 0xC0 == 0x80 { index -= 1 }
        return index
    }

    private static func length(of first: UInt8) -> Int { first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }
}
