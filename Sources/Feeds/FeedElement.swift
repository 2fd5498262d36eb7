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
