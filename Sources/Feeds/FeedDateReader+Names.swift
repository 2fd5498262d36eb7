import Foundation
import Model

extension FeedDateReader {
    /// The month that a word names, by its first three letters or more.
    static func month(_ word: String) -> Int? {
        guard word.utf8.count >= 3 else { return nil }
        if word == "sept" { return 9 }
        return CalendarMonth.names.firstIndex { $0.lowercased().hasPrefix(word) }.map { $0 + 1 }
    }

    /// By how many hours zones with a name are ahead of UTC: those of RFC 822, and some that feeds have.
    static let zones: [String: TimeInterval] = [
        "z": 0, "ut": 0, "gmt": 0, "utc": 0, "wet": 0, "est": -5, "edt": -4, "et": -5, "cst": -6, "cdt": -5, "ct": -6,
        "mst": -7, "mdt": -6, "mt": -7, "pst": -8, "pdt": -7, "pt": -8, "akst": -9, "akdt": -8, "hst": -10, "ast": -4,
        "adt": -3, "nst": -3.5, "ndt": -2.5, "brt": -3, "bst": 1, "west": 1, "cet": 1, "met": 1, "mez": 1, "cest": 2,
        "mest": 2, "mesz": 2, "eet": 2, "sast": 2, "eest": 3, "msk": 3, "msd": 4, "ist": 5.5, "sgt": 8, "hkt": 8,
        "awst": 8, "jst": 9, "kst": 9, "acst": 9.5, "acdt": 10.5, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13,
    ]

    /// The year that two or three digits mean, as https://www.rfc-editor.org/rfc/rfc2822#section-4.3 has it.
    static func century(_ year: Int, _ digits: Int) -> Int {
        if digits > 3 { return year }
        return digits == 3 || year >= 50 ? year + 1900 : year + 2000
    }

    /// Seconds from 1970 to a day; nil for one that its month doesn't have.
    ///
    /// The first month may have all of a year's.
    static func seconds(_ year: Int, _ month: Int, _ day: Int) -> TimeInterval? {
        guard (1...9999).contains(year), (1...12).contains(month), (1...366).contains(day) else { return nil }
        let isOrdinal = month == 1 && day > 31
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        let seconds = timegm(&time)
        let isReal = isOrdinal ? time.tm_year == Int32(year - 1900) : time.tm_mday == Int32(day)
        return isReal ? TimeInterval(seconds) : nil
    }
}
