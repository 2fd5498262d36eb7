import BlogEssentials
import BlogModel

/// A link that people can see in a text.
package struct BodyLink: Hashable, Sendable {
    /// Where it leads, as published.
    package let target: String
    /// Its words on one line; those of a very long link are cut.
    package let words: String

    fileprivate init(target: String, words: String) {
        self.target = target
        self.words = WhiteSpace.collapsed(words, afterSpace: true).text.trimmed
    }

    /// More than any title has.
    fileprivate static let maxBytes = 200
}

extension BodyText {
    /// The links of a body, in their order.
    ///
    /// - Parameter format: nil to guess it.
    package static func links(in body: String, format: BodyFormat?) -> [BodyLink] {
        switch format ?? self.format(of: body) {
        case .html: links(ofHTML: Array(body.utf8))
        case let format: document(body, format: format).blocks.links
        }
    }

    private static func links(ofHTML html: [UInt8]) -> [BodyLink] {
        VisibleTokens.read(html) { tokens in
            var (links, target, words): ([BodyLink], String?, [UInt8]) = ([], nil, [])
            func end() {
                if let target { links.append(BodyLink(target: target, words: String(decoding: words, as: UTF8.self))) }
                (target, words) = (nil, [])
            }
            while let token = tokens.next() {
                switch token {
                case .open(name: "a", _, _):
                    end()
                    target = tokens.scanner.attributeValues["href"]
                case .close(name: "a", _): end()
                case .text(let range) where target != nil && words.count < BodyLink.maxBytes:
                    let text = range.prefix(BodyLink.maxBytes)
                    CharacterReferences.append(tokens.scanner[text.startIndex..<text.endIndex], to: &words, as: .html)
                case .text, .characterData, .open, .close, .hidden: break
                }
            }
            end()
            return links
        }
    }
}

extension [Block] {
    fileprivate var links: [BodyLink] {
        flatMap { block in
            switch block {
            case .paragraph(let spans), .heading(_, let spans): spans.links
            case .table(let table): ([table.header] + table.rows).joined().flatMap(\.links)
            case .html(let html): HTML.document(html).blocks.links
            case .quote, .list, .definitions, .element, .code, .rule: block.inner.flatMap(\.links)
            }
        }
    }
}

extension [Span] {
    fileprivate var links: [BodyLink] {
        flatMap { span in
            guard case .link(let inner, let target, _) = span else { return span.inner?.links ?? [] }
            let words = inner.plainText.utf8.prefix(BodyLink.maxBytes)
            return [BodyLink(target: target, words: String(decoding: words, as: UTF8.self))]
        }
    }
}
