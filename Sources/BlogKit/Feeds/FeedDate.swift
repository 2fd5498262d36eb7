import BlogEssentials
import BlogMarkup
import BlogModel

/// Dates in feeds, in all formats that occur in practice: `FeedDateTests` has examples.
///
/// RSS uses RFC 822, now RFC 2822 (https://www.rfc-editor.org/rfc/rfc2822#section-4.3), the other formats use RFC 3339 and
/// https://www.w3.org/TR/NOTE-datetime.
package enum FeedDate {
    /// Parses a date, in UTC if it has no time zone; nil if it is invalid, could be another date too, or is the zero of a
    /// program: year 1 or the beginning of 1970.
    package static func timestamp(_ text: String) -> Timestamp? {
        let text = Array(text.utf8).trimmed.text
        let date = Timestamp(text) ?? seconds(text).flatMap { Timestamp(ISO8601.text(Date(timeIntervalSince1970: $0))) }
        return date.flatMap { isZero($0) ? nil : $0 }
    }

    private static func isZero(_ date: Timestamp) -> Bool {
        let day: Int64 = 86_400_000
        // In any time zone.
        return abs(date.milliseconds) < day || date.milliseconds < -719_162 * day + 366 * day
    }

    /// Seconds since 1970 UTC.
    static func seconds(_ text: String) -> TimeInterval? {
        guard text.utf8.count <= 100 else { return nil }
        let tokens = FeedDateToken.tokens(text)
        if tokens.count == 1 || tokens.count == 3 && tokens[1] == .symbol("."),
            case .number(let value, let digits) = tokens[0], [9, 10, 13].contains(digits)
        {
            return TimeInterval(value) / (digits == 13 ? 1000 : 1)
        }
        var reader = FeedDateReader(tokens)
        return reader.seconds()
    }
}

private enum FeedDateToken: Equatable {
    case number(Int, digits: Int)
    /// In lower case.
    case word(String)
    case symbol(Unicode.Scalar)
    /// White space, commas and parentheses.
    case space

    static func tokens(_ text: String) -> [FeedDateToken] {
        var tokens: [FeedDateToken] = []
        let scalars = Array(text.unicodeScalars)
        var index = 0
        func take(while isPart: (Unicode.Scalar) -> Bool) -> ArraySlice<Unicode.Scalar> {
            let start = index
            while index < scalars.count, isPart(scalars[index]) { index += 1 }
            return scalars[start..<index]
        }
        while index < scalars.count {
            let first = scalars[index]
            if isDigit(first) {
                let digits = take(while: isDigit)
                // No date has more.
                let value = digits.count > 18 ? .max : digits.reduce(0) { $0 * 10 + Int($1.value - 0x30) }
                tokens.append(.number(value, digits: digits.count))
            } else if isLetter(first) {
                tokens.append(.word(lowercased(take(while: isLetter))))
            } else {
                index += 1
                let token: FeedDateToken = isSpace(first) ? .space : .symbol(first == "\u{2212}" ? "-" : first)
                if token != .space || tokens.last != .space { tokens.append(token) }
            }
        }
        return tokens
    }

    private static func lowercased(_ letters: ArraySlice<Unicode.Scalar>) -> String {
        guard letters.allSatisfy(\.isASCII) else { return String(String.UnicodeScalarView(letters)).lowercased() }
        return String(decoding: letters.map { UInt8(ascii: $0).lowercased }, as: UTF8.self)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "," || scalar == "(" || scalar == ")" || scalar.properties.isWhitespace
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? UInt8(ascii: scalar).isASCIILetter : scalar.properties.isAlphabetic
    }
}

/// Reads a date token by token: numbers with a colon are the time of day, other numbers the day, and unknown words are
/// skipped.
private struct FeedDateReader {
    private let tokens: [FeedDateToken]
    private var index = 0

    /// The numbers of the day in order, each with the symbol before it.
    private var numbers: [(value: Int, digits: Int, symbol: Unicode.Scalar?)] = []
    /// The month, with its name as it was written.
    private var month: (number: Int, name: String)?
    /// The day of the week from 0 for Monday, if its name is Finnish.
    private var finnishDay: Int?
    /// In seconds.
    private var timeOfDay: TimeInterval?
    private var isAfternoon: Bool?
    /// The offset from UTC in seconds.
    private var offset: TimeInterval = 0
    /// Whether the offset was a number: a name after it may be that of several zones.
    private var hasOffset = false

    init(_ tokens: [FeedDateToken]) {
        self.tokens = tokens
    }

    /// Seconds since 1970 UTC; nil if there is no valid day.
    mutating func seconds() -> TimeInterval? {
        while index < tokens.count {
            guard step() else { return nil }
        }
        guard let midnight = midnight() else { return nil }
        var timeOfDay = timeOfDay ?? 0
        if isAfternoon == true, timeOfDay < 12 * 3600 { timeOfDay += 12 * 3600 }
        if isAfternoon == false, timeOfDay >= 12 * 3600, timeOfDay < 13 * 3600 { timeOfDay -= 12 * 3600 }
        return midnight + timeOfDay - offset
    }

