/// Finds the sequences that make a terminal act, so that their letters are not left behind as text.
///
/// ECMA-48, sections 5.4 and 5.6: control sequences (`ESC [ … letter`) and control strings (`ESC ] … BEL` or
/// `ESC ] … ESC \`), also with the C1 characters that stand for their first two.
struct EscapeSequences {
    /// Up to here no control string ends, as an earlier search has shown: so text full of beginnings without ends
    /// takes linear time.
    private var searched = 0

    /// The index after the sequence that begins at `start`; nil if none does, or where it has no end, for then its text
    /// is text.
    mutating func end(in text: [Unicode.Scalar], from start: Int) -> Int? {
        let first = text[start]
        let second = start + 1 < text.count ? text[start + 1] : nil
        if first == "\u{9B}" { return endOfControlSequence(text, start + 1) }
        if ["\u{90}", "\u{98}", "\u{9D}", "\u{9E}", "\u{9F}"].contains(first) {
            return endOfControlString(text, start + 1)
        }
        guard first == "\u{1B}", let second else { return nil }
        if second == "[" { return endOfControlSequence(text, start + 2) }
        return ["P", "X", "]", "^", "_"].contains(second) ? endOfControlString(text, start + 2) : nil
    }

    private func endOfControlSequence(_ text: [Unicode.Scalar], _ start: Int) -> Int? {
        for index in start..<min(start + Self.maxParameterLength, text.count) {
            if (0x40...0x7E).contains(text[index].value) { return index + 1 }
            guard (0x20...0x3F).contains(text[index].value) else { return nil }
        }
        return nil
    }

    private mutating func endOfControlString(_ text: [Unicode.Scalar], _ start: Int) -> Int? {
        guard start >= searched else { return nil }
        for index in start..<text.count {
            switch text[index] {
            case "\u{07}", "\u{9C}": return index + 1
            case "\u{1B}" where index + 1 < text.count && text[index + 1] == "\\": return index + 2
            case "\n", "\u{1B}":
                searched = index
                return nil
            default: continue
            }
        }
        searched = text.count
        return nil
    }

    private static let maxParameterLength = 64
}
