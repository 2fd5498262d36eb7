import BlogMarkup
import BlogRendering
import Foundation
import Testing
@testable import BlogTerminal

/// A terminal that understands what the full screen sends, and nothing else, which fails the test.
package struct ScreenTerminal {
    /// How it counts columns.
    package enum Width {
        /// By grapheme clusters, as the program does.
        case clusters
        /// Scalar by scalar, as many terminals do.
        case scalars
    }

    package struct Spot: Hashable {
        package var text = " "
        package var look = Look()
        package var link: String?

        package init(text: String = " ", look: Look = Look(), link: String? = nil) {
            (self.text, self.look, self.link) = (text, look, link)
        }
    }

    package let size: ScreenSize
    package private(set) var spots: [[Spot]]
    /// The modes that are set: `2004` and the like, and `7` for wrapping, which is set at first.
    package private(set) var modes: Set<Int> = [7, 25]
    /// How often the modes of keys were pushed, and the title.
    package private(set) var keyModes = 0
    package private(set) var titles = 0
    package private(set) var title = ""
    package private(set) var clipboard: String?
    private let width: Width
    private var row = 0
    private var column = 0
    private var look = Look()
    private var link: String?
    private var margins: ClosedRange<Int>
    private var saved: [Int: Bool] = [:]

    package init(_ size: ScreenSize, width: Width = .clusters) {
        self.size = size
        self.width = width
        margins = 0...size.rows - 1
        spots = Array(repeating: Array(repeating: Spot(text: "?"), count: size.columns), count: size.rows)
    }

    /// The position of the cursor; nil while it is hidden.
    package var cursor: Frame.Position? {
        modes.contains(25) ? Frame.Position(row: row, column: min(column, size.columns - 1)) : nil
    }

    /// Whether nothing that a frame begins is left open: looks, links, margins, a frame that is held back.
    package var isAtRest: Bool {
        look == Look() && link == nil && margins == 0...size.rows - 1 && !modes.contains(2026)
    }

    /// The rows as text, without the spaces at their ends.
    package var text: [String] {
        spots.map { row in
            let text = row.map(\.text).joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    package mutating func take(_ bytes: [UInt8]) {
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        while !rest.isEmpty {
            let text = rest.prefix { $0 != "\u{1B}" }
            write(text)
            rest = rest[text.endIndex...]
            if rest.popFirst() != nil { takeSequence(&rest) }
        }
    }

    private mutating func takeSequence(_ rest: inout Substring) {
        switch rest.popFirst() {
        case "[":
            let parameters = rest.prefix { ("0"..."?").contains($0) || $0 == "$" }
            rest = rest[parameters.endIndex...]
            let final = rest.popFirst().map(String.init) ?? ""
            control(String(parameters), final)
        case "]":
            let text = rest.prefix { $0 != "\u{1B}" }
            rest = rest[text.endIndex...].dropFirst()
            if rest.popFirst() != "\\" { Issue.record("unterminated string: \(text)") }
            command(String(text))
        // The end of a string that wasn't begun.
        case "\\": break
        case let other: Issue.record("unknown sequence: ESC \(other.map(String.init) ?? "")")
        }
    }

    // MARK: Text

    private mutating func write(_ text: Substring) {
        switch width {
        case .clusters: for character in text { put(String(character), DisplayWidth.of(character)) }
        case .scalars:
            for scalar in text.unicodeScalars { put(String(Character(scalar)), DisplayWidth.of(Character(scalar))) }
        }
    }

    private mutating func put(_ text: String, _ width: Int) {
        if text.unicodeScalars.contains(where: { $0.value < 0x20 }) { Issue.record("control character in text") }
        guard width > 0 else { return }
        if column + width > size.columns {
            #expect(!modes.contains(7), "text wrapped")
            column = size.columns - width
            guard column >= 0 else { return }
        }
        blankHalves(column..<column + width)
        spots[row][column] = Spot(text: text, look: look, link: link)
        if width == 2 { spots[row][column + 1] = Spot(text: "", look: look, link: link) }
        column += width
    }

    /// Blanks a wide character whose other half is overwritten.
    private mutating func blankHalves(_ columns: Range<Int>) {
        if spots[row][columns.lowerBound].text.isEmpty { spots[row][columns.lowerBound - 1].text = " " }
        guard columns.upperBound < size.columns, spots[row][columns.upperBound].text.isEmpty else { return }
        spots[row][columns.upperBound].text = " "
    }

    // MARK: Control sequences

    /// Queries, to which the tests themselves respond.
    private static let queries = ["?2026$p", "?2027$p", "?u", "c"]

    private mutating func control(_ parameters: String, _ final: String) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch (parameters.first, final) {
        case _ where Self.queries.contains(parameters + final): break
        case ("?", _): setMode(Int(parameters.dropFirst()) ?? 0, final)
        case (">", "u"): keyModes += 1
        case ("<", "u"): keyModes -= 1
        case (_, "H"): move(row: max(numbers.first ?? 1, 1), column: max(numbers.dropFirst().first ?? 1, 1))
        case (_, "G"): move(row: row + 1, column: max(numbers.first ?? 1, 1))
        case (nil, "E"): move(row: row + 2, column: 1)
        case (nil, "K"): erase()
        case (nil, "J"): spots = spots.map { $0.map { _ in Spot() } }
        case (_, "m"): select(numbers)
        case (_, "r"): setMargins(numbers)
        case (_, "S"): scroll(by: max(numbers.first ?? 1, 1))
        case (_, "T"): scroll(by: -max(numbers.first ?? 1, 1))
        case ("2", "t") where numbers.first == 22: titles += 1
        case ("2", "t") where numbers.first == 23: titles -= 1
        default: Issue.record("unknown control sequence: \(parameters)\(final)")
        }
    }

    private mutating func move(row: Int, column: Int) {
        #expect(
            (1...size.rows).contains(row) && (1...size.columns).contains(column),
            "outside the screen: \(row), \(column)")
        self.row = min(row, size.rows) - 1
        self.column = min(column, size.columns) - 1
    }

    private mutating func erase() {
        #expect(look == Look() && link == nil, "erased cells with attributes")
        #expect(column < size.columns, "erased in a full row, which removes its last character")
        guard column < size.columns else { return }
        if spots[row][column].text.isEmpty { spots[row][column - 1].text = " " }
        for column in column..<size.columns { spots[row][column] = Spot() }
    }

    private mutating func setMargins(_ numbers: [Int]) {
        let (top, bottom) = (numbers.first ?? 1, numbers.dropFirst().first ?? size.rows)
        #expect(top < bottom && bottom <= size.rows || numbers.isEmpty, "margins that terminals ignore: \(numbers)")
        margins = max(top, 1) - 1...max(min(bottom, size.rows), 1) - 1
        (row, column) = (0, 0)
    }

    private mutating func scroll(by distance: Int) {
        let old = spots
        for row in margins {
            let source = row + distance
            let isNew = !margins.contains(source)
            spots[row] = isNew ? Array(repeating: Spot(), count: size.columns) : old[source]
        }
    }

    private mutating func setMode(_ mode: Int, _ final: String) {
        #expect([7, 25, 1002, 1006, 1007, 1049, 2004, 2026].contains(mode), "unknown mode: \(mode)")
        switch final {
        case "h": modes.insert(mode)
        case "l": modes.remove(mode)
        case "s": saved[mode] = modes.contains(mode)
        case "r": if saved[mode] == false { modes.remove(mode) }
        default: Issue.record("unknown control sequence: ?\(mode)\(final)")
        }
    }

    private mutating func select(_ numbers: [Int]) {
        var rest = numbers[...]
        if rest.isEmpty { look = Look() }
        while let number = rest.popFirst() {
            switch number {
            case 0: look = Look()
            case 1: look.attributes.insert(.bold)
            case 2: look.attributes.insert(.dim)
            case 3: look.attributes.insert(.italic)
            case 4: look.attributes.insert(.underlined)
            case 7: look.attributes.insert(.reversed)
            case 9: look.attributes.insert(.struck)
            case 31...36: look.foreground = [.red, .green, .yellow, .blue, .magenta, .cyan][number - 31]
            case 38: look.foreground = color(&rest)
            case 48: look.background = color(&rest)
            default: Issue.record("unknown attributes: \(numbers)")
            }
        }
    }

    private func color(_ rest: inout ArraySlice<Int>) -> Look.Color {
        let numbers = rest.prefix(4).map { UInt8(clamping: $0) }
        rest = rest.dropFirst(4)
        guard numbers.count == 4, numbers[0] == 2 else { return .usual }
        return .rgb(red: numbers[1], green: numbers[2], blue: numbers[3])
    }

    private mutating func command(_ text: String) {
        if text.hasPrefix("8;;") {
            link = text == "8;;" ? nil : String(text.dropFirst(3))
        } else if text.hasPrefix("2;") {
            title = String(text.dropFirst(2))
        } else if text.hasPrefix("52;c;") {
            clipboard = Data(base64Encoded: String(text.dropFirst(5))).map { String(decoding: $0, as: UTF8.self) }
        } else if !text.hasSuffix(";?") {
            // Other queries are answered by the tests.
            Issue.record("unknown command: \(text)")
        }
    }
}

extension Frame {
    /// The text of each row without the spaces at its end.
    package var text: [String] {
        rows.map { row in
            let text = row.map(\.text).joined()
            return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
        }
    }
}
