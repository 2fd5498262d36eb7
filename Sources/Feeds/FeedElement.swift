import Foundation
import Markup

/// A part of a feed: what its structure is made of.
///
/// What is written in a text, tags included, is that element's text, so that this is never deeper than a feed's own
/// structure. A class, because elements are handed on many times, and only what makes one changes it.
final class FeedElement {
    let vocabulary: XMLVocabulary
    /// Without a prefix, in small letters.
    let name: String
    /// By their names as they stand, in small letters; those without a value have "".
    var attributes: [String: String] = [:]
    /// What its links are relative to, where the feed says so with `xml:base`.
    var base: LinkBase?
    /// UTF-8, with its character references replaced unless ``keepsMarkup``.
    var text: [UInt8] = []
    /// Whether there are tags in the text that are the feed's own and not text for it.
    var hasMarkup = false
    var children: [FeedElement] = []

    init(vocabulary: XMLVocabulary, name: String) {
        self.vocabulary = vocabulary
        self.name = name
    }

    /// Whether the text is XHTML that is part of the feed, in which references stay what they are.
    ///
    /// It is needed at every tag of a text, when the attributes are known.
    private(set) lazy var keepsMarkup: Bool = {
        if vocabulary == .xhtml { return true }
        guard let type = attributes["type"]?.lowercased() else { return false }
        return type == "xhtml" || type.hasSuffix("/xml") || type.hasSuffix("+xml")
            || type.contains("html") && attributes["mode"] == "xml"
    }()

    /// Whether it is made of other elements.
    var isContainer: Bool {
        switch (vocabulary, name) {
        case (.rdf, "rdf"), (.media, "group"), (.media, "content"), (.itunes, "owner"): true
        case (.feed, _): Self.containers.contains(name)
        default: false
        }
    }

    var isItem: Bool { vocabulary == .feed && (name == "item" || name == "entry") }

    private static let containers: Set<String> = [
        "rss", "rdf", "channel", "feed", "item", "entry", "image", "textinput", "author", "contributor", "source",
    ]
}

extension FeedElement {
    /// The children of one name.
    func all(_ vocabulary: XMLVocabulary, _ name: String) -> [FeedElement] {
        children.filter { $0.vocabulary == vocabulary && $0.name == name }
    }

    /// The first child of one name.
    func child(_ vocabulary: XMLVocabulary, _ name: String) -> FeedElement? {
        children.first { $0.vocabulary == vocabulary && $0.name == name }
    }

    /// What the first child of one name says, as it stands, that says anything.
    func text(_ vocabulary: XMLVocabulary, _ name: String) -> String? {
        for child in children where child.vocabulary == vocabulary && child.name == name {
            if let text = child.trimmedText { return text }
        }
        return nil
    }

    /// The text without white space around it; nil for none.
    var trimmedText: String? {
        let trimmed = text.trimmed
        return trimmed.isEmpty ? nil : trimmed.text
    }

    /// An attribute that says something.
    func attribute(_ name: String) -> String? {
        attributes[name].map { Array($0.utf8).trimmed.text }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

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
