import BlogMarkup
import BlogRendering

/// Converts styled text to escape sequences.
enum TerminalText {
    /// A run of text, sanitized, with its styles and link if it is coloured.
    static func encoded(_ run: StyledText.Run, isColored: Bool) -> String {
        var text = Sanitizer.output(run.text)
        guard isColored else { return text }
        if let link = run.link.flatMap({ LinkTarget.safe($0) }) {
            // https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
            text = "\(escape)]8;;\(link)\(escape)\\\(text)\(escape)]8;;\(escape)\\"
        }
        guard !run.styles.isEmpty else { return text }
        return "\(escape)[\(run.styles.map { Look([$0]).parameters }.joined(separator: ";"))m\(text)\(escape)[0m"
    }

    /// Moves the cursor to the start of the line, and erases it.
    static let eraseLine = "\r\(escape)[K"

    private static let escape = "\u{1B}"
}

/// Colours and attributes, as in "Select Graphic Rendition" (ECMA-48, 8.3.117).
package struct Look: Hashable, Sendable {
    package var attributes: Attributes = []
    package var foreground = Color.usual
    package var background = Color.usual

    package init() {}

    /// Combines styles, outermost first.
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

    /// One of the terminal's own colours, which the user's theme defines, or any colour in a picture.
    package enum Color: Hashable, Sendable {
        case usual
        case red, green, yellow, blue, magenta, cyan
        /// One of the 256 colours.
        case indexed(UInt8)
        case rgb(red: UInt8, green: UInt8, blue: UInt8)

        fileprivate init(_ color: PictureColors.RGB?) {
            self = color.map { .rgb(red: $0.red, green: $0.green, blue: $0.blue) } ?? .usual
        }

        /// The SGR parameters that select it as the foreground; nil for the usual colour.
        var parameters: String? {
            switch self {
            case .usual: nil
            case .red: "31"
            case .green: "32"
            case .yellow: "33"
            case .blue: "34"
            case .magenta: "35"
            case .cyan: "36"
            case .indexed(let number): "38;5;\(number)"
            case .rgb(let red, let green, let blue): "38;2;\(red);\(green);\(blue)"
            }
        }
    }

    /// The SGR parameters that select it after a reset; "" for plain text.
    package var parameters: String {
        var parameters = Self.parameters.filter { attributes.contains($0.attribute) }.map(\.parameter)
        if let color = foreground.parameters { parameters.append(color) }
        if case .rgb(let red, let green, let blue) = background { parameters.append("48;2;\(red);\(green);\(blue)") }
        return parameters.joined(separator: ";")
    }

    private static let parameters: [(attribute: Attributes, parameter: String)] = [
        (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underlined, "4"), (.reversed, "7"), (.struck, "9"),
    ]

    /// Neighbours are easy to tell apart.
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
        case .code, .colored(.string): Look([], .green)
        case .colored(.keyword): Look([], .magenta)
        case .colored(.comment): Look(.dim)
        case .colored(.number): Look([], .cyan)
        case .colored(.name): Look([], .blue)
        case .strike: Look(.struck)
        case .branch(let depth): Look([], branchColors[depth % branchColors.count])
        case .picture(let colors): Look(colors)
        }
    }
}
