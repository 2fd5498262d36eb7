/// Tells the sections of a text from the boxes beside it that have the same classes and IDs: "comments", "menus", "sponsors".
extension HTMLTree {
    /// Whether an element is a section of a text that begins with a heading from which its ID is made.
    func beginsWithHeading(_ element: Int, named id: String?) -> Bool {
        guard [.section, .div].contains(tag(element)), let id,
            let first = children(of: element).first(where: isElement), tag(first).isHeading
        else { return false }
        func words(_ text: String) -> [Substring.UnicodeScalarView] {
            Substring(text.lowercased()).unicodeScalars.split {
                !$0.properties.isAlphabetic && $0.properties.numericType == nil
            }
        }
        let heading = text(of: first, atLeast: 4 * id.utf8.count + 100)
        guard words(heading).elementsEqual(words(id), by: { $0.elementsEqual($1) }) else { return false }
        return beginsWithProse(element)
    }

    /// Whether an element is one of several sections of a text, which all begin with a heading of the same level.
    func isInSeries(_ element: Int) -> Bool {
        guard [.section, .div].contains(tag(element)), let heading = leadingHeading(of: element) else { return false }
        var plain = 0
        for step in [next, previous] {
            var (node, left) = (step(element), Self.neighbors)
            while let current = node, left > 0 {
                if tag(current) == tag(element), leadingHeading(of: current) == heading,
                    !ArticleWords(of: current, in: self).isForeign
                {
                    plain += 1
                }
                (node, left) = (step(current), left - 1)
            }
        }
        return plain > 1 && beginsWithProse(element)
    }

    /// The number of nodes to look at before and after a section.
    private static let neighbors = 16

    /// The level of the heading before all text of an element.
    private func leadingHeading(of element: Int) -> HTMLTag? {
        for node in beginning(of: element, 8) {
            if tag(node).isHeading { return tag(node) }
            if tag(node) == .text, !isBlank(node) { return nil }
        }
        return nil
    }

    /// Whether the beginning of an element is text with few links that nobody else has written or is to write.
    private func beginsWithProse(_ element: Int) -> Bool {
        var (length, linked) = (0, 0)
        var node = firstChild(element)
        var (isInLink, endOfLink): (Bool, Int?) = (false, nil)
        var steps = 0
        while let current = node, length < 4096, steps < 1024 {
            if isInLink, current == endOfLink { isInLink = false }
            switch tag(current) {
            case .a where !isInLink: (isInLink, endOfLink) = (true, nextOutside(current, within: element))
            case .article, .time, .form, .textarea: return false
            case .div, .ol, .ul, .li, .dl:
                if ArticleWords(of: current, in: self).contains(.unlikely), leadingHeading(of: current) == nil {
                    return false
                }
            case .text:
                let bytes = withSource(of: current) { $0.count }
                length += bytes
                if isInLink { linked += bytes }
            default: break
            }
            node = nextInOrder(current, within: element)
            steps += 1
        }
        return length > 80 && linked * 3 < length
    }
}
