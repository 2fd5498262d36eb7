import Model

/// Markdown as https://spec.commonmark.org has it, with GitHub's tables and strikethrough
/// (https://github.github.com/gfm).
package enum Markdown {
    /// The document that a text is.
    ///
    /// Tags that static-site generators leave in it are no part of the document.
    ///
    /// It takes time in proportion to the text's length, whatever the text.
    package static func document(_ text: String) -> Document {
        var parser = BlockParser()
        var rest = Liquid.removed(from: CombiningMarks.limited(Array(text.utf8)))[...]
        while !rest.isEmpty {
            let end = rest.firstIndex { $0 == .lineFeed || $0 == .carriageReturn } ?? rest.endIndex
            parser.add(line: Array(rest[rest.startIndex..<end]))
            let isPair = end + 1 < rest.endIndex && rest[end] == .carriageReturn && rest[end + 1] == .lineFeed
            rest = rest[min(end + (isPair ? 2 : 1), rest.endIndex)...]
        }
        return parser.finish()
    }
}
