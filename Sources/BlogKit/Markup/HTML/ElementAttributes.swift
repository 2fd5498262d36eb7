import BlogEssentials

/// What text keeps of the white space in its source: its lines, or also the spaces at their beginnings.
enum KeptSpace: String {
    case lines = "pre-line"
    case linesAndSpaces = "pre-wrap"
}

/// The attributes of an element by their lowercased names.
///
/// Most elements have a few: finding one among them takes a tenth of the time that hashing its name would.
package struct ElementAttributes: Sendable, ExpressibleByDictionaryLiteral {
    /// In their order; several can have the same name.
    private(set) var pairs: [(name: String, value: String)] = []

    package init(dictionaryLiteral elements: (String, String)...) { pairs = elements.map { ($0, $1) } }

    /// As in browsers, the first of several attributes with the same name counts.
    package subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// Those with one of the names.
    func keeping(_ names: [String]) -> ElementAttributes {
        var kept: ElementAttributes = [:]
        for name in names { if let value = self[name] { kept.append(name, value) } }
        return kept
    }

    /// Adds an attribute, which counts unless there is one with its name.
    package mutating func append(_ name: String, _ value: String) { pairs.append((name, value)) }
}

/// The meaning of attributes, for both the reader of bodies and the reader of web pages.
extension ElementAttributes {
    /// Whether the attributes hide the text of their element.
    ///
    /// - Parameter isAfterFormula: whether a formula came last, which would be there twice.
    package func hideText(isAfterFormula: Bool) -> Bool {
        if hideElement { return !hideFormula }
        return areAriaHidden && (isAfterFormula || !showFormula)
    }

    /// Whether the attributes hide their element.
    ///
    /// A browser's search finds text that is hidden until then.
    var hideElement: Bool {
        self["hidden"].map { $0.lowercased() != "until-found" } == true || self["style"].map(Self.hides) == true
    }

    /// Whether the attributes are those of links for editors.
    var areForEditors: Bool { hasClass { $0 == "mw-editsection" } }

    /// Whether a label tells screen readers what the content is, which they would read badly.
    var areLabelled: Bool {
        guard self["aria-label"]?.isEmpty == false else { return false }
        return self["role"] == "img" || self["role"] == "math" || self["class"]?.hasPrefix("mjx") == true
    }

    /// Whether the attributes hide their element from screen readers, as decoration or because it is there twice.
    var areAriaHidden: Bool { self["aria-hidden"] == "true" && self["class"]?.contains("fallback-image") != true }

    /// Whether the attributes are those of KaTeX's picture of a formula, which may be there without the formula itself.
    var showFormula: Bool { hasClass { $0 == "katex-html" } }

    /// Whether text in the element keeps its line feeds, and whether also the spaces after them.
    var keptSpace: KeptSpace? {
        guard let value = self["style"].flatMap({ Self.value(of: "white-space", in: $0) }) else { return nil }
        return value == "pre-line"
            ? .lines : ["pre", "pre-wrap", "break-spaces"].contains(value) ? .linesAndSpaces : nil
    }

    /// The numbers of an ordered list, which its style or its `type` tells.
    var numberStyle: ListNumbers.Style? {
        let style = self["style"].flatMap { style in
            // The shorthand has other values, too, and `declarations` no spaces.
            Self.value(of: "list-style-type", in: style) ?? Self.value(of: "list-style", in: style)
        }
        let named = Self.numberStyles.first { style?.contains($0.name) == true }
        return named?.style ?? self["type"].flatMap(ListNumbers.Style.init)
    }

    private static let numberStyles: [(name: String, style: ListNumbers.Style)] = [
        ("lower-alpha", .lowerLetters), ("lower-latin", .lowerLetters), ("upper-alpha", .upperLetters),
        ("upper-latin", .upperLetters), ("lower-roman", .lowerRoman), ("upper-roman", .upperRoman),
        ("decimal", .decimal),
    ]

    /// The formula that a picture shows, in TeX; nil for other pictures.
    var formula: String? {
        guard arePictureOfFormula, let text = self["alt"].map(MathBuilder.withoutWrapper), !text.isEmpty else {
            return nil
        }
        return text
    }

    /// Whether the attributes are those by which MediaWiki and WordPress show a formula as a picture.
    var arePictureOfFormula: Bool {
        hasClass { $0.hasPrefix("mwe-math-fallback-image") || $0 == "latex" }
    }

    /// Whether the attributes hide a formula of MediaWiki for the sake of its picture.
    var hideFormula: Bool { hasClass { $0.hasPrefix("mwe-math-mathml") } }

