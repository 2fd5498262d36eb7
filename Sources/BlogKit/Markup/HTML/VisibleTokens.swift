import BlogEssentials

/// The visible tokens of HTML, for readers that need its words alone.
package struct VisibleTokens {
    package enum Token {
        /// Text, with its character references unchanged.
        case text(Range<Int>)
        /// The content of a CDATA section.
        case characterData(Range<Int>)
        /// A start tag with its name in lower case.
        case open(name: String, tag: Range<Int>, isEmpty: Bool)
        case close(name: String, tag: Range<Int>)
        /// An element that can't be seen, from its start tag to its end.
        case hidden(name: String)
    }

    package private(set) var scanner: TagScanner
    private var visibility: Visibility

    /// - Parameter bytes: those of `html`.
    private init(_ html: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>) {
        scanner = TagScanner(bytes)
        visibility = Visibility(of: html)
    }

    /// Reads the tokens of HTML.
    package static func read<Result>(_ html: [UInt8], _ body: (inout VisibleTokens) -> Result) -> Result {
        let html = ProtectedAddresses.revealed(in: html)
        return html.withUnsafeBufferPointer { bytes in
            var tokens = VisibleTokens(html, bytes)
            return body(&tokens)
        }
    }

    /// The next token; nil at the end.
    package mutating func next() -> Token? {
        while let token = scanner.next() {
            switch token {
            case .text(let range):
                if visibility.showsText(isBlank: scanner[range].isBlank) { return .text(range) }
            case .characterData(let range):
                if visibility.showsText(isBlank: scanner[range].isBlank) { return .characterData(range) }
            case .open(let range, let isEmpty):
                let (name, tag) = (scanner.lowercased(range), range.lowerBound - 1..<scanner.index)
                // In XML, which feeds have too, the element is empty.
                if isEmpty, !HTMLNames.voids.contains(name) { return .open(name: name, tag: tag, isEmpty: true) }
                let attributes = scanner.attributeValues
                if Visibility.raw.contains(name) { return raw(name, range, attributes) }
                let isInside = visibility.isHiding
                if visibility.shows(.open(name: name, attributes: attributes)) {
                    return .open(name: name, tag: tag, isEmpty: isEmpty)
                }
                if !isInside { return .hidden(name: name) }
            case .close(let range):
                let (name, tag) = (scanner.lowercased(range), range.lowerBound - 2..<scanner.index)
                if visibility.shows(.close(name: name)) { return .close(name: name, tag: tag) }
            }
        }
        return nil
    }

    /// Whether the text has an end tag of a name, before or after the last token.
    package mutating func haveEndTag(of name: String) -> Bool { visibility.hasEndTag(of: name) }

    /// Reads an element whose content isn't markup: a formula, or nothing that can be seen.
    private mutating func raw(_ name: String, _ range: Range<Int>, _ attributes: ElementAttributes) -> Token {
        let content = scanner.skipElement(range)
        guard !visibility.isHiding, !visibility.hides(name, attributes) else { return .hidden(name: name) }
        return .characterData(content)
    }

    /// A hash of the visible letters of HTML, by which two versions are the same text if only their tags and white space
    /// differ.
    ///
    /// It is only for comparisons within a process, and takes no memory for a long text.
    package static func hash(of html: String) -> Int {
        read(Array(html.utf8)) { tokens in
            var (hasher, part) = (Hasher(), [UInt8]())
            while let token = tokens.next() {
                part.removeAll(keepingCapacity: true)
                switch token {
                case .text(let range): CharacterReferences.append(tokens.scanner[range], to: &part, as: .html)
                case .characterData(let range): part += tokens.scanner[range]
                case .open, .close, .hidden: continue
                }
                for byte in part where byte > .space { hasher.combine(byte) }
            }
            return hasher.finalize()
        }
    }
}
