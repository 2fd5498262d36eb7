import Foundation
import Markup

extension FeedTree {
    /// The element that begins with the scanner's tag, in its place among those that are open.
    mutating func element(_ name: Range<Int>) -> FeedElement {
        var attributes: [String: String] = [:]
        for attribute in scanner.attributes {
            let key = lowercased(attribute.name)
            let value = CharacterReferences.text(scanner[attribute.value])
            if key.hasPrefix("xmlns") { namespaces.declare(key, value, depth: open.count + 1) }
            attributes[key] = attributes[key] ?? value
        }
        let (prefix, local) = parts(of: name)
        let element = FeedElement(vocabulary: namespaces.vocabulary(prefix: prefix), name: local)
        element.attributes = attributes
        element.base = base(attributes["xml:base"], within: open.last?.element.base)
        return element
    }

    private func base(_ address: String?, within outer: LinkBase?) -> LinkBase? {
        guard let address else { return outer }
        return (outer ?? documentBase)?.resolving(address)
    }

    /// A name's prefix, "" for none, and what follows it.
    private func parts(of name: Range<Int>) -> (prefix: String, local: String) {
        guard let colon = scanner.bytes[name].firstIndex(of: UInt8(ascii: ":")) else { return ("", lowercased(name)) }
        let prefix = lowercased(name.lowerBound..<colon)
        let local = lowercased(colon + 1..<name.upperBound)
        return local.isEmpty ? ("", prefix) : (prefix, local)
    }

    private func lowercased(_ range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { text in
            for (place, byte) in zip(text.indices, scanner.bytes[range]) {
                text[place] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            }
            return range.count
        }
    }

    // MARK: Text

    /// Adds to the text of the innermost element; what is literal has no references.
    mutating func appendText(_ range: Range<Int>, isLiteral: Bool) {
        guard let last = open.indices.last, open[last].content != .unknown else { return }
        let isMarkup = open[last].content == .text && open[last].element.keepsMarkup
        if isLiteral && isMarkup {
            open[last].element.text += HTMLLinks.escaped(scanner[range])
        } else if isLiteral || isMarkup {
            open[last].element.text.append(contentsOf: scanner[range])
        } else {
            CharacterReferences.append(scanner[range], to: &open[last].element.text)
        }
    }

    /// Adds a start tag to the text that it is in, without its prefix: `xhtml:p` is `p`.
    mutating func appendTag(_ name: Range<Int>, isEmpty: Bool) {
        let last = open.count - 1
        let local = localName(name)
        open[last].element.hasMarkup = true
        enterMarkup(isEmpty: isEmpty || HTMLLinks.isVoid(local))
        var tag = Array("<".utf8) + local
        for attribute in scanner.attributes {
            let key = scanner[attribute.name]
            if key.starts(with: Array("xml".utf8)) { continue }
            tag += [.space] + key + Array("=\"".utf8)
            let base = bases.last?.base ?? open[last].element.base
            if let base, let link = HTMLLinks.rewritten(key, scanner[attribute.value], base: base) {
                tag += link
            } else {
                tag += HTMLLinks.quoted(scanner[attribute.value])
            }
            tag.append(UInt8(ascii: "\""))
        }
        tag.append(UInt8(ascii: ">"))
        // HTML has no other empty elements than those that are always so.
        if isEmpty && !HTMLLinks.isVoid(local) { tag += Array("</".utf8) + local + [UInt8(ascii: ">")] }
        open[last].element.text += tag
    }

    mutating func appendEndTag(_ name: Range<Int>) {
        guard let last = open.indices.last, open[last].content == .text else { return }
        let local = localName(name)
        if HTMLLinks.isVoid(local) { return }
        markupDepth -= 1
        while let base = bases.last, base.depth > markupDepth { bases.removeLast() }
        open[last].element.text += Array("</".utf8) + local + [UInt8(ascii: ">")]
    }

    /// Takes a start tag's `xml:base` in.
    private mutating func enterMarkup(isEmpty: Bool) {
        guard !isEmpty else { return }
        markupDepth += 1
        guard let attribute = scanner.attributes.first(where: { lowercased($0.name) == "xml:base" }) else { return }
        let address = CharacterReferences.text(scanner[attribute.value])
        guard bases.count < Self.maxDepth, let base = base(address, within: bases.last?.base ?? open.last?.element.base)
        else { return }
        bases.append((markupDepth, base))
    }

    private func localName(_ name: Range<Int>) -> [UInt8] {
        let bytes = scanner[name]
        let colon = bytes.lastIndex(of: UInt8(ascii: ":"))
        return Array(bytes[(colon.map { $0 + 1 } ?? 0)...])
    }
}
