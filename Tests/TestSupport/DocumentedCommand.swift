import BlogLibrary
import Foundation
import Testing
@testable import blog
@testable import BlogCommandLine
@testable import BlogModel

/// A command line of `blog` in README.md or in a file in docs.
package struct DocumentedCommand: Sendable, CustomTestStringConvertible {
    /// Its place, as in `docs/cookbook.md:12`.
    package let place: String
    /// The words after `blog`.
    package let words: [String]
    /// Whether it is part of a sentence, where `blog read` names a command and `ID` is a placeholder.
    package var isInline = false

    package var testDescription: String { "\(place): blog \(words.joined(separator: " "))" }
}

// MARK: Finding

extension DocumentedCommand {
    /// The files that are checked, as paths in the repository.
    package static let files: [String] =
        ["README.md"]
        + ((try? FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: "docs").path)) ?? [])
        .filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }

    /// The commands of all files.
    package static let all: [DocumentedCommand] = files.flatMap { file in
        (try? text(of: file)).map { commands(in: $0, of: file) } ?? []
    }

    /// The text of a file in the repository.
    package static func text(of file: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: file), encoding: .utf8)
    }

    /// The commands in a Markdown text: in fenced and indented code, and in code within sentences.
    package static func commands(in text: String, of file: String) -> [DocumentedCommand] {
        var commands: [DocumentedCommand] = []
        /// The line that began a fenced block.
        var fence: String?
        var paragraph: (start: Int, text: String) = (0, "")
        func endParagraph() {
            commands += inlineCommands(in: paragraph.text, at: "\(file):\(paragraph.start)")
            paragraph.text = ""
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") { fence = fence == nil ? String(line) : nil }
            // In a block with output, commands follow a prompt.
            let isOutput = fence == "```console" && !line.hasPrefix("$ ")
            let isIndented = line.hasPrefix("    ") && paragraph.text.isEmpty
            if fence != nil || isIndented {
                guard !isOutput else { continue }
                commands += shellCommands(in: String(line), at: "\(file):\(index + 1)", isInline: false)
            } else if line.allSatisfy(\.isWhitespace) || line.hasPrefix("|") || line.hasPrefix("```") {
                endParagraph()
                commands += inlineCommands(in: String(line), at: "\(file):\(index + 1)")
            } else {
                if paragraph.text.isEmpty { paragraph.start = index + 1 }
                paragraph.text += line.trimmingCharacters(in: .whitespaces) + " "
            }
        }
        endParagraph()
        return commands
    }

    private static func inlineCommands(in text: String, at place: String) -> [DocumentedCommand] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("blog ") }
            // A vertical bar in a table is escaped.
            .flatMap { shellCommands(in: String($0.element).replacing("\\|", with: "|"), at: place, isInline: true) }
    }

    private static func shellCommands(in line: String, at place: String, isInline: Bool) -> [DocumentedCommand] {
        ShellLine(line).commands.compactMap { words in
            // `swift run -q blog list` and `ssh elsewhere blog store import` run blog, too.
            words.firstIndex(of: "blog").map { start in
                DocumentedCommand(place: place, words: Array(words[(start + 1)...]), isInline: isInline)
            }
        }
    }
}

// MARK: Checking

extension DocumentedCommand {
    /// Parses the command as the program does, and checks the values that commands check only later.
    ///
    /// Throws a ``UsageError``.
    package func check() throws {
        // The commands that completion scripts call aren't in the table.
        if [Completion.request, HelpCommand.request].contains(words.first) { return }
        var arguments = Arguments()
        try arguments.parse(words)
        guard let command = arguments.command else { return }
        let invocation = try Invocation(arguments, of: command, Settings())
        for (name, value) in arguments.options {
            guard let option = command.allOptions.first(where: { $0.name == name }), !isPlaceholder(value) else {
                continue
            }
            try check(value, of: option, command, invocation)
        }
        if !isInline { try check(invocation.operands, of: command, hasAll: invocation.has(.all)) }
    }

    private func check(
        _ value: String, of option: Option, _ command: CommandDescription, _ invocation: Invocation
    ) throws {
        let isRight =
            switch option.value {
            case .none, .oneOf: true
            case .some("N"): (Int(value) ?? 0) > 0
            case .some("SECONDS"): (TimeInterval(value) ?? 0) > 0
            case .some("DATE"): DayRange.parse(value, now: Date()) != nil
            case .some("AGE"): value == "none" || Retention(value) != nil
            case .some("FIELDS"), .optional("FIELDS"): try invocation.fieldNames(among: command.fields) != []
            case .some("URL"): SourceAddress.url(value) != nil
            case .some, .optional: true
            }
        guard isRight else { throw wrong(value, option, option.usage) }
    }

    private func check(_ operands: [String], of command: CommandDescription, hasAll: Bool) throws {
        if command.operands.isEmpty, let operand = operands.first { throw UsageError.needlessOperand(operand) }
        if !command.operands.isEmpty, !command.operands.hasPrefix("["), operands.isEmpty {
            throw UsageError.missingOperand(command.operands)
        }
        // The actions of `blog store` are only in its usage.
        let actions = command.operands.split { !$0.isLetter && $0 != "-" }.map(String.init)
        let known = command.name == Commands.store.name ? actions : command.choices
        guard !known.isEmpty, let choice = operands.first else { return }
        guard known.contains(choice) else { throw UsageError.unknownAction(choice, known: known, nearest: nil) }
        if command.name == Commands.mark.name, operands.count == 1, !hasAll { throw UsageError.missingOperand("ID") }
    }

    private func wrong(_ value: String, _ option: Option, _ expected: String) -> UsageError {
        .badValue(value, option: option.name, expected: expected, nearest: nil)
    }

    /// Whether a value is a placeholder: `N` in a sentence, or a variable of the shell.
    private func isPlaceholder(_ value: String) -> Bool {
        value.hasPrefix("$") || isInline && !value.isEmpty && value.allSatisfy { $0.isUppercase || $0 == "," }
    }
}
