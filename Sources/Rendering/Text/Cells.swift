/// The characters of a line with the columns they take: what wrapping needs to know, found once for each.
struct Cells {
    private let line: String
    /// The columns of each character, nil if each takes one.
    private let widths: [UInt8]?
    /// The characters, nil if each is one byte.
    private let characters: [Character]?

    init(_ line: String) {
        self.line = line
        if line.utf8.allSatisfy({ $0 < 0x80 }) {
            (characters, widths) = (nil, nil)
        } else {
            let characters = Array(line)
            self.characters = characters
            widths = characters.map { UInt8(DisplayWidth.of($0)) }
        }
        count = characters?.count ?? line.utf8.count
        addresses = line.utf8.count > Self.minAddressLength && line.contains("://") ? Self.addresses(in: line) : []
    }

    let count: Int
    /// Where addresses stand, the first one first.
    private let addresses: [Range<Int>]

    /// Whether a character is part of an address like `https://example.org`.
    func isInAddress(_ index: Int) -> Bool {
        var (low, high) = (0, addresses.count)
        while low < high {
            let middle = (low + high) / 2
            if addresses[middle].upperBound <= index { low = middle + 1 } else { high = middle }
        }
        return low < addresses.count && addresses[low].contains(index)
    }

    private static func addresses(in line: String) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            let count = word.count
            if word.contains("://") { found.append(start..<start + count) }
            start += count + 1
        }
        return found
    }

    private static let minAddressLength = 10

    func width(_ index: Int) -> Int { widths.map { Int($0[index]) } ?? 1 }

    func isSpace(_ index: Int) -> Bool {
        if let characters { return characters[index] == " " }
        return line.utf8[line.utf8.index(line.utf8.startIndex, offsetBy: index)] == UInt8(ascii: " ")
    }

    /// Whether a line may end between a character and the one before it, though there is no space.
    ///
    /// CJK text has no spaces and may be broken between any two characters, but closing marks stay with what is
    /// before them and opening ones with what is after.
    func mayBreak(before index: Int) -> Bool {
        guard let characters, let widths, index > 0, widths[index] == 2 || widths[index - 1] == 2 else { return false }
        return !characters[index].isPunctuation && !Self.opening.contains(characters[index - 1])
    }

    /// The text of some characters.
    func text(_ range: Range<Int>) -> String {
        if let characters { return String(characters[range]) }
        let start = line.utf8.index(line.utf8.startIndex, offsetBy: range.lowerBound)
        return String(line[start..<line.utf8.index(start, offsetBy: range.count)])
    }

    /// Where some ranges of characters, which ascend, are in the line, as UTF-8 offsets.
    func utf8Ranges(_ ranges: [Range<Int>]) -> [Range<Int>] {
        guard let characters else { return ranges }
        var (index, offset) = (0, 0)
        func place(of end: Int) -> Int {
            offset += characters[index..<end].reduce(0) { $0 + $1.utf8.count }
            index = end
            return offset
        }
        return ranges.map { place(of: $0.lowerBound)..<place(of: $0.upperBound) }
    }

    private static let opening: Set<Character> = ["(", "[", "{", "「", "『", "（", "【", "《", "〈", "“", "‘"]
}
