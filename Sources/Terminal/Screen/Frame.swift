import Markup
import Rendering

/// The columns and rows of a screen.
package struct ScreenSize: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// One position of the screen.
package struct Cell: Hashable, Sendable {
    /// One grapheme cluster, sanitized; "" for the right half of a wide one.
    package fileprivate(set) var text: String
    package fileprivate(set) var look: Look
    /// The target on terminals with hyperlinks; nil for none.
    package fileprivate(set) var link: String?
    /// The columns that ``text`` takes: 1 or 2; 0 for the right half of a wide one.
    package fileprivate(set) var width: Int8

    static let blank = Cell(text: " ", look: Look(), link: nil, width: 1)

    /// Whether terminals may disagree about its width.
    package var hasDoubtfulWidth: Bool {
        guard text.utf8.count > 1, let scalar = text.unicodeScalars.first else { return false }
        return text.unicodeScalars.count > 1 || scalar.hasDoubtfulWidth || scalar.isWrittenRightToLeft
    }
}

extension Unicode.Scalar {
    /// Whether it is an emoji or half of a flag, which terminals count differently; of ideographs they all know that they
    /// are wide.
    fileprivate var hasDoubtfulWidth: Bool {
        properties.isEmojiPresentation || (0x1F000...0x1FBFF).contains(value)
    }

    /// Whether it is of a right-to-left script, whose order terminals may change.
    fileprivate var isWrittenRightToLeft: Bool {
        (0x590...0x8FF).contains(value) || (0xFB1D...0xFEFC).contains(value) || (0x10800...0x10FFF).contains(value)
            || (0x1E800...0x1EFFF).contains(value)
    }
}

