import Foundation

/// Reads a date word by word: numbers are its day, the clock is where a colon is, and what means nothing is passed by.
struct FeedDateReader {
    private let tokens: [FeedDateToken]
    private var index = 0

    /// The numbers of the day in the order in which they come, and what stands before each.
    private var numbers: [(value: Int, digits: Int, sign: Unicode.Scalar?)] = []
    private var month: Int?
    /// How many numbers came before the month's name.
    private var numbersBeforeMonth = 0
    private var clock: TimeInterval?
    private var isAfternoon: Bool?
    /// How many seconds the zone is ahead of UTC.
    private var offset: TimeInterval = 0

    init(_ tokens: [FeedDateToken]) {
        self.tokens = tokens
    }

    /// Seconds since 1970, UTC; nil where the text names no day that there is.
    mutating func seconds() -> TimeInterval? {
        while index < tokens.count {
            guard step() else { return nil }
        }
        guard let day = day(), var clock = clock ?? 0 as TimeInterval? else { return nil }
        if let isAfternoon {
            let isTwelve = clock >= 12 * 3600 && clock < 13 * 3600
            if isAfternoon && clock < 12 * 3600 { clock += 12 * 3600 }
            if !isAfternoon && isTwelve { clock -= 12 * 3600 }
        }
        return day + clock - offset
    }

    private mutating func step() -> Bool {
        let token = tokens[index]
        switch token {
        case .number(let value, let digits):
            guard clock == nil, let found = readClock() else {
                return readNumber(value, digits)
            }
            clock = found
        case .word(let word): readWord(word)
        case .sign(let sign):
            if clock != nil, sign == "+" || sign == "-", readOffset(sign) { return true }
            index += 1
        case .space: index += 1
        }
        return true
    }

    // MARK: The clock

    /// `19:48:21.5`, `7:48`, and after a `T` also `194821` and `19`; stays where it is for anything else.
    private mutating func readClock() -> TimeInterval? {
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
                guard index + 1 < tokens.count, tokens[index] == .sign(":"), case .number = tokens[index + 1] else {
                    break
                }
                index += 1
            }
        }
        guard parts.count > 1 || followsT && parts.count == 1 else {
            index = start
            return nil
        }
        let clock = zip(parts, [3600, 60, 1]).map { TimeInterval($0 * $1) }.reduce(0, +)
        // The end of a day is that of its last hour too, and a leap second that of a minute.
        guard parts[0] <= 24, parts.dropFirst().allSatisfy({ $0 <= 60 }), clock <= 86_400 else {
            index = start
            return nil
        }
        return clock + readFraction()
    }

    private mutating func readFraction() -> TimeInterval {
        guard index + 1 < tokens.count, tokens[index] == .sign(".") || tokens[index] == .sign(":"),
            case .number(let value, let digits) = tokens[index + 1]
        else { return 0 }
        index += 2
        return digits < 18 ? TimeInterval(value) / pow(10, TimeInterval(digits)) : 0
    }

    // MARK: The zone

    /// `+02:00`, `+0200`, `+2`; stays where it is for anything else.
    private mutating func readOffset(_ sign: Unicode.Scalar) -> Bool {
        guard index + 1 < tokens.count, case .number(let value, let digits) = tokens[index + 1], digits <= 4 else {
            return false
        }
        // A year may follow a clock and a dash only where the day is not known yet.
        guard digits != 4 || value < 2400 else { return false }
        index += 2
        var (hours, minutes) = digits > 2 ? (value / 100, value % 100) : (value, 0)
        if digits <= 2, index + 1 < tokens.count, tokens[index] == .sign(":"),
            case .number(let after, 2) = tokens[index + 1]
        {
            minutes = after
            index += 2
        }
        if hours > 24 { (hours, minutes) = (0, 0) }
        offset = TimeInterval((sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
        return true
    }

    // MARK: The day

    private mutating func readNumber(_ value: Int, _ digits: Int) -> Bool {
        let sign: Unicode.Scalar? = if index > 0, case .sign(let sign) = tokens[index - 1] { sign } else { nil }
        index += 1
        if numbers.isEmpty, month == nil, digits >= 6 { return splitDay(value, digits) }
        // What more there is after a whole date means nothing.
        if numbers.count < (month == nil ? 3 : 2) { numbers.append((value, digits, sign)) }
        return true
    }

    /// `20031231`, `200312`, and `20031231101455` with its clock.
    private mutating func splitDay(_ value: Int, _ digits: Int) -> Bool {
        var day = value
        if digits == 14 || digits == 12 {
            let time = digits == 14 ? value % 1_000_000 : value % 10_000 * 100
            clock = TimeInterval(time / 10000 * 3600 + time / 100 % 100 * 60 + time % 100)
            day = value / (digits == 14 ? 1_000_000 : 10_000)
        } else if digits == 6 {
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

    private mutating func readWord(_ word: String) {
        index += 1
        if month == nil, let named = Self.month(word) {
            month = named
            numbersBeforeMonth = numbers.count
        } else if word == "am" || word == "pm" || word == "p" || word == "a", clock != nil {
            isAfternoon = word.hasPrefix("p")
        } else if let hours = Self.zones[word], clock != nil {
            offset = hours * 3600
        }
    }

    /// The day's beginning.
    private func day() -> TimeInterval? {
        guard let (year, month, day) = month.map({ named($0) }) ?? numeric() else { return nil }
        return Self.seconds(year, month, day)
    }

    /// A day whose month is named: `31 Dec 2003`, `Dec 31, 2003`, `2003 Dec 31`, `December 2003`.
    private func named(_ month: Int) -> (Int, Int, Int)? {
        guard let first = numbers.first else { return nil }
        guard numbers.count > 1 else { return first.digits == 4 ? (first.value, month, 1) : nil }
        let isYear = first.digits > 2 || first.value > 31
        let (year, day) = isYear ? (first, numbers[1]) : (numbers[1], first)
        return (Self.century(year.value, year.digits), month, day.value)
    }

    /// A day in numbers: `2003-12-31`, `2003-365`, `12/31/2003`, `31.12.2003`, `03-12-31`.
    private func numeric() -> (Int, Int, Int)? {
        guard let first = numbers.first else { return nil }
        if first.digits == 4 {
            if numbers.count == 2, numbers[1].digits == 3 { return (first.value, 1, numbers[1].value) }
            return (first.value, numbers.count > 1 ? numbers[1].value : 1, numbers.count > 2 ? numbers[2].value : 1)
        }
        guard numbers.count == 3, numbers[1].sign != nil else { return nil }
        let last = numbers[2]
        if last.digits < 3, last.sign == "-" { return (Self.century(first.value, 2), numbers[1].value, last.value) }
        // With slashes the month comes first in America, where most of these are from.
        let isMonthFirst = numbers[1].sign == "/" && first.value <= 12 || numbers[1].value > 12
        let (month, day) = isMonthFirst ? (first.value, numbers[1].value) : (numbers[1].value, first.value)
        return (Self.century(last.value, last.digits), month, day)
    }
}
