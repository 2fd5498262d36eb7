import BlogEssentials
import BlogMarkup

/// The entities that a feed declares in its own document type (https://www.w3.org/TR/xml/#sec-entity-decl).
///
/// Only texts are read, never a file or an address; and as entities may name others a million times over, those whose
/// text would be long aren't, and a document grows by no more than ``maxGrowth``.
enum DeclaredEntities {
    /// A feed in UTF-8 with its own entities replaced by their texts, but in CDATA sections.
    static func expanded(in feed: [UInt8]) -> [UInt8] {
        feed.withUnsafeBufferPointer { bytes in
            let entities = declared(in: bytes)
            guard !entities.isEmpty else { return feed }
            return replaced(in: bytes[...], entities.compactMapValues(\.self), limit: feed.count + maxGrowth) ?? feed
        }
    }

    /// In bytes.
    private static let maxGrowth = 1 << 20
    private static let maxValue = 4096
    private static let maxCount = 256
    /// The size of what may come before the first tag, in bytes; that of HTML's entities, with comments, is 20 KB.
    static let maxProlog = 65_536

    // MARK: Declarations

    /// The texts of entities by name, with the entities declared before them replaced; nil for those that would be long.
    private static func declared(in bytes: UnsafeBufferPointer<UInt8>) -> [String: [UInt8]?] {
        let start = UnsafeBufferPointer(rebasing: bytes.prefix(maxProlog))
        var scanner = TagScanner(start)
        guard let type = scanner.skipProlog(), let bracket = start.offset(of: UInt8(ascii: "["), from: type) else {
            return [:]
        }
        var entities: [String: [UInt8]?] = [:]
        var rest = start[(bracket + 1)...]
        // The declarations end at the first bracket outside of them.
        while let byte = rest.first, byte != UInt8(ascii: "]"), entities.count < maxCount {
            guard let (name, value) = entity(rest) else {
                rest = start[(end(of: "<!--", upTo: "-->", in: rest) ?? rest.startIndex + 1)...]
                continue
            }
            rest = start[value.endIndex...].dropFirst()
            guard entities[name] == nil, CharacterReferences.replaced(in: "&\(name);") == "&\(name);" else { continue }
            let text = replaced(in: value, entities, limit: maxValue)
            entities.updateValue(text?.flatMap { $0 == UInt8(ascii: "\"") ? Array("&quot;".utf8) : [$0] }, forKey: name)
        }
        return entities
    }

    /// The name and text in the `<!ENTITY name "text"` at the beginning of a text; nil for anything else.
    private static func entity(
        _ text: Slice<UnsafeBufferPointer<UInt8>>
    ) -> (name: String, value: Slice<UnsafeBufferPointer<UInt8>>)? {
        guard text.first == UInt8(ascii: "<"), text.starts(with: "<!ENTITY".utf8) else { return nil }
        let rest = text.dropFirst(8).drop(while: \.isASCIIWhitespace)
        let name = rest.prefix(while: TagScanner.isPartOfName)
        let value = rest[name.endIndex...].drop(while: \.isASCIIWhitespace)
        guard !name.isEmpty, let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let end = value.dropFirst().firstIndex(of: quote)
        else { return nil }
        return (name.text, value[value.index(after: value.startIndex)..<end])
    }

    /// The end of the section with these marks that begins a text, which may be unfinished; nil if none does.
    private static func end(
        of opening: String, upTo closing: String, in text: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Int? {
        guard text.first == UInt8(ascii: "<"), text.starts(with: opening.utf8) else { return nil }
        let content = UnsafeBufferPointer(rebasing: text.dropFirst(opening.utf8.count))
        let end = content.position(of: Array(closing.utf8)).map { content.count - $0 - closing.utf8.count } ?? 0
        return text.endIndex - end
    }

    // MARK: References

    /// A text with the references to entities replaced; nil if it would be longer than a limit, or has one without a text.
    private static func replaced(
        in text: Slice<UnsafeBufferPointer<UInt8>>, _ entities: [String: [UInt8]?], limit: Int
    ) -> [UInt8]? {
        var (result, index) = ([UInt8](), text.startIndex)
        result.reserveCapacity(text.count)
        while index < text.endIndex {
            let rest = text[index...]
            if let end = end(of: "<![CDATA[", upTo: "]]>", in: rest) {
                result += rest[..<end]
                index = end
                continue
            }
            index += 1
            result.append(text[index - 1])
            guard rest.first == UInt8(ascii: "&") else { continue }
            let name = rest.dropFirst().prefix(64).prefix(while: TagScanner.isPartOfName)
            guard name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: ";"),
                let entity = entities[name.text]
            else { continue }
            guard let value = entity else { return nil }
            result.removeLast()
            result += value
            index = name.endIndex + 1
            guard result.count <= limit else { return nil }
        }
        return result.count <= limit ? result : nil
    }
}
