/// A word of a `.netrc` file, perhaps in quotes.
struct NetrcToken {
    let text: String
    private let isQuoted: Bool

    /// The word in lower case; "" for one in quotes, which is never a keyword.
    var keyword: String { isQuoted ? "" : text.lowercased() }

    /// The words of a file without its comments and macros; nil where a quote doesn't end.
    static func tokens(_ file: String) -> [NetrcToken]? {
        var tokens: [NetrcToken] = []
        var isInMacro = false
        for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = line.drop(while: \.isWhitespace)
            // A macro goes up to an empty line.
            if isInMacro {
                isInMacro = !rest.isEmpty
                continue
            }
            guard rest.first != "#" else { continue }
            while !rest.isEmpty {
                guard let token = next(&rest) else { return nil }
                if token.keyword == "macdef" {
                    isInMacro = true
                    break
                }
                tokens.append(token)
                rest = rest.drop(while: \.isWhitespace)
            }
        }
        return tokens
    }

    private static func next(_ rest: inout Substring) -> NetrcToken? {
        guard rest.first == "\"" else {
            let word = rest.prefix { !$0.isWhitespace }
            rest = rest[word.endIndex...]
            return NetrcToken(text: String(word), isQuoted: false)
        }
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return NetrcToken(text: text, isQuoted: true)
            case "\\":
                guard let escaped = rest.popFirst() else { return nil }
                text.append(escapes[escaped] ?? escaped)
            default: text.append(character)
            }
        }
        return nil
    }

    private static let escapes: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t"]
}
