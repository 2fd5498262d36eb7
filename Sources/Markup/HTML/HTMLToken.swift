import Model

/// A piece of HTML.
package enum HTMLToken {
    /// Text with its character references replaced.
    case text(String)
    case open(name: String, attributes: [String: String])
    case close(name: String)
}

extension HTMLToken {
    /// Elements that browsers don't show.
    static let unseen: Set<String> = ["script", "style", "template", "noscript", "head", "title"]
    /// Elements of a web page whose content isn't HTML, or isn't there until a script shows it.
    package static let scripts: Set<String> = ["script", "style", "template"]

    /// Calls `body` with each token of a text; a list of them would take many times the memory of the text.
    ///
    /// Comments, declarations and the elements in `hidden` are left out.
    package static func forEach(
        in html: String, leavingOut hidden: Set<String> = unseen, _ body: (HTMLToken) -> Void
    ) {
        CombiningMarks.limited(Array(html.utf8)).withUnsafeBufferPointer { bytes in
            var scanner = TagScanner(bytes)
            while let token = scanner.next() {
                switch token {
                case .text(let range): body(.text(CharacterReferences.replaced(in: scanner[range], of: .html)))
                case .characterData(let range): body(.text(scanner[range].text))
                case .open(let range, _):
                    let name = scanner.lowercased(range)
                    if hidden.contains(name) {
                        scanner.skipContent(of: range)
                    } else {
                        body(.open(name: name, attributes: attributes(of: scanner)))
                    }
                case .close(let range): body(.close(name: scanner.lowercased(range)))
                }
            }
        }
    }

    private static func attributes(of scanner: TagScanner) -> [String: String] {
        var attributes: [String: String] = [:]
        for attribute in scanner.attributes {
            let name = scanner.lowercased(attribute.name)
            // As in browsers, the first of a name counts.
            attributes[name] =
                attributes[name] ?? CharacterReferences.replaced(in: scanner[attribute.value], of: .htmlAttribute)
        }
        return attributes
    }
}
