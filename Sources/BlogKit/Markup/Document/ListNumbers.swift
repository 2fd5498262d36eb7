/// The numbers of an ordered list's items.
package struct ListNumbers: Hashable, Sendable {
    /// The `type` of an `ol` in HTML.
    package enum Style: String, Sendable {
        case decimal = "1"
        case lowerLetters = "a"
        case upperLetters = "A"
        case lowerRoman = "i"
        case upperRoman = "I"
    }

    package let style: Style
    package let numbers: [Int]

    init(_ numbers: [Int], style: Style) {
        self.numbers = numbers
        self.style = style
    }

    package init(from start: Int, count: Int) {
        self.init(Array(start..<start + count), style: .decimal)
    }

    /// The marker of an item: `1.`, `b.` or `iv.`.
    package func marker(of item: Int) -> String {
        let number = numbers[item]
        return switch style {
        case .decimal: "\(number)."
        case .lowerLetters: "\(Self.letters(number))."
        case .upperLetters: "\(Self.letters(number).uppercased())."
        case .lowerRoman: "\(Self.roman(number))."
        case .upperRoman: "\(Self.roman(number).uppercased())."
        }
    }

    /// The number of an item if it isn't the previous number plus one, else nil.
    package func jump(at item: Int) -> Int? {
        item > 0 && numbers[item] != numbers[item - 1] + 1 ? numbers[item] : nil
    }

    /// `a` to `z`, then `aa`; as in browsers, zero and negative numbers stay decimal.
    private static func letters(_ number: Int) -> String {
        guard number > 0 else { return String(number) }
        var letters: [UInt8] = []
        var rest = number
        while rest > 0 {
            letters.append(UInt8(ascii: "a") + UInt8((rest - 1) % 26))
            rest = (rest - 1) / 26
        }
        return letters.reversed().text
    }

    /// `i` to `mmmcmxcix`; as in browsers, other numbers stay decimal.
    private static func roman(_ number: Int) -> String {
        guard (1...3999).contains(number) else { return String(number) }
        var rest = number
        return romanDigits.map { value, digit in
            defer { rest %= value }
            return String(repeating: digit, count: rest / value)
        }.joined()
    }

    private static let romanDigits = [
        (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
        (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    ]
}

/// How an `ol` counts its items.
struct ListCounter: Equatable {
    private let style: ListNumbers.Style
    private let start: Int?
    private let isReversed: Bool

    init(_ attributes: ElementAttributes) {
        style = attributes.numberStyle ?? .decimal
        start = Self.number(attributes["start"])
        isReversed = attributes["reversed"] != nil
    }

    /// The numbers of the items, given the `value` of each.
    func numbers(_ values: [Int?]) -> ListNumbers {
        var next = start ?? (isReversed ? values.count : 1)
        let numbers = values.map { value in
            let number = value ?? next
            next = number + (isReversed ? -1 : 1)
            return number
        }
        return ListNumbers(numbers, style: style)
    }

    /// A number of at most nine digits, as in Markdown; nil for other text.
    static func number(_ text: String?) -> Int? {
        text.flatMap { Int($0) }.flatMap { (-999_999_999...999_999_999).contains($0) ? $0 : nil }
    }
}
