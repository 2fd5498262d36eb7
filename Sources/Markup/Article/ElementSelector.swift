/// A selector of elements, as in CSS: `article`, `.post`, `#main`, `[itemprop=articleBody]`, `div.post p`, `h1, h2`.
package struct ElementSelector: Hashable, Sendable {
    /// As it was written.
    package let text: String

    /// Nil if it isn't a selector, or one with something that isn't supported: see ``problem(in:)``.
    package init?(_ text: String) {
        guard Self.problem(in: text) == nil else { return nil }
        self.text = text
    }

    /// Why a text isn't a supported selector, as the end of a sentence: ``has `>`, which isn't supported``.
    package static func problem(in text: String) -> String? {
        text.isEmpty ? "is empty" : nil
    }
}
