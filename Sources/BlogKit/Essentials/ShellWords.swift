/// The words of a command line as shells read and write them.
package enum ShellWords {
    /// A word for any shell, quoted if necessary.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:@%+,".contains($0)) }
        if isPlain, !word.isEmpty { return word }
        // In quotes, fish also reads backslashes.
        let parts = word.unicodeScalars.map { scalar in
            scalar == "'" || scalar == "\\" ? "'\\\(scalar)'" : String(scalar)
        }
        return "'" + parts.joined() + "'"
    }

    /// The words of a command line, without their quotes and backslashes; nil if a quote isn't closed.
    package static func words(of line: String) -> [String]? {
        var (words, word, isInWord): ([String], String.UnicodeScalarView, Bool) = ([], .init(), false)
        var quote: Unicode.Scalar?
        var scalars = line.unicodeScalars[...]
        while var scalar = scalars.popFirst() {
            if scalar == quote {
                quote = nil
            } else if quote == nil, scalar == " " || scalar == "\t" {
                if isInWord { words.append(String(word)) }
                (word, isInWord) = (.init(), false)
            } else if quote == nil, scalar == "'" || scalar == "\"" {
                (quote, isInWord) = (scalar, true)
            } else {
                if scalar == "\\", quote != "'" {
                    guard let escaped = scalars.popFirst() else { return nil }
                    scalar = escaped
                }
                word.append(scalar)
                isInWord = true
            }
        }
        guard quote == nil else { return nil }
        return words + (isInWord ? [String(word)] : [])
    }
}
