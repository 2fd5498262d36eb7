import BlogRendering

/// A manual page: sections of paragraphs and tables, written for `man` or for a terminal.
package struct ManPage {
    /// `blog-list`.
    let name: String
    /// The section of the manual: 1 for commands, 5 for files, 7 for anything else.
    let number: Int
    let summary: String
    /// The words of the command and its operands; nil for a page about no command.
    let synopsis: (command: String, operands: String)?
    let sections: [(title: String, blocks: [Block])]

    enum Block {
        case paragraph(String)
        case subheading(String)
        /// Lines of a file.
        case lines([String])
        case table([Row])
        /// Names of pages with their sections.
        case references([(name: String, number: Int)])
    }

    /// A row of a table: a term and its meaning.
    struct Row {
        let term: String
        let meaning: String
        /// The term in mdoc, if it has more than words.
        let markup: String

        init(_ term: String, _ meaning: String, markup: String? = nil) {
            (self.term, self.meaning) = (term, meaning)
            self.markup = markup ?? "Ic \"\\&\(Mdoc.escaped(term))\""
        }

        /// An option with all of its details.
        init(_ option: Option) {
            let details = option.details.isEmpty ? "" : ". " + option.details
            self.init(option.usage, Help.describe(option) + details, markup: Mdoc.usage(option))
        }
    }

    /// The file of the page in a folder such as `man1`.
    package var file: String { "\(name).\(number)" }
}

extension ManPage.Block: ExpressibleByStringInterpolation {
    /// A paragraph.
    init(stringLiteral text: String) { self = .paragraph(text) }
}

// MARK: For man

extension ManPage {
    /// The page in mdoc(7).
    ///
    /// - Parameter date: its date, as in 2026-11-22.
    package func mdoc(date: String) -> String {
        var lines = [".Dd \(Mdoc.date(date))", ".Dt \(name.uppercased()) \(number)", ".Os", ".Sh NAME", ".Nm \(name)"]
        lines.append(".Nd \(Mdoc.escaped(summary))")
        if let synopsis {
            lines += [".Sh SYNOPSIS", ".Nm \(synopsis.command)", ".Op Ar options"]
            if !synopsis.operands.isEmpty { lines.append(".Ar \"\(Mdoc.escaped(synopsis.operands))\"") }
        }
        for section in sections {
            lines.append(".Sh \(section.title)")
            // A paragraph begins the section, and only later ones are set apart.
            for (index, block) in section.blocks.enumerated() { lines += Mdoc.lines(block, isFirst: index == 0) }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The language of manual pages (https://mandoc.bsd.lv/man/mdoc.7.html).
private enum Mdoc {
    static func lines(_ block: ManPage.Block, isFirst: Bool) -> [String] {
        switch block {
        case .paragraph(let text): (isFirst ? [] : [".Pp"]) + sentences(text)
        case .subheading(let text): [".Ss \(escaped(text))"]
        case .lines(let lines): [".Bd -literal -offset indent"] + lines.map(escaped) + [".Ed"]
        case .table(let rows):
            [".Bl -tag -width Ds"] + rows.flatMap { row in [".It " + row.markup] + sentences(row.meaning) } + [".El"]
        case .references(let pages):
            pages.enumerated().map { index, page in
                ".Xr \(page.name) \(page.number)" + (index < pages.count - 1 ? " ," : "")
            }
        }
    }

    /// Text with one sentence per line, so that `man` knows where sentences end.
    private static func sentences(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            if let last = lines.last, last.hasSuffix(".") || last.hasSuffix("?") { lines.append("") }
            lines[lines.count - 1] += (lines.last == "" ? "" : " ") + escaped(String(word))
        }
        return lines.map { $0.hasPrefix(".") ? "\\&" + $0 : $0 }
    }

    /// An option in mdoc: `Fl n , Fl \-limit Ar N`.
    static func usage(_ option: Option) -> String {
        let names = (option.letter.map { "Fl \($0) , " } ?? "") + "Fl \\-\(escaped(option.name))"
        return switch option.value {
        case .none: names
        case .some(let placeholder): "\(names) Ar \(escaped(placeholder))"
        case .optional(let placeholder): "\(names) Ns Op = Ns Ar \(escaped(placeholder))"
        // With spaces, so that a long one can be broken.
        case .oneOf(let words): "\(names) Cm " + words.map { "\\&" + escaped($0) }.joined(separator: " | ")
        }
    }

    /// Text in which nothing is markup, in ASCII.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "\"": escaped += "\\(dq"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                escaped += "\\[u\(String(repeating: "0", count: max(4 - digits.count, 0)))\(digits)]"
            }
        }
        return escaped
    }

    /// A date for `Dd`: November 22, 2026.
    static func date(_ date: String) -> String {
        let numbers = date.split(separator: "-").compactMap { Int($0) }
        guard numbers.count == 3, months.indices.contains(numbers[1] - 1) else { return date }
        return "\(months[numbers[1] - 1]) \(numbers[2]), \(numbers[0])"
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}

// MARK: For a terminal

extension ManPage {
    /// The page as text, for systems without `man`.
    package func text(width: Int) -> String {
        func paragraph(_ text: String, margin: Int) -> [String] {
            TextLayout.wrap(text, width: max(width - margin, 20)).map { String(repeating: " ", count: margin) + $0 }
        }
        var lines = ["NAME"] + paragraph("\(name): \(summary)", margin: 4)
        if let synopsis {
            let words = [synopsis.command, "[options]", synopsis.operands].filter { !$0.isEmpty }
            lines += ["", "SYNOPSIS"] + paragraph(words.joined(separator: " "), margin: 4)
        }
        for section in sections {
            lines += ["", section.title]
            for (index, block) in section.blocks.enumerated() {
                if index > 0 { lines.append("") }
                switch block {
                case .paragraph(let text): lines += paragraph(text, margin: 4)
                case .subheading(let text): lines += paragraph(text, margin: 2)
                case .lines(let text): lines += text.map { "        " + $0 }
                case .table(let rows):
                    lines += rows.flatMap { paragraph($0.term, margin: 4) + paragraph($0.meaning, margin: 10) }
                case .references(let pages):
                    lines += paragraph(pages.map { "\($0.name)(\($0.number))" }.joined(separator: ", "), margin: 4)
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