/// What a screen shows: rows of cells.
///
/// Nothing but cells reaches the terminal, so a text that would break out of its place can't.
package struct Frame: Hashable, Sendable {
    package let size: ScreenSize
    /// ``size`` rows, each of ``size`` columns.
    package private(set) var rows: [[Cell]]
    /// Where the cursor is shown, counted from 0; nil to hide it.
    package var cursor: Position?

    /// A position of the screen, counted from 0.
    package struct Position: Hashable, Sendable {
        package let row: Int
        package let column: Int

        package init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// A blank frame.
    package init(_ size: ScreenSize) {
        self.size = size
        rows = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
    }

    /// Writes a line of text; what is outside of the frame, or behind `end`, is cut off.
    ///
    /// - Parameters:
    ///   - end: the column after the last one that may be written to; nil for the end of the row.
    /// - Returns: the column after the text.
    @discardableResult
    package mutating func write(
        _ text: StyledText, row: Int, column: Int = 0, end: Int? = nil
    ) -> Int {
        guard rows.indices.contains(row), column >= 0 else { return column }
        let end = min(end ?? size.columns, size.columns)
        var column = column
        for run in text.runs {
            let look = Look(run.styles)
            let link = run.link.flatMap { LinkTarget.safe($0) }
            for character in Sanitizer.line(run.text) {
                let width = DisplayWidth.of(character)
                guard width > 0 else { continue }
                guard column + width <= end else { return column }
                clearHalves(row: row, columns: column..<column + width)
                rows[row][column] = Cell(text: String(character), look: look, link: link, width: Int8(width))
                if width == 2 { rows[row][column + 1] = Cell(text: "", look: look, link: link, width: 0) }
                column += width
            }
        }
        return column
    }

    /// Blanks the halves that stay of wide characters when these columns are overwritten.
    private mutating func clearHalves(row: Int, columns: Range<Int>) {
        if rows[row][columns.lowerBound].width == 0 { rows[row][columns.lowerBound - 1] = .blank }
        guard columns.upperBound < size.columns, rows[row][columns.upperBound].width == 0 else { return }
        rows[row][columns.upperBound] = .blank
    }

    /// Exchanges foreground and background of a part of a row.
    package mutating func reverse(row: Int, columns: Range<Int>) {
        guard rows.indices.contains(row) else { return }
        for column in columns.clamped(to: 0..<size.columns) {
            // A wide character is reversed with its left half.
            for part in column..<column + Int(rows[row][column].width) {
                rows[row][part].look.attributes.formSymmetricDifference(.reversed)
            }
        }
    }

    /// The text of each row without the spaces at its end.
    package var text: [String] {
        rows.map { row in
            let text = row.map(\.text).joined()
            return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
        }
    }
}

/// How a cell looks, as "Select Graphic Rendition" (ECMA-48, 8.3.117) has it.
package struct Look: Hashable, Sendable {
    package var attributes: Attributes = []
    /// The colour of the text, as in ``Color``.
    package var foreground = Color.usual
    package var background = Color.usual

    package init() {}

    /// The look of text in some styles together, outermost first.
    package init(_ styles: [Style]) {
        for style in styles {
            let look = Self.look(of: style)
            attributes.formUnion(look.attributes)
            if look.foreground != .usual { foreground = look.foreground }
            if look.background != .usual { background = look.background }
        }
    }

    private init(_ attributes: Attributes, _ foreground: Color = .usual) {
        self.attributes = attributes
        self.foreground = foreground
    }

    private init(_ colors: PictureColors) {
        foreground = Color(colors.foreground)
        background = Color(colors.background)
    }

    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let italic = Attributes(rawValue: 4)
        package static let underlined = Attributes(rawValue: 8)
        package static let reversed = Attributes(rawValue: 16)
        package static let struck = Attributes(rawValue: 32)
    }

    /// One of the terminal's own 16 colours, so that the user's theme decides how they look, or any colour of a picture.
    package enum Color: Hashable, Sendable {
        case usual
        case red, green, yellow, blue, magenta, cyan
        case rgb(red: UInt8, green: UInt8, blue: UInt8)

        fileprivate init(_ color: PictureColors.RGB?) {
            self = color.map { .rgb(red: $0.red, green: $0.green, blue: $0.blue) } ?? .usual
        }

        /// The parameters of the sequence that selects it for text; nil for the usual one.
        var parameters: String? {
            switch self {
            case .usual: nil
            case .red: "31"
            case .green: "32"
            case .yellow: "33"
            case .blue: "34"
            case .magenta: "35"
            case .cyan: "36"
            case .rgb(let red, let green, let blue): "38;2;\(red);\(green);\(blue)"
            }
        }
    }

    /// The parameters of the sequence that selects it after a reset; "" for plain text.
    package var parameters: String {
        var parameters = Self.parameters.filter { attributes.contains($0.attribute) }.map(\.parameter)
        if let color = foreground.parameters { parameters.append(color) }
        if case .rgb(let red, let green, let blue) = background { parameters.append("48;2;\(red);\(green);\(blue)") }
        return parameters.joined(separator: ";")
    }

    private static let parameters: [(attribute: Attributes, parameter: String)] = [
        (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underlined, "4"), (.reversed, "7"), (.struck, "9"),
    ]

    /// Neighbours that are far apart.
    private static let branchColors: [Color] = [.blue, .green, .yellow, .magenta, .cyan, .red]

    private static func look(of style: Style) -> Look {
        switch style {
        case .title, .strong, .heading(level: 3): Look(.bold)
        case .groupTitle: Look(.bold, .blue)
        case .author: Look([], .cyan)
        case .muted, .image: Look(.dim)
        case .unread: Look([], .blue)
        case .saved: Look([], .yellow)
        case .hit, .mapMark: Look(.bold, .red)
        case .heading(level: 1): Look([.bold, .underlined], .magenta)
        case .heading(level: 2): Look(.bold, .magenta)
        case .heading: Look([.bold, .italic])
        case .link: Look(.underlined)
        case .emphasis: Look(.italic)
        case .code: Look([], .green)
        case .strike: Look(.struck)
        case .branch(let depth): Look([], branchColors[depth % branchColors.count])
        case .picture(let colors): Look(colors)
        }
    }
}
