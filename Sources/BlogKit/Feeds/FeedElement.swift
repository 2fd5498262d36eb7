import BlogEssentials
import BlogMarkup

/// An element of a feed's structure.
///
/// Tags within texts are part of the text, so the tree is never deeper than a feed's structure. A class, because elements
/// are passed around a lot and only change while they are read.
final class FeedElement {
    let vocabulary: XMLVocabulary
    /// Without prefix, in lower case.
    let name: String
    /// By qualified name in lower case; "" for attributes without a value.
    var attributes: [String: String] = [:]
    /// The base of its links, if there is an `xml:base`.
    var base: LinkBase?
    /// In UTF-8, with character references replaced unless ``keepsMarkup``.
    var text: [UInt8] = []
    /// Whether the text has unescaped tags.
    var hasMarkup = false
    var children: [FeedElement] = []
    /// A digest of the bytes of an item; nil for others, and if they are unknown.
    var digest: UInt64?

    init(vocabulary: XMLVocabulary, name: String) {
        self.vocabulary = vocabulary
        self.name = name
    }

    /// Whether the text is inline XHTML, in which character references are kept.
    ///
    /// Lazy, because it is read for every tag of a text.
    private(set) lazy var keepsMarkup: Bool = {
        if vocabulary == .xhtml { return true }
        guard let type = attributes["type"]?.lowercased() else { return false }
        return type == "xhtml" || type.hasSuffix("/xml") || type.hasSuffix("+xml")
            || type.contains("html") && attributes["mode"] == "xml"
    }()

    /// Whether its children are elements and not text.
    var isContainer: Bool {
        switch (vocabulary, name) {
        case (.rdf, "rdf"), (.media, "group"), (.media, "content"), (.itunes, "owner"): true
        case (.feed, _): Self.containers.contains(name)
        default: false
        }
    }

    var isItem: Bool { vocabulary == .feed && (name == "item" || name == "entry") }

    /// The names that mean the same in any default namespace, because some generators declare that of something else.
    static let coreNames: Set<String> = [
        "channel", "item", "entry", "title", "link", "description", "summary", "content", "guid", "id", "pubdate",
        "published", "updated", "author", "category", "enclosure",
    ]

    private static let containers: Set<String> = [
        "rss", "rdf", "channel", "feed", "item", "entry", "image", "textinput", "author", "contributor", "source",
    ]
}

extension FeedElement {
    func all(_ vocabulary: XMLVocabulary, _ name: String) -> [FeedElement] {
        children.filter { $0.vocabulary == vocabulary && $0.name == name }
    }

    func child(_ vocabulary: XMLVocabulary, _ name: String) -> FeedElement? {
        children.first { $0.vocabulary == vocabulary && $0.name == name }
    }

    /// The text of the first child of this name that has any.
    func text(_ vocabulary: XMLVocabulary, _ name: String) -> String? {
        for child in children where child.vocabulary == vocabulary && child.name == name {
            if let text = child.trimmedText { return text }
        }
        return nil
    }

    /// The text without surrounding white space; nil if it is blank.
    var trimmedText: String? {
        let trimmed = text.trimmed
        return trimmed.isEmpty ? nil : trimmed.text
    }

    /// An attribute, trimmed; nil if it is blank.
    func attribute(_ name: String) -> String? {
        attributes[name].map { Array($0.utf8).trimmed.text }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A text of a feed.
package struct FeedContent {
    package let text: [UInt8]
    package let isHTML: Bool

    package init(text: [UInt8], isHTML: Bool) {
        self.text = text
        self.isHTML = isHTML
    }

    /// Whether there is nothing to see or hear in it.
    var isBlank: Bool { isHTML ? FeedText.isBlank(html: text) : FeedText.isBlank(text) }

    /// Whether another text is only the beginning of this one.
    func isWhole(of other: FeedContent) -> Bool {
        // Markup takes bytes, too.
        guard text.count > other.text.count || other.isHTML && !isHTML, let part = other.line(limit: .max),
            let whole = line(limit: .max)
        else {
            return false
        }
        let dots: Set<Character> = ["…", ".", "[", "]", " "]
        let beginning = part[...(part.lastIndex { !dots.contains($0) } ?? part.startIndex)]
        return whole.utf8.count > part.utf8.count && whole.utf8.starts(with: beginning.utf8)
    }

    /// Whether the visible text of another one is short beside this.
    func isFar(longerThan other: FeedContent) -> Bool {
        (line(limit: .max)?.utf8.count ?? 0) / 3 > (other.line(limit: .max)?.utf8.count ?? 0)
    }

    func followed(by other: FeedContent) -> FeedContent {
        let isHTML = isHTML || other.isHTML
        let (first, second) = isHTML ? (html, other.html) : (text + [.lineFeed], other.text)
        return FeedContent(text: first + [.lineFeed] + second, isHTML: isHTML)
    }

    private var html: [UInt8] {
        if isHTML { return text }
        return Array("<p style=\"white-space:pre-line\">".utf8) + text.withUnsafeBufferPointer(RelativeLinks.escaped)
            + Array("</p>".utf8)
    }

    /// The text on one line, truncated to `limit` bytes; nil if it is blank.
    package func line(limit: Int) -> String? {
        isHTML ? FeedText.line(html: text, limit: limit) : FeedText.line(FeedText.truncated(text, to: limit))
    }
}

extension FeedElement {
    /// The text in the format of its `type` (https://www.rfc-editor.org/rfc/rfc4287#section-4.1.3.3); nil if it is empty
    /// or isn't text.
    ///
    /// RSS doesn't declare a format: a text with markup is HTML.
    func content(in kind: FeedKind) -> FeedContent? {
        var text = Self.unwrapped(self.text.trimmed)
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
            // The default of Media RSS, which YouTube relies on.
            isHTML = false
        } else if kind == .atom, vocabulary == .feed {
            // Some generators invent types: "CDATA", "escaped".
            if let type, !type.contains("/") { return FeedText.content(guessing: text) }
            guard type == nil || type?.hasPrefix("text/") == true else { return nil }
            isHTML = false
        } else {
            let content = FeedText.content(guessing: text)
            // Podcasts' generators escape it twice.
            let isEscapedTwice = vocabulary == .itunes && !content.isHTML && HTML.isBeginning(of: content.text.text)
            return isEscapedTwice ? FeedContent(text: content.text, isHTML: true) : content
        }
        return FeedContent(text: text, isHTML: isHTML)
    }

    /// The text as Markdown; nil if it is blank.
    var markdown: [UInt8]? {
        let text = Self.unwrapped(text.trimmed)
        return FeedText.isBlank(text) ? nil : text
    }

    /// A text without the CDATA section that is all of it, if its marks were escaped as well.
    private static func unwrapped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let (start, end) = (Array("<![CDATA[".utf8), Array("]]>".utf8))
        guard text.starts(with: start), text.suffix(end.count).elementsEqual(end), text.count >= start.count + end.count
        else { return Array(text) }
        return Array(text.dropFirst(start.count).dropLast(end.count).trimmed)
    }
}
