import BlogEssentials

/// Removes what a page says about cookies and the law, which is often longer than a short post.
extension HTMLTree {
    /// Removes dialogs, footers and boxes about cookies and privacy that are outside of the text with the page's title.
    ///
    /// They are kept if the page has no text besides.
    mutating func removeLegalNotices(title: String?) {
        let counts = unlinkedBytes()
        guard let (text, isDeclared) = elementWithText(title, counts) else { return }
        let around = Set([text] + ancestors(of: text))
        var node = firstChild(Self.body)
        while let current = node {
            // What is in the text stays, whatever it is about.
            let isInside = current == text
            if isElement(current), !isInside, !around.contains(current),
                isLegalNotice(current) || isDeclared && isAboutCookies(current, counts)
            {
                node = nextOutside(current, within: Self.body)
                remove(current)
            } else {
                node = isInside ? nextOutside(current, within: Self.body) : nextInOrder(current, within: Self.body)
            }
        }
    }

    /// The number of bytes of text in each element that aren't in links or headings.
    private func unlinkedBytes() -> [Int] {
        var counts = [Int](repeating: 0, count: nodes.count)
        for node in all(in: Self.body).reversed() {
            switch tag(node) {
            case .text: counts[node] = withSource(of: node) { $0.trimmed.count }
            case .a, .nav, .button, .h1, .h2, .h3, .h4, .h5, .h6: counts[node] = 0
            default: break
            }
            if let parent = parent(node) { counts[parent] += counts[node] }
        }
        return counts
    }

    /// The only article, or the innermost element that has the heading with the page's title and some text, and whether its tag
    /// says that it is the text; nil if the page has no such element.
    private func elementWithText(_ title: String?, _ counts: [Int]) -> (element: Int, isDeclared: Bool)? {
        let elements = all(in: Self.body)
        let articles = elements.filter { tag($0) == .article }
        if articles.count == 1, counts[articles[0]] >= Self.enough { return (articles[0], true) }
        guard let title else { return nil }
        let heading = elements.first { node in
            [.h1, .h2].contains(tag(node)) && PageTitle.similarity(of: text(of: node, atLeast: 1000), to: title) > 0.75
        }
        guard let heading else { return nil }
        let place = ancestors(of: heading).first { counts[$0] >= Self.enough }
        guard let place, place != Self.body, place != Self.root else { return (heading, false) }
        return (place, tag(place) == .main || tag(place) == .article)
    }

    /// Fewer characters are a line about the post.
    private static let enough = 40

    private func isLegalNotice(_ node: Int) -> Bool {
        switch tag(node) {
        case .dialog, .footer: return true
        case .div, .section, .aside, .form, .p: break
        default: return false
        }
        let attributes = attributes(of: node)
        return ["dialog", "alertdialog", "contentinfo"].contains(attributes["role"])
            || attributes.areNamed(after: Self.names)
    }

    /// Whether an element's text is about cookies, in any language that calls them so.
    private func isAboutCookies(_ node: Int, _ counts: [Int]) -> Bool {
        guard [.div, .section, .aside].contains(tag(node)), counts[node] > 200, counts[node] < 20_000 else {
            return false
        }
        let text = Array(text(of: node).utf8)
        // At the beginning of a sentence, or in the middle.
        let word = Array("ookie".utf8)
        var (rest, cookies) = (text[...], 0)
        while let start = rest.position(of: word) {
            rest = rest[(start + word.count)...]
            cookies += 1
        }
        return cookies * 360 > text.count
    }

    private static let names = [
        "cookie", "consent", "gdpr", "onetrust", "privacy-", "cc-window", "cmp-", "didomi", "usercentrics", "qc-cmp",
        "trustarc", "truste", "disclaimer", "imprint", "impressum", "legal-notice",
    ].map { Array($0.utf8) }
}