    /// Reads the next token; false if the date is invalid.
    private mutating func step() -> Bool {
        switch tokens[index] {
        case .number(let value, let digits):
            guard timeOfDay == nil, let found = readTimeOfDay() else { return readNumber(value, digits) }
            timeOfDay = found
        case .word(let word):
            if word == "w", isWeekNumber { return false }
            readWord(word)
        case .symbol(let symbol):
            if timeOfDay != nil, symbol == "+" || symbol == "-", readOffset(symbol) { return true }
            index += 1
        case .space: index += 1
        }
        return true
    }

    // MARK: The time of day

    /// Reads `19:48:21.5`, `7:48`, and after a `T` also `194821` and `19`; for anything else, the index stays.
    private mutating func readTimeOfDay() -> TimeInterval? {
        let start = index
        var parts: [Int] = []
        let followsT = index > 0 && tokens[index - 1] == .word("t")
        if followsT, case .number(let value, let digits) = tokens[index], digits == 6 || digits == 4 {
            parts = digits == 6 ? [value / 10000, value / 100 % 100, value % 100] : [value / 100, value % 100]
            index += 1
        } else {
            while index < tokens.count, case .number(let value, let digits) = tokens[index], digits <= 2,
                parts.count < 3
            {
                parts.append(value)
                index += 1
                guard index + 1 < tokens.count, tokens[index] == .symbol(":"), case .number = tokens[index + 1] else {
                    break
                }
                index += 1
            }
        }
        let timeOfDay = zip(parts, [3600, 60, 1]).map { TimeInterval($0 * $1) }.reduce(0, +)
        // 24:00 is the end of a day, and a minute may have a leap second.
        guard parts.count > 1 || followsT && parts.count == 1, parts[0] <= 24,
            parts.dropFirst().allSatisfy({ $0 <= 60 }), timeOfDay <= 86_400
        else {
            index = start
            return nil
        }
        return timeOfDay + readFraction()
    }

    private mutating func readFraction() -> TimeInterval {
        guard index + 1 < tokens.count, tokens[index] == .symbol(".") || tokens[index] == .symbol(":"),
            case .number(let value, let digits) = tokens[index + 1]
        else { return 0 }
        index += 2
        return digits < 18 ? TimeInterval(value) / pow(10, TimeInterval(digits)) : 0
    }

    // MARK: The zone

