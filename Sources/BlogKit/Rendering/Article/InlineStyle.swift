/// How a run of text inside a block is set off.
enum InlineStyle: CaseIterable, Sendable {
    case strong
    case emphasis
    case code
    case strike
    case link
    case image
    case heading
    /// A heading of one of the first two levels.
    case mainHeading

    /// An invisible character of no width that stands for the beginning of the style while a text is wrapped: of the
    /// deprecated format characters of Unicode, which text for people doesn't have.
    var mark: Character {
        switch self {
        case .strong: "\u{2061}"
        case .emphasis: "\u{2062}"
        case .code: "\u{2063}"
        case .strike: "\u{2064}"
        case .link: "\u{206A}"
        case .image: "\u{206B}"
        case .heading: "\u{206C}"
        case .mainHeading: "\u{206E}"
        }
    }

    /// The mark of the end of the innermost style.
    static let endMark: Character = "\u{206D}"

    /// The text without anything that would be taken for a mark.
    static func withoutMarks(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 != 0xE2 }
        if isPlain { return text }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter {
                    !(0x2061...0x2064).contains($0.value) && !(0x206A...0x206F).contains($0.value)
                }))
    }

    /// The style that a mark begins.
    static let byMark = Dictionary(uniqueKeysWithValues: allCases.map { ($0.mark, $0) })

    /// How it looks where there is colour.
    var style: Style {
        switch self {
        case .strong: .strong
        case .emphasis: .emphasis
        case .code: .code
        case .strike: .strike
        case .link: .link
        case .image: .muted
        case .heading: .heading
        case .mainHeading: .mainHeading
        }
    }

    /// What stands around the text if there is no colour.
    var plainMarks: (String, String) {
        switch self {
        case .strong: ("**", "**")
        case .emphasis: ("*", "*")
        case .code: ("`", "`")
        case .strike: ("~~", "~~")
        case .link, .heading, .mainHeading: ("", "")
        case .image: ("[", "]")
        }
    }
}
