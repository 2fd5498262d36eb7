import BlogEssentials

/// Reads HTML from feeds and Hacker News, which may have unclosed, wrongly nested and unknown tags.
package enum HTML {
    /// Parses HTML in linear time, without losing any text that browsers show.
    package static func document(_ html: String) -> Document { document(Array(html.utf8)) }

    /// Parses HTML in UTF-8.
    static func document(_ html: [UInt8]) -> Document {
        let html = ProtectedAddresses.revealed(in: html)
        var builder = HTMLBuilder(of: html)
        HTMLToken.forEach(in: html) { builder.add($0) }
        return Document(blocks: builder.finish())
    }

    /// Whether a text begins with an HTML tag.
    package static func isBeginning(of text: String) -> Bool {
        // As scalars, because a text of marks is one Character, which takes quadratic time to compare.
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace }
        guard start.first == "<" else { return false }
        let name = String(start.dropFirst().prefix(maxName).prefix(while: isPartOfName)).lowercased()
        return name == "!doctype" || HTMLNames.first.contains(name)
    }

    private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "!"
    }

    /// Longer than the name of any tag.
    private static let maxName = 40

    /// Whether all of a text is HTML, rather than Markdown with some HTML in it.
    package static func isWhole(of text: String) -> Bool {
        guard isBeginning(of: text) else { return false }
        let bytes = Array(text.utf8)
        guard bytes.last(where: { !$0.isASCIIWhitespace }) == UInt8(ascii: ">") else { return false }
        // Markdown syntax after the first tag.
        return !["](", "```", "\n# ", "\n## ", "\n- ", "\n* "].contains { bytes.position(of: Array($0.utf8)) != nil }
    }
}

package enum HTMLToken {
    /// Text with its character references replaced.
    case text(String)
    case open(name: String, attributes: ElementAttributes)
    case close(name: String)
}

extension HTMLToken {
    /// Elements of a web page whose content isn't HTML, or isn't shown until a script uses it.
    package static let scripts: Set<String> = ["script", "style", "template"]

    /// The type of a script that is a formula, also the name of the element that it is read as.
    static let formula = "math/tex"

    /// Calls `body` with each token except comments, declarations and the elements named, but for scripts that are
    /// formulas.
    ///
    /// Tokens aren't returned as an array because that would take many times the memory of the text.
    package static func forEach(
        in html: String, leavingOut hidden: Set<String> = Visibility.raw, _ body: (HTMLToken) -> Void
    ) {
        forEach(in: Array(html.utf8), leavingOut: hidden, body)
    }

    static func forEach(in html: [UInt8], leavingOut hidden: Set<String> = Visibility.raw, _ body: (HTMLToken) -> Void)
    {
        CombiningMarks.limited(html).withUnsafeBufferPointer { bytes in
            var scanner = TagScanner(bytes)
            while let token = scanner.next() {
                switch token {
                case .text(let range): body(.text(CharacterReferences.replaced(in: scanner[range], as: .html)))
                case .characterData(let range): body(.text(scanner[range].text))
                case .open(let range, let isEmpty):
                    let name = HTMLNames.standard(scanner.lowercased(range))
                    if !hidden.contains(name) {
                        body(.open(name: name, attributes: scanner.attributeValues))
                        // In XML, which feeds have too, the element is empty.
                        if isEmpty, Visibility.withFallback.contains(name) { body(.close(name: name)) }
                        continue
                    }
                    let attributes = scanner.attributeValues
                    // The formula in it is read like any other.
                    if name == "script", attributes["type"] == "math/mml" { continue }
                    let content = scanner.skipElement(range)
                    guard name == "script", attributes["type"]?.hasPrefix(formula) == true else { continue }
                    let text = scanner[content].text
                    body(.open(name: formula, attributes: [:]))
                    body(.text(text.replacing("% <![CDATA[", with: "").replacing("%]]>", with: "").trimmed))
                    body(.close(name: formula))
                case .close(let range): body(.close(name: HTMLNames.standard(scanner.lowercased(range))))
                }
            }
        }
    }
}
