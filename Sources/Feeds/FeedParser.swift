import Foundation
import Markup

/// Reads feeds: RSS 0.90 to 2.0, RSS 1.0 in RDF, Atom 0.3 and 1.0, JSON Feed 1 and 1.1, and RSS in JSON.
///
/// https://www.rssboard.org/rss-specification, https://web.resource.org/rss/1.0/spec,
/// https://www.rfc-editor.org/rfc/rfc4287, https://www.jsonfeed.org/version/1.1/,
/// https://github.com/scripting/Scripting-News/tree/master/rss-in-json. A feed need not be well-formed: what items can
/// be read are read. Time and memory are in proportion to its length.
package enum FeedParser {
    /// What a feed says.
    ///
    /// `charset` is that of the response's header. `base`, the address it was fetched from, is what its links are relative
    /// to if the feed doesn't say. Throws ``FeedError/notAFeed``, which depends on the bytes alone.
    package static func parse(_ bytes: [UInt8], charset: String? = nil, base: URL) throws -> FeedDocument {
        let text = CharacterDecoding.utf8(bytes, charset: charset)
        let base = LinkBase(base.absoluteString, allowance: LinkAllowance(feedOf: text.count))
        let document = text.withUnsafeBufferPointer { text in
            if begins(text, with: UInt8(ascii: "{")) { return jsonFeed(JSONTree.value(text), base: base) }
            let tree = FeedTree(text, base: base)
            return tree.root.map { XMLFeed(root: $0, base: base).document(items: tree.items) }
        }
        guard let document else { throw FeedError.notAFeed }
        return document
    }

    /// Whether what begins so is a feed; the first few KB are enough.
    package static func isFeed(_ bytes: some Collection<UInt8>) -> Bool {
        CharacterDecoding.utf8(Array(bytes.prefix(8192)), charset: nil).withUnsafeBufferPointer { text in
            guard begins(text, with: UInt8(ascii: "{")) else { return FeedTree(text, base: nil).root != nil }
            return jsonFeed(JSONTree.value(text), base: nil) != nil
        }
    }

    private static func jsonFeed(_ value: JSONTree, base: LinkBase?) -> FeedDocument? {
        if let rss = value["rss"] {
            let root = rss.element("rss")
            return XMLFeed(root: root, base: base).document(
                items: root.all(.feed, "channel").flatMap { $0.all(.feed, "item") })
        }
        return JSONFeed(value, base: base)?.document
    }

    private static func begins(_ text: UnsafeBufferPointer<UInt8>, with byte: UInt8) -> Bool {
        text.first { !$0.isASCIIWhitespace } == byte
    }
}

/// The kinds of feeds in XML, by their outermost element.
enum FeedKind {
    case rss
    case atom

    init?(root: FeedElement) {
        switch (root.vocabulary, root.name) {
        case (.feed, "rss"), (.feed, "channel"): self = .rss
        case (.feed, "feed"): self = .atom
        case (.rdf, "rdf"):
            // RDF says other things too.
            let namespaces = root.attributes.filter { $0.key.hasPrefix("xmlns") && $0.key != "xmlns:rdf" }
            let isRSS = namespaces.values.contains { XMLVocabulary(namespace: $0) == .feed }
            guard isRSS || namespaces.isEmpty else { return nil }
            self = .rss
        default: return nil
        }
    }
}
