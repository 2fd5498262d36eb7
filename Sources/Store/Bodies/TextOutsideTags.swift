/// The bytes of HTML that are not in tags, scripts or style sheets, without white space: enough to tell whether two bodies
/// say the same.
///
/// It takes one look at each byte and makes nothing of them, as others may be waiting for the store meanwhile.
struct TextOutsideTags: Sequence, IteratorProtocol {
    private var bytes: String.UTF8View.Iterator
    /// A byte that was looked at and is next.
    private var ahead: UInt8?
    /// Whether this is in an element whose content is no text.
    private var isHidden = false

    init(_ html: String) {
        bytes = html.utf8.makeIterator()
    }

    mutating func next() -> UInt8? {
        while let byte = take() {
            if byte == UInt8(ascii: "<"), let first = take() {
                if Self.isTag(first), !isHidden || first == UInt8(ascii: "/") {
                    skipTag(first)
                    continue
                }
                ahead = first
            }
            if !isHidden, byte > 0x20 { return byte }
        }
        return nil
    }

    private mutating func take() -> UInt8? {
        defer { ahead = nil }
        return ahead ?? bytes.next()
    }

    private static func isTag(_ first: UInt8) -> Bool {
        let letter = first | 0x20
        return (0x61...0x7A).contains(letter) || [0x21, 0x2F, 0x3F].contains(first)
    }

    private mutating func skipTag(_ first: UInt8) {
        var name = [first | 0x20]
        while let byte = take(), byte != UInt8(ascii: ">") {
            if name.count < 7 { name.append(byte | 0x20) }
        }
        let isEnd = name[0] == UInt8(ascii: "/") | 0x20
        let rest = isEnd ? name.dropFirst() : name[...]
        if [Array("script".utf8), Array("style".utf8)].contains(where: { rest.starts(with: $0) }) { isHidden = !isEnd }
    }
}