    /// Reads `+02:00`, `+0200` and `+2`; for anything else, the index stays.
    private mutating func readOffset(_ sign: Unicode.Scalar) -> Bool {
        // A larger number after a dash is a year.
        guard index + 1 < tokens.count, case .number(let value, let digits) = tokens[index + 1],
            digits < 4 || digits == 4 && value < 2400
        else { return false }
        index += 2
        var (hours, minutes) = digits > 2 ? (value / 100, value % 100) : (value, 0)
        if digits <= 2, index + 1 < tokens.count, tokens[index] == .symbol(":"),
            case .number(let number, 2) = tokens[index + 1]
        {
            minutes = number
            index += 2
        }
        hasOffset = hours <= 24
        if !hasOffset { (hours, minutes) = (0, 0) }
        offset = TimeInterval((sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
        return true
    }

    // MARK: The day

    private mutating func readNumber(_ value: Int, _ digits: Int) -> Bool {
        let symbol: Unicode.Scalar? = if index > 0, case .symbol(let symbol) = tokens[index - 1] { symbol } else { nil }
        index += 1
        if numbers.isEmpty, month == nil, digits >= 6 { return splitDay(value, digits) }
        // Numbers after a complete date are ignored.
        if numbers.count < (month == nil ? 3 : 2) { numbers.append((value, digits, symbol)) }
        return true
    }

    /// Splits `20031231`, `200312`, `2003365` and `20031231101455`; false for any other number.
    private mutating func splitDay(_ value: Int, _ digits: Int) -> Bool {
        var day = value
        if digits == 14 || digits == 12 {
            let time = digits == 14 ? value % 1_000_000 : value % 10_000 * 100
            guard time <= 240_000, time / 100 % 100 <= 60, time % 100 <= 60 else { return false }
            timeOfDay = TimeInterval(time / 10000 * 3600 + time / 100 % 100 * 60 + time % 100)
            day = value / (digits == 14 ? 1_000_000 : 10_000)
        } else if digits == 6 {
            // Otherwise it could be a day without its century.
            guard (1950..<2100).contains(value / 100) else { return false }
            day = value * 100 + 1
        } else if digits == 7 {
            numbers = [(value / 1000, 4, nil), (value % 1000, 3, "-")]
            return true
        } else if digits != 8 {
            return false
        }
        numbers = [(day / 10000, 4, nil), (day / 100 % 100, 2, "-"), (day % 100, 2, "-")]
        return true
    }

    /// Whether a `w` begins the number of a week, as in `2020-W10-3`, which isn't a month.
    private var isWeekNumber: Bool {
        guard index > 0, index + 1 < tokens.count, case .number(_, 2...3) = tokens[index + 1] else { return false }
        if case .space = tokens[index - 1] { return false }
        return true
    }

    private mutating func readWord(_ word: String) {
        index += 1
        if timeOfDay != nil, let hours = Self.zones[word] {
            if !hasOffset { offset = hours * 3600 }
        } else if month.map({ MonthNames.mayBeWeekday($0.name) }) ?? true, let number = MonthNames.number(of: word) {
            month = (number, word)
        } else if let day = FinnishNames.weekday(word) {
            finnishDay = day
        } else if word == "am" || word == "pm" || word == "p" || word == "a", timeOfDay != nil {
            isAfternoon = word.hasPrefix("p")
        }
    }

    /// Midnight of the day, in seconds since 1970.
    private func midnight() -> TimeInterval? {
        guard let (year, number, day) = month.map({ named($0.number) }) ?? numeric() else { return nil }
        if let finnishDay, let finnish = month.flatMap({ FinnishNames.otherMonth($0.name) }),
            let midnight = Self.midnight(year, finnish, day), Self.weekday(midnight) == finnishDay
        {
            return midnight
        }
        return Self.midnight(year, number, day)
    }

    /// The year, month and day of `31 Dec 2003`, `Dec 31, 2003`, `2003 Dec 31` and `December 2003`.
    private func named(_ month: Int) -> (Int, Int, Int)? {
        guard let first = numbers.first else { return nil }
        guard numbers.count > 1 else { return first.digits == 4 ? (first.value, month, 1) : nil }
        let isYear = first.digits > 2 || first.value > 31
        let (year, day) = isYear ? (first, numbers[1]) : (numbers[1], first)
        return (Self.fullYear(year.value, year.digits), month, day.value)
    }

    /// The year, month and day of `2003-12-31`, `2003-365`, `12/31/2003`, `31.12.2003` and `03-12-31`.
    private func numeric() -> (Int, Int, Int)? {
        guard let first = numbers.first else { return nil }
        if first.digits == 4 {
            if numbers.count == 2, numbers[1].digits == 3 { return (first.value, 1, numbers[1].value) }
            return (first.value, numbers.count > 1 ? numbers[1].value : 1, numbers.count > 2 ? numbers[2].value : 1)
        }
        guard numbers.count == 3, numbers[1].symbol != nil else { return nil }
        let last = numbers[2]
        if last.digits < 3, last.symbol == "-" {
            guard first.value > 31 || first.value == last.value else { return nil }
            return (Self.fullYear(first.value, 2), numbers[1].value, last.value)
        }
        // In the United States, the month comes first, elsewhere the day, and dots are never American.
        let isDoubtful = numbers[1].symbol != "." && first.value <= 12 && numbers[1].value <= 12
        guard !isDoubtful || first.value == numbers[1].value else { return nil }
        let isMonthFirst = numbers[1].value > 12
        let (month, day) = isMonthFirst ? (first.value, numbers[1].value) : (numbers[1].value, first.value)
        return (Self.fullYear(last.value, last.digits), month, day)
    }
}

extension FeedDateReader {
    /// Offsets from UTC in hours: the time zones of RFC 822, and more that occur in feeds.
    static let zones: [String: TimeInterval] = [
        "z": 0, "ut": 0, "gmt": 0, "utc": 0, "wet": 0, "est": -5, "edt": -4, "et": -5, "cst": -6, "cdt": -5, "ct": -6,
        "mst": -7, "mdt": -6, "mt": -7, "pst": -8, "pdt": -7, "pt": -8, "akst": -9, "akdt": -8, "hst": -10, "ast": -4,
        "adt": -3, "nst": -3.5, "ndt": -2.5, "brt": -3, "bst": 1, "west": 1, "cet": 1, "met": 1, "mez": 1, "cest": 2,
        "mest": 2, "mesz": 2, "eet": 2, "sast": 2, "eest": 3, "msk": 3, "msd": 4, "ist": 5.5, "sgt": 8, "hkt": 8,
        "awst": 8, "jst": 9, "kst": 9, "acst": 9.5, "acdt": 10.5, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13,
    ]

    /// The year that two or three digits stand for (https://www.rfc-editor.org/rfc/rfc2822#section-4.3).
    static func fullYear(_ year: Int, _ digits: Int) -> Int {
        if digits > 3 { return year }
        return digits == 3 || year >= 50 ? year + 1900 : year + 2000
    }

    /// Seconds from 1970 to a date; nil if it doesn't exist.
    ///
    /// A day after 31 January is a day of the year.
    static func midnight(_ year: Int, _ month: Int, _ day: Int) -> TimeInterval? {
        guard (1...9999).contains(year), (1...12).contains(month), (1...366).contains(day) else { return nil }
        let start = CalendarMonth(year, month)
        guard month == 1 else { return start.day(day).map { TimeInterval($0 * 86_400) } }
        let isInYear = start.firstDay + day <= CalendarMonth(year + 1, 1).firstDay
        return isInYear ? TimeInterval((start.firstDay + day - 1) * 86_400) : nil
    }

    /// The day of the week from 0 for Monday, for midnight in seconds since 1970, which began on a Thursday.
    static func weekday(_ midnight: TimeInterval) -> Int { (Int(midnight / 86_400) % 7 + 7 + 3) % 7 }
}
