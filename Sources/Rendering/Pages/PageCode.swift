import Markup

/// Code of a page.
enum PageCode {
    /// Only code with long lines scrolls, and can be focused so that it scrolls with the keyboard; other code is wrapped
    /// on narrow screens.
    static func text(_ code: String, language: String?) -> PageText {
        let name: PageText = self.name(of: language).map { " class=\"language-\($0)\"" } ?? ""
        let stop: PageText = isWide(code) ? " tabindex=\"0\"" : ""
        return "<pre\(stop)><code\(name)>\(lines: code)</code></pre>\n"
    }

    /// The first word after a fence.
    private static func name(of language: String?) -> String? {
        guard let word = language?.split(whereSeparator: \.isWhitespace).first, word.utf8.count <= 40,
            word.utf8.allSatisfy({ $0.isASCIILetter || $0.isDigit || signs.contains($0) })
        else { return nil }
        return word.lowercased()
    }

    private static let signs = Array("+-#._".utf8)

    private static func isWide(_ code: String) -> Bool {
        code.split(separator: "\n").contains { line in
            DisplayWidth.of(line.replacing("\t", with: "    ")) > columns
        }
    }

    /// The columns of the widest page, with some left for other fonts.
    private static let columns = 64
}
