/// CSV according to RFC 4180, but with lines that end in a line feed; nothing else is tolerated.
package enum StrictCSV {
    package struct Malformed: Error {}

    /// The records with their fields.
    package static func records(_ text: String) throws -> [[String]] {
        var rest = text.unicodeScalars[...]
        var records: [[String]] = []
        while !rest.isEmpty {
            var fields = [try field(&rest)]
            while rest.first == "," {
                rest.removeFirst()
                fields.append(try field(&rest))
            }
            guard rest.popFirst() == "\n" else { throw Malformed() }
            records.append(fields)
        }
        return records
    }

    private static func field(_ rest: inout Substring.UnicodeScalarView) throws -> String {
        guard rest.first == "\"" else {
            let plain = rest.prefix { $0 != "," && $0 != "\n" }
            guard !plain.contains(where: { $0 == "\"" || $0 == "\r" }) else { throw Malformed() }
            rest = rest[plain.endIndex...]
            return String(plain)
        }
        rest.removeFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            guard scalar == "\"" else {
                value.append(scalar)
                continue
            }
            guard rest.first == "\"" else { return String(value) }
            value.append(scalar)
            rest.removeFirst()
        }
        throw Malformed()
    }
}

/// A row of a table in GitHub Flavored Markdown.
package enum MarkdownRow {
    /// The number of cells between pipes; a pipe after a backslash is text.
    package static func cells(_ line: String) -> Int {
        zip([" "] + Array(line.unicodeScalars), line.unicodeScalars).count { $0 != "\\" && $1 == "|" } - 1
    }

    /// The lines of a text.
    package static func lines(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
