import BlogEssentials
import BlogModel
import BlogRendering

/// A command line split into a command, options with their values, and operands, whose text isn't interpreted yet.
package struct Arguments {
    /// The command; nil until it is found.
    package private(set) var command: CommandDescription?
    /// The options with their values, "" if an option has none; of one given twice, the last, but all of a list.
    package private(set) var options: [String: String] = [:]
    /// The words after the command that are neither options nor their values, in order.
    package private(set) var operands: [String] = []
    private var optionsOfCommand: [Option]?
    private var rest: ArraySlice<String> = []

    package init() {}

    /// Splits a command line; `--` ends the options.
    ///
    /// The command is the first word that isn't an option; before it, the options of all commands are known.
    ///
    /// Throws a ``UsageError``, but keeps the results so far.
    package mutating func parse(_ words: [String]) throws {
        rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                while let operand = rest.popFirst() { try take(operand) }
            } else if word == "-" || !word.hasPrefix("-") {
                try take(word)
            } else if word.hasPrefix("--") {
                try read(word)
            } else if let long = longForm(of: word) {
                try read(long)
            } else if command?.takesDashes == true {
                try take(word)
            } else if let letters = letters(of: word) {
                rest = letters + rest
            } else {
                throw unknownOption(word)
            }
        }
    }

    /// Whether a command line, even a wrong one, asks for JSON.
    package static func wantJSON(_ words: [String]) -> Bool {
        var arguments = Arguments()
        try? arguments.parse(words)
        let formats = [Format.json, .jsonl].map(\.rawValue)
        return arguments.options[Option.json.name] != nil
            || arguments.options[Option.format.name].map(formats.contains) == true
    }

    /// The options that are known here.
    private var known: [Option] { optionsOfCommand ?? Commands.everyOption }

    // MARK: Operands

    private mutating func take(_ word: String) throws {
        guard command == nil else { return operands.append(word) }
        let command = try Commands.named(word)
        (self.command, optionsOfCommand) = (command, command.allOptions)
        for (name, value) in options { try check(value, ofOptionNamed: name) }
    }

    /// Checks an option before the command, whose own option of that name may have other values.
    private func check(_ value: String, ofOptionNamed name: String) throws {
        guard let option = known.first(where: { $0.name == name || $0.negation == name }) else {
            throw unknownOption("--" + name)
        }
        if name == option.negation { return }
        switch option.value {
        case .none where !value.isEmpty: throw UsageError.needlessValue(option: name)
        case .none, .optional: return
        case .some, .oneOf: _ = try option.checked(value)
        }
    }

    // MARK: Options

    /// The word for a letter that is an option, perhaps with a number: `--limit=5` for `-n5` or `-n=5`.
    private func longForm(of word: String) -> String? {
        if let option = known.first(where: { $0.isNamed(word) }) { return "--" + option.name }
        let digits = word.dropFirst(word.dropFirst(2).hasPrefix("=") ? 3 : 2)
        guard !digits.isEmpty, digits.allSatisfy(\.isNumber),
            let option = known.first(where: { $0.needsValue && $0.isNamed(String(word.prefix(2))) })
        else { return nil }
        return "--\(option.name)=\(digits)"
    }

    /// The options of a word such as `-qv`; nil unless each of its letters is an option without a value.
    private func letters(of word: String) -> [String]? {
        guard word.count > 2 else { return nil }
        let letters = word.dropFirst().map { "-\($0)" }
        let areOptions = letters.allSatisfy { letter in known.contains { $0.isNamed(letter) && !$0.needsValue } }
        return areOptions ? letters : nil
    }

    private mutating func read(_ word: String) throws {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (name, attached) = (String(parts[0].dropFirst(2)), parts.count == 2 ? parts[1] : nil)
        guard let option = known.first(where: { $0.name == name || $0.negation == name }) else {
            throw unknownOption(parts[0])
        }
        if option.negation == name, option.needsValue {
            guard attached == nil else { throw UsageError.needlessValue(option: name) }
            (options[option.name], options[name]) = (nil, "")
            return
        }
        option.negation.map { options[$0] = nil }
        switch option.value {
        case .none:
            guard attached == nil else { throw UsageError.needlessValue(option: name) }
            options[option.name] = nil
            options[name] = ""
        case .optional:
            options[name] = attached ?? (isValue(rest.first, of: option) ? rest.removeFirst() : "")
        case .some, .oneOf:
            // A value that looks like an option is more likely a forgotten one; `--author=--x` takes it all the same.
            guard let value = attached ?? (rest.first?.hasPrefix("--") == true ? nil : rest.popFirst()) else {
                throw UsageError.missingValue(option: name)
            }
            let others = option.isList ? options[name].map { $0 + "," } ?? "" : ""
            options[name] = others + (try option.checked(value))
        }
    }

    /// Whether the word after an option with an optional value can only be that value.
    ///
    /// A command without operands has fields: there, `--json id,title` needs no equals sign.
    private func isValue(_ word: String?, of option: Option) -> Bool {
        guard let word else { return false }
        switch option.name {
        case Option.article.name: return ArticleChoice(rawValue: word) != nil
        case Option.json.name:
            guard let command, command.operands.isEmpty, !command.fields.isEmpty else { return false }
            return Invocation.fieldNames(in: word).allSatisfy {
                command.fields.contains(Field.canonical($0, among: command.fields))
            }
        default: return false
        }
    }

    private func unknownOption(_ word: String) -> UsageError {
        if let answer = Suggestions.options[word] { return .elsewhere("option \(word)", answer) }
        let name = String(word.dropFirst(word.hasPrefix("--") ? 2 : 1))
        let names = known.map(\.name) + known.compactMap(\.negation)
        return .unknownOption(word, nearest: NearestName.of(name, among: names).map { "--" + $0 })
    }
}
