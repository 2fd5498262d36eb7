import BlogEssentials

/// Parses dates on the command line: a year, a month, a day or a moment.
package enum DayRange {
    package static let expected = "a date like 2018, 2018-07, 2018-07-15, yesterday or 7d"

    /// The range of a date in the user's time zone; nil for an invalid date.
    ///
    /// | text | range |
    /// | --- | --- |
    /// | `2018`, `2018-07`, `2018-07-15` | that year, month or day |
    /// | `2018-07-15T23:03:29Z` | that second |
    /// | `today`, `yesterday`, `7d`, `2w` | that day, or that many days or weeks ago |
    ///
    /// - Parameter offset: the seconds by which local time is ahead of UTC.
    package static func parse(
        _ text: String, now: Date, offset: (Date) -> Int = LocalTime.secondsFromGMT
    ) -> Range<Date>? {
        if let moment = Timestamp(text)?.moment { return moment..<moment.addingTimeInterval(1) }
        /// The moment at which clocks in UTC show what local clocks show at `date`, and back.
        func shown(_ date: Date) -> Date { date.addingTimeInterval(TimeInterval(offset(date))) }
        func moment(_ shown: Date) -> Date {
            let guess = shown.addingTimeInterval(TimeInterval(-offset(shown)))
            let moment = shown.addingTimeInterval(TimeInterval(-offset(guess)))
            // Where clocks skip midnight, the day begins after it.
            return offset(moment) == offset(guess) ? moment : max(guess, moment)
        }
        return days(text, now: shown(now)).map { moment($0.lowerBound)..<moment($0.upperBound) }
    }

    /// The days that a text means, in UTC.
    private static func days(_ text: String, now: Date) -> Range<Date>? {
        if let days = daysAgo(text) { return day(now.addingTimeInterval(TimeInterval(-days * 86_400))) }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let widths = [4, 2, 2]
        guard (1...3).contains(parts.count),
            zip(parts, widths).allSatisfy({ $0.count == $1 && $0.allSatisfy { $0.isASCII && $0.isNumber } })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        let units: [Calendar.Component] = [.year, .month, .day]
        let components = DateComponents(
            year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1)
        guard components.isValidDate(in: calendar), let start = calendar.date(from: components),
            let end = calendar.date(byAdding: units[numbers.count - 1], value: 1, to: start)
        else { return nil }
        return start..<end
    }

    private static func daysAgo(_ text: String) -> Int? {
        switch text {
        case "today": return 0
        case "yesterday": return 1
        default:
            guard let unit = text.last, let factor = ["d": 1, "w": 7][unit], let number = UInt16(text.dropLast())
            else { return nil }
            return Int(number) * factor
        }
    }

    private static func day(_ moment: Date) -> Range<Date>? {
        let start = calendar.startOfDay(for: moment)
        return calendar.date(byAdding: .day, value: 1, to: start).map { start..<$0 }
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