    /// The emoji that a picture shows; nil for other pictures.
    var emoji: String? {
        guard let names = self["class"]?.lowercased(), names.contains("emoji") || names.contains("smiley"),
            let text = self["alt"]?.trimmed, !text.isEmpty, text.utf8.count <= 64
        else { return nil }
        guard text.hasPrefix(":"), text.hasSuffix(":") else { return text }
        // The picture of a short name is often named after its characters: 1f468-200d-1f4bb.png.
        let file = (self["src"] ?? "").prefix { $0 != "?" }.split(separator: "/").last?.prefix { $0 != "." } ?? ""
        let scalars = file.split(separator: "-").map { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
        let isEmoji = scalars.allSatisfy { scalar in
            guard let scalar else { return false }
            return scalar.value > 0xFF && scalar.properties.isEmoji || ["\u{200D}", "\u{FE0F}"].contains(scalar)
        }
        return isEmoji && !scalars.isEmpty ? scalars.compactMap { $0.map(String.init) }.joined() : text
    }

    /// The address of what a video, audio or frame shows, which a script may take from an attribute of its own; nil if
    /// there is none.
    var mediaAddress: String? {
        let addresses = ["src", "data-src", "data-lazy-src", "data-litespeed-src"].lazy.compactMap { self[$0] }
        if let address = addresses.first(where: { !$0.isEmpty && $0 != "about:blank" && PictureAddress.isAddress($0) })
        {
            return address
        }
        guard let id = videoID else { return self["src"].flatMap { $0.isEmpty ? nil : $0 } }
        return (id.utf8.allSatisfy(\.isDigit) ? "https://vimeo.com/" : "https://www.youtube.com/watch?v=") + id
    }

    /// The ID of a video at YouTube or Vimeo, by which AMP and light players name it.
    var videoID: String? {
        guard let id = self["data-videoid"] ?? self["videoid"], !id.isEmpty,
            id.utf8.allSatisfy({ $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
        else { return nil }
        return id
    }

    /// Whether the ID or the classes contain one of some texts in lower case.
    func areNamed(after texts: [[UInt8]]) -> Bool {
        ["id", "class"].contains { self[$0]?.utf8.map(\.lowercased).hasAny(of: texts) == true }
    }

    /// Whether the attributes are those of line numbers.
    var areLineNumbers: Bool { hasClass { Self.numberClasses.contains(String($0)) } }

    func hasClass(where matches: (Substring) -> Bool) -> Bool { firstClass(where: matches) != nil }

    private func firstClass(where matches: (Substring) -> Bool) -> Substring? {
        self["class"]?.utf8.firstWord { matches(Substring($0)) }.map { Substring($0) }
    }

    /// Those of Chroma, Rouge, Pygments and Prism.
    private static let numberClasses: Set<String> = [
        "lnt", "ln", "gutter", "rouge-gutter", "lineno", "linenos", "line-numbers-rows", "line-number", "line-numbers",
        "linenumber", "react-syntax-highlighter-line-number", "hljs-ln-numbers", "blob-num", "crayon-nums",
        "code-line-number",
    ]

    /// Whether the attributes are those of a line of code.
    var areCodeLine: Bool {
        hasClass { ["line", "token-line", "code-line", "view-line"].contains($0) } || isShownAsBlock
    }

    /// Whether an element is shown as a block, whatever it is.
    var isShownAsBlock: Bool { self["style"].flatMap { Self.value(of: "display", in: $0) } == "block" }

    /// Whether a table or list only puts numbers beside lines of code.
    var areNumberedCode: Bool { hasClass { Self.codeNumbers.contains(String($0)) } }

    private static let codeNumbers: Set<String> = ["lntable", "rouge-table", "highlighttable", "linenums", "hljs-ln"]

    /// Whether the `style` of an element hides it.
    private static func hides(_ style: String) -> Bool {
        value(of: "display", in: style) == "none" || value(of: "visibility", in: style) == "hidden"
    }

    /// The value of a property in a style, without spaces and in lower case; nil if it isn't there.
    private static func value(of property: String, in style: String) -> String? {
        var value: String?
        var rest = style.utf8[...]
        while !rest.isEmpty {
            let declaration = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest[declaration.endIndex...].dropFirst()
            guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")),
                Substring(declaration[..<colon].trimmed).lowercased() == property
            else { continue }
            let words = declaration[declaration.index(after: colon)...].filter { !$0.isASCIIWhitespace }
            value = words.text.lowercased().replacing("!important", with: "")
        }
        return value
    }

    /// The programming language of code, which its `class` names in one of several ways.
    var codeLanguage: String? {
        let names = ["language-", "lang-", "highlight-source-"].lazy.compactMap { prefix in
            firstClass { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        }
        return names.first { !$0.isEmpty }
    }

    /// The number at the beginning of an attribute (https://html.spec.whatwg.org/#rules-for-parsing-integers), of at most
    /// nine digits; nil if there is none.
    func number(_ name: String) -> Int? {
        let digits = (self[name] ?? "").utf8.drop(while: \.isASCIIWhitespace).prefix(while: \.isDigit)
        return Int(digits.prefix(9).text)
    }

    /// The columns or rows that a cell spans, bounded as in https://html.spec.whatwg.org/#attr-tdth-colspan.
    ///
    /// - Parameter zero: the meaning of 0.
    func span(_ name: String, most: Int, zero: Int = 1) -> Int {
        guard let number = number(name) else { return 1 }
        return number == 0 ? zero : Swift.min(number, most)
    }
}

extension ImageSize {
    /// The size in an `img`'s attributes; nil if neither side is a plausible number of pixels.
    init?(_ attributes: ElementAttributes) {
        let sides = ["width", "height"].map { name -> Int? in
            let number = attributes[name].flatMap { Int($0.trimmed.replacing("px", with: "")) }
            return number.flatMap { Self.plausible.contains($0) ? $0 : nil }
        }
        guard sides != [nil, nil] else { return nil }
        self.init(width: sides[0], height: sides[1])
    }

    /// Placeholders have a pixel or two.
    private static let plausible = 3...10_000
}

/// The address of an `img`, which pages that load pictures lazily don't have in `src`.
enum PictureAddress {
    /// The address as published; "" if there is none.
    static func of(_ attributes: ElementAttributes) -> String {
        let candidates = ["data-src", "data-lazy-src", "data-original", "src"].lazy.compactMap { attributes[$0] }
        let address =
            candidates.first(where: isAddress)
            ?? ["srcset", "data-srcset", "data-lazy-srcset"].lazy.compactMap { attributes[$0] }.compactMap(largest)
            .first
        if let address, !isLazy(attributes) || address != attributes["src"] { return address }
        return unusual(attributes) ?? address ?? attributes["src"] ?? ""
    }

    /// Whether the address is none, or only that of a picture to be seen until a script loads the right one.
    static func isPlaceholder(_ attributes: ElementAttributes) -> Bool {
        let address = of(attributes)
        return !isAddress(address) || isLazy(attributes) && address == attributes["src"]
    }

    private static func isLazy(_ attributes: ElementAttributes) -> Bool {
        attributes["class"]?.lowercased().contains("lazy") == true
    }

    /// The address in an attribute that only one site's script knows.
    private static func unusual(_ attributes: ElementAttributes) -> String? {
        let others = attributes.pairs.filter { name, value in
            !["src", "srcset", "alt", "title", "href"].contains(name) && value.utf8.count < 8192 && isAddress(value)
                && !value.contains(where: \.isWhitespace) && hasFileName(value)
        }
        return others.min { $0.name < $1.name }?.value
    }

    /// Whether a text isn't empty, nor a data URL, which in `src` is often a tiny placeholder.
    static func isAddress(_ text: String) -> Bool {
        !text.isEmpty && text.prefix(5).lowercased() != "data:"
    }

    /// Whether a text contains the name of a picture's file, as addresses in unusual attributes do.
    static func hasFileName(_ text: String) -> Bool {
        text.utf8.map(\.lowercased).hasAny(of: fileTypes)
    }

    private static let fileTypes = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif"].map { Array($0.utf8) }

    /// The address of the largest picture in a `srcset`: `a.png 1x, b.png 2x`.
    private static func largest(of set: String) -> String? {
        var best: (address: String, size: Double)?
        var rest = Array(set.utf8)[...]
        while true {
            rest = rest.drop { $0.isASCIIWhitespace || $0 == UInt8(ascii: ",") }
            var address = rest.prefix { !$0.isASCIIWhitespace }
            guard !address.isEmpty else { return best?.address }
            rest = rest[address.endIndex...]
            var descriptor: ArraySlice<UInt8> = []
            if address.last == UInt8(ascii: ",") {
                while address.last == UInt8(ascii: ",") { address.removeLast() }
            } else {
                descriptor = rest.prefix { $0 != UInt8(ascii: ",") }
                rest = rest[descriptor.endIndex...]
            }
            let size = Double(descriptor.trimmed.dropLast().text) ?? 1
            if isAddress(address.text), best.map({ size > $0.size }) ?? true { best = (address.text, size) }
        }
    }
}
