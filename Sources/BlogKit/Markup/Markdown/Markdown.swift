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

extension UInt8 {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")

    var isSpaceOrTab: Bool { self == .space || self == .tab }
    var isASCIIWhitespace: Bool { self == .space || (0x09...0x0D).contains(self) }
    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    var isASCIIPunctuation: Bool {
        (0x21...0x2F).contains(self) || (0x3A...0x40).contains(self) || (0x5B...0x60).contains(self)
            || (0x7B...0x7E).contains(self)
    }
}

extension Collection<UInt8> {
    /// The bytes as text.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// Whether there is nothing but spaces and tabs.
    var isBlank: Bool { allSatisfy(\.isASCIIWhitespace) }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without white space at either end.
    var trimmed: SubSequence {
        var part = self[...]
        while part.first?.isASCIIWhitespace == true { part.removeFirst() }
        while part.last?.isASCIIWhitespace == true { part.removeLast() }
        return part
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Where some bytes first stand side by side; nil where they don't.
    func position(of mark: [UInt8]) -> Int? {
        indices.dropLast(Swift.max(mark.count - 1, 0)).first { self[$0] == mark[0] && self[$0...].starts(with: mark) }
    }
}
