import BlogEssentials
import BlogModel

/// A query feed of newsboat, as a search: `"query:Unread:unread = \"yes\""`
/// (https://newsboat.org/releases/2.36/docs/newsboat.html#_query_feeds).
package struct NewsboatQuery: Hashable, Sendable {
    /// What newsboat calls it.
    package let title: String
    /// The same as a search here.
    package let words: String

    /// Nil if a condition is one that no search has, such as a regular expression.
    package init?(_ word: String) {
        let parts = word.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "query", !parts[1].isEmpty else { return nil }
        var expression = Expression(parts[2])
        guard let words = expression.any(), expression.isAtEnd, Search(words).isValid else { return nil }
        (title, self.words) = (String(parts[1]), words)
    }

    /// Conditions with `and`, `or` and parentheses.
    private struct Expression {
        private var tokens: ArraySlice<String>
        private var depth = 0

        init(_ text: Substring) {
            tokens = Self.tokens(text)[...]
        }

        var isAtEnd: Bool { tokens.isEmpty }

        mutating func any() -> String? { joined(by: "or", with: " OR ") { $0.all() } }

        private mutating func all() -> String? { joined(by: "and", with: " ") { $0.one() } }

        private mutating func joined(
            by word: String, with separator: String, _ part: (inout Expression) -> String?
        ) -> String? {
            guard let first = part(&self) else { return nil }
            var parts = [first]
            while tokens.first == word {
                tokens.removeFirst()
                guard let next = part(&self) else { return nil }
                parts.append(next)
            }
            return parts.joined(separator: separator)
        }

        private mutating func one() -> String? {
            if tokens.first == "(" {
                tokens.removeFirst()
                depth += 1
                guard depth < Self.maxDepth, let inner = any(), tokens.popFirst() == ")" else { return nil }
                depth -= 1
                return "(\(inner))"
            }
            guard tokens.count >= 3 else { return nil }
            let (name, sign, value) = (tokens.removeFirst(), tokens.removeFirst(), tokens.removeFirst())
            return Self.condition(name, sign, value)
        }

        private static func condition(_ name: String, _ sign: String, _ value: String) -> String? {
            let isNegated = sign.hasPrefix("!")
            guard value.hasPrefix("\"") else { return nil }
            let text = String(value.dropFirst())
            switch (name, sign) {
            case ("unread", "="), ("unread", "=="), ("unread", "!="):
                return (text == "yes") != isNegated ? "is:unread" : "-is:unread"
            case ("tags", "#"), ("tags", "!#"):
                return phrase(text).map { (isNegated ? "-" : "") + "folder:" + $0 }
            case ("title", "=~"), ("title", "!~"), ("author", "=~"), ("author", "!~"):
                return phrase(text).map { (isNegated ? "-" : "") + "\(name):" + $0 }
            case ("content", "=~"), ("content", "!~"): return phrase(text).map { (isNegated ? "-" : "") + $0 }
            default: return nil
            }
        }

        /// Words in quotation marks; nil for what means something else in a regular expression.
        private static func phrase(_ text: String) -> String? {
            let isPlain = !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || " -_".contains($0) }
            return isPlain ? "\"\(text)\"" : nil
        }

        /// Words, signs and parentheses; a text in quotation marks begins with one.
        private static func tokens(_ text: Substring) -> [String] {
            var (tokens, rest) = ([String](), text[...])
            while let first = rest.first {
                if first.isWhitespace {
                    rest.removeFirst()
                } else if first == "(" || first == ")" {
                    tokens.append(String(rest.removeFirst()))
                } else if first == "\"" {
                    let value = rest.dropFirst().prefix { $0 != "\"" }
                    tokens.append("\"" + value)
                    rest = rest[value.endIndex...].dropFirst()
                } else {
                    let isSign = signs.contains(first)
                    let token = rest.prefix { !$0.isWhitespace && !"()\"".contains($0) && signs.contains($0) == isSign }
                    tokens.append(String(token))
                    rest = rest[token.endIndex...]
                }
            }
            return tokens
        }

        private static let signs = "=!~#<>"
        private static let maxDepth = 20
    }
}
