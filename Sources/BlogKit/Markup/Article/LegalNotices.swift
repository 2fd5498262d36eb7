import BlogEssentials

/// Removes what a page says about cookies and the law, which is often longer than a short post.
extension HTMLTree {
    /// Removes dialogs, footers and boxes about cookies and privacy that are outside of the text with the page's title.
    ///
    /// They are kept if the page has no text besides.
    mutating func removeLegalNotices(around place: TextPlace?) {
        guard let place else { return }
        let (text, isDeclared, counts) = (place.innermost, place.isDeclared, place.unlinkedBytes)
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
