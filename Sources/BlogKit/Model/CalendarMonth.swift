/// A month of the Gregorian calendar in UTC.
package struct CalendarMonth: Hashable, Sendable {
    package let year: Int
    /// 1 for January.
    package let month: Int

    /// The month of a date in milliseconds since 1970.
    ///
    /// The plain way is Foundation's Calendar, which is fifty times slower: "first list of 100,000 posts" in
    /// Benchmarks/RESULTS.md. `SortKeyTests` compares the two. The algorithm is `civil_from_days` from
    /// https://howardhinnant.github.io/date_algorithms.html.
    package init(containing milliseconds: Int64) {
        let days = Int((Double(milliseconds) / 86_400_000).rounded(.down)) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// - Parameter month: 1 for January.
    package init(_ year: Int, _ month: Int) { (self.year, self.month) = (year, month) }

    /// The days from the beginning of 1970 to that of the month, for years from 1.
    ///
    /// The plain way is timegm, which would take most of the time of reading a row's date.
    package var firstDay: Int {
        let (whole, isLeap) = (year - 1, year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
        return whole * 365 + whole / 4 - whole / 100 + whole / 400 + Self.daysBefore[month - 1]
            + (isLeap && month > 2 ? 1 : 0) - Self.daysBefore1970
    }

    private static let daysBefore1970 = 719_162
    private static let daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

    /// The days from the beginning of 1970 to a day of the month; nil if there is no such day.
    package func day(_ day: Int) -> Int? {
        let next = month < 12 ? CalendarMonth(year, month + 1) : CalendarMonth(year + 1, 1)
        return day > 0 && (day <= 28 || firstDay + day <= next.firstDay) ? firstDay + day - 1 : nil
    }

    /// Parses ``text``; nil if it isn't valid.
    package init?(text: some StringProtocol) {
        guard let dash = text.lastIndex(of: "-"), let year = Int(text[..<dash]),
            let month = Int(text[text.index(after: dash)...]), (1...12).contains(month)
        else { return nil }
        self.year = year
        self.month = month
    }

    /// Year and month, sortable for the years 0 to 9999: `2018-08`.
    package var text: String { Self.text(ofYear: year) + Self.endings[month - 1] }

    private static func text(ofYear year: Int) -> String {
        if year >= 1000 { return String(year) }
        let digits = String(year.magnitude)
        return (year < 0 ? "-" : "") + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static let endings = (1...12).map { ($0 < 10 ? "-0" : "-") + String($0) }

    /// The displayed name: "August 2018".
    package var name: String { "\(Self.names[month - 1]) \(year)" }

    package static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
