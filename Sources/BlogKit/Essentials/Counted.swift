/// Counts and lists in words.
package enum Counted {
    /// "1 reply", "12 replies"; the plural is the singular with an "s" unless given.
    package static func of(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
        count == 1 ? "1 \(singular)" : "\(count) \(plural ?? singular + "s")"
    }

    package static func posts(_ count: Int) -> String { of(count, "post") }

    /// "1 post", "1,795 posts".
    package static func grouped(posts count: Int) -> String { count == 1 ? "1 post" : "\(number(count)) posts" }

    /// "12", "1,795".
    package static func number(_ count: Int) -> String {
        let digits = Array(String(count))
        return String(
            digits.indices.flatMap { index in
                index > 0 && (digits.count - index).isMultiple(of: 3) ? [",", digits[index]] : [digits[index]]
            })
    }

    package static func comments(_ count: Int) -> String { of(count, "comment") }

    /// "12 posts", "12 posts and 3 comments".
    package static func deleted(_ posts: Int, _ comments: Int) -> String {
        self.posts(posts) + (comments == 0 ? "" : " and \(self.comments(comments))")
    }

    package static func bodies(_ count: Int) -> String { of(count, "body", "bodies") }

    package static func pictures(_ count: Int) -> String { of(count, "picture") }

    package static func sources(_ count: Int) -> String { of(count, "source") }

    /// "1 source, 3 posts and 2 bodies".
    package static func list(_ parts: [String]) -> String { joined(parts, last: " and ") }

    /// "date, title or author".
    package static func choices(_ words: [String]) -> String { joined(words, last: " or ") }

    private static func joined(_ parts: [String], last separator: String) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.joined() }
        return parts.dropLast().joined(separator: ", ") + separator + last
    }

    /// "a, b and c", or if there are many, "a, b, c and 12 more".
    package static func some(_ words: [String]) -> String {
        let shown = words.count <= maxShown ? words.count : maxShown - 1
        return list(words.prefix(shown) + (shown < words.count ? ["\(words.count - shown) more"] : []))
    }

    /// "4 kB", "1.5 MB".
    package static func bytes(_ count: Int) -> String {
        count < 1_000_000 ? "\(max(1, count / 1000)) kB" : "\(count / 1_000_000).\(count / 100_000 % 10) MB"
    }

    private static let maxShown = 6
}

/// Decimal numbers as text, independent of the locale.
package enum DecimalText {
    /// The number with a fixed number of decimals: "87.3", "2.0".
    package static func text(_ number: Double, digits: Int) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 400) { text in
            let count = withVaList([Int32(digits), number]) { vsnprintf(text.baseAddress, text.count, "%.*f", $0) }
            return String(decoding: text.prefix(max(Int(count), 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// The number with up to three decimals, without trailing zeros: "30", "2.5".
    package static func text(_ number: Double) -> String {
        let text = text(number, digits: 3)
        return text.contains(".") ? String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()) : text
    }
}
