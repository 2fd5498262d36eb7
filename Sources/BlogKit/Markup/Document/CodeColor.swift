import BlogEssentials

/// What a part of code is, as the highlighter of its author has it.
///
/// Only the classes of its HTML say so; code isn't parsed here.
package enum CodeColor: Hashable, Sendable {
    case keyword
    case string
    case comment
    case number
    /// Of a function, a type, a tag or an attribute.
    case name

    /// The colour of an element in preformatted text; nil if its classes are of no known highlighter.
    init?(_ attributes: ElementAttributes) {
        guard let words = attributes["class"]?.utf8.split(whereSeparator: \.isASCIIWhitespace) else { return nil }
        let classes = words.map { String(Substring($0)) }
        let isOfPrism = classes.contains("token")
        let colors = classes.lazy.compactMap { word in
            word.hasPrefix("hljs-")
                ? Self.long[String(word.dropFirst(5))] : isOfPrism ? Self.long[word] : Self.short[word]
        }
        guard let color = colors.first else { return nil }
        self = color
    }

    /// The classes of Pygments (https://pygments.org/docs/tokens), which Rouge and Chroma have, too.
    private static let short = table([
        .keyword: "k kc kd kn kp kr kt ow", .string: "dl s s1 s2 sa sb sc sd se sh si sr ss sx",
        .comment: "c c1 ch cm cp cpf cs", .number: "il m mb mf mh mi mo mx", .name: "bp fm na nb nc nd ne nf nn nt",
    ])

    /// The classes of highlight.js (https://highlightjs.readthedocs.io/en/latest/css-classes-reference.html) after their prefix,
    /// and of Prism (https://prismjs.com/tokens.html).
    private static let long = table([
        .keyword: "keyword type selector-tag atrule important",
        .string: "string char regexp regex attr-value symbol url",
        .comment: "comment quote meta prolog doctype cdata", .number: "number literal boolean constant",
        .name: """
        built_in builtin title section name attr attribute attr-name selector-id selector-class selector function \
        class-name tag property
        """,
    ])

    /// A class that means it, in the HTML of articles.
    var className: String {
        switch self {
        case .keyword: "k"
        case .string: "s"
        case .comment: "c"
        case .number: "m"
        case .name: "nf"
        }
    }

    private static func table(_ names: [CodeColor: String]) -> [String: CodeColor] {
        let pairs = names.flatMap { color, names in names.split(separator: " ").map { (String($0), color) } }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}

/// A part of code that has a colour.
package struct CodePart: Hashable, Sendable {
    /// The UTF-8 range in the code.
    package let range: Range<Int>
    package let color: CodeColor
}

extension [Span] {
    /// The text of code as shown, and its parts that have colours, in their order.
    var coloredCode: (text: String, parts: [CodePart]) {
        var (text, parts) = ("", [CodePart]())
        addCode(to: &text, &parts, nil)
        return (text, parts)
    }

    private func addCode(to text: inout String, _ parts: inout [CodePart], _ color: CodeColor?) {
        for span in self {
            if case .element(.colored(let own), let inner) = span {
                inner.addCode(to: &text, &parts, own)
                continue
            }
            let start = text.utf8.count
            text += [span].shownText
            guard let color, text.utf8.count > start else { continue }
            if let last = parts.last, last.color == color, last.range.upperBound == start {
                parts[parts.count - 1] = CodePart(range: last.range.lowerBound..<text.utf8.count, color: color)
            } else {
                parts.append(CodePart(range: start..<text.utf8.count, color: color))
            }
        }
    }
}

extension [CodePart] {
    /// Calls a closure with each piece of code, in order, and its colour, if it has one.
    package func forEachPiece(of code: String, _ body: (String, CodeColor?) -> Void) {
        var end = 0
        func piece(_ range: Range<Int>, _ color: CodeColor?) {
            let part = code.utf8.dropFirst(range.lowerBound).prefix(range.count)
            if !part.isEmpty { body(String(Substring(part)), color) }
        }
        for part in self {
            piece(end..<part.range.lowerBound, nil)
            piece(part.range, part.color)
            end = part.range.upperBound
        }
        piece(end..<Swift.max(end, code.utf8.count), nil)
    }
}
