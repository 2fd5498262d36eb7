/// A month of the Gregorian calendar in UTC.
package struct CalendarMonth: Hashable, Sendable {
    package let year: Int
    /// 1 for January.
    package let month: Int

    /// The month that a moment, in milliseconds since 1970, falls in.
    ///
    /// Foundation's Calendar gives the same at fifty times the cost, which a list of 100,000 posts would feel. The
    /// arithmetic is civil_from_days of https://howardhinnant.github.io/date_algorithms.html.
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

    /// The month that ``text`` names, or nil.
    package init?(text: some StringProtocol) {
        guard let dash = text.lastIndex(of: "-"), let year = Int(text[..<dash]),
            let month = Int(text[text.index(after: dash)...]), (1...12).contains(month)
        else { return nil }
        self.year = year
        self.month = month
    }

    /// Year and month, sortable for the years 0 to 9999: `2018-08`.
    package var text: String {
        let digits = String(year.magnitude)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
        return (year < 0 ? "-" : "") + zeros + digits + (month < 10 ? "-0" : "-") + String(month)
    }

    /// For people: "August 2018".
    package var name: String { "\(Self.names[month - 1]) \(year)" }

    package static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
