import Foundation
import Markup

/// A text of a feed, and whether it is HTML.
package struct FeedContent {
    package let text: [UInt8]
    package let isHTML: Bool

    package init(text: [UInt8], isHTML: Bool) {
        self.text = text
        self.isHTML = isHTML
    }

    /// What it says in one line; of more bytes than so many the beginning.
    package func line(limit: Int) -> String? {
        if isHTML { return FeedText.line(html: text, limit: limit) }
        return FeedText.line(text.count > limit ? FeedText.cut(text, limit) : text[...])
    }
}

extension FeedElement {
    /// The text as its attributes have it; nil where it is empty or something else than text.
    ///
    /// https://www.rfc-editor.org/rfc/rfc4287#section-4.1.3.3; RSS doesn't say what it is, so there tags tell.
    func content(in kind: FeedKind) -> FeedContent? {
        var text = Array(self.text.trimmed)
        guard !text.isEmpty else { return nil }
        let type = attributes["type"]?.lowercased()
        if attributes["mode"]?.lowercased() == "base64" {
            guard let data = Data(base64Encoded: Data(text), options: .ignoreUnknownCharacters) else { return nil }
            text = Array([UInt8](data).text.utf8)
        }
        let isHTML: Bool
        if hasMarkup || keepsMarkup || type?.contains("html") == true {
            isHTML = true
        } else if vocabulary == .media || type == "text" || type == "plain" || type == "text/plain" {
            // Media RSS means plain text where it says nothing, and YouTube writes it so.
            isHTML = false
        } else if kind == .atom, vocabulary == .feed {
            guard type == nil || type?.hasPrefix("text/") == true else { return nil }
            isHTML = false
        } else {
            isHTML = FeedText.isHTML(text)
        }
        return FeedContent(text: text, isHTML: isHTML)
    }
}
