import BlogMarkup

/// Reads the tags in an element of a feed.
enum FeedTags {
    /// The tags in a text that may be HTML: the texts of its links if it is a list of links, else the text itself.
    static func tags(html: [UInt8]) -> [String] {
        let linked = linkedTags(html)
        return linked.isEmpty ? [FeedText.line(html: html)].compactMap { $0 } : linked
    }

    /// The texts of links; empty if there are words between them.
    private static func linkedTags(_ html: [UInt8]) -> [String] {
        guard html.contains(UInt8(ascii: "<")) else { return [] }
        return VisibleTokens.read(html) { tokens in
            var tags: [String] = []
            var start: Int?
            func endLink(at end: Int) {
                if let tag = start.flatMap({ FeedText.line(html: Array(html[$0..<end])) }) { tags.append(tag) }
                start = nil
            }
            while let token = tokens.next() {
                switch token {
                case .open("a", let tag, false):
                    endLink(at: tag.lowerBound)
                    start = tag.upperBound
                case .close("a", let tag): endLink(at: tag.lowerBound)
                case .text(let range), .characterData(let range):
                    if start == nil, hasWord(CharacterReferences.replaced(in: tokens.scanner[range], as: .html)) {
                        return []
                    }
                case .open, .close, .hidden: break
                }
            }
            endLink(at: html.count)
            return tags
        }
    }

    private static func hasWord(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }
}
