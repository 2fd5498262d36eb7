import BlogEssentials
import BlogLibrary
import BlogModel
import BlogRendering

/// A command line split into options, values and operands, not yet interpreted.
package struct Arguments: Equatable {
    /// The options with their values, "" if an option has none; of one given twice, the last, but all of a list.
    package private(set) var options: [String: String] = [:]
    /// The words that are neither options nor their values, in order.
    package private(set) var operands: [String] = []

    /// Splits a command line; `--` ends the options.
    ///
    /// Throws a ``UsageError`` for an option that isn't known.
    ///
    /// - Parameters:
    ///   - takesDashes: whether `-word` is an operand, unless it is an option of another tool.
    ///   - fields: the fields that a command without operands has: there `--json id,title` needs no equals sign.
    package init(_ arguments: [String], known: [Option], takesDashes: Bool = false, fields: [String] = []) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                return
            }
            let digits = argument.dropFirst(argument.dropFirst(2).hasPrefix("=") ? 3 : 2)
            if !argument.hasPrefix("--"), !digits.isEmpty, digits.allSatisfy(\.isNumber),
                let option = known.first(where: { $0.needsValue && $0.isNamed(String(argument.prefix(2))) })
            {
                try read("--\(option.name)=\(digits)", &rest, known, fields)
            } else if !argument.hasPrefix("--"), let option = known.first(where: { $0.isNamed(argument) }) {
                try read("--" + option.name, &rest, known, fields)
            } else if !takesDashes, let letters = Self.letters(argument, known) {
                rest = letters + rest
            } else if argument.hasPrefix("-"), argument != "-",
                argument.hasPrefix("--") || !takesDashes || Habits.isKnown(argument)
            {
                try read(argument, &rest, known, fields)
            } else {
                operands.append(argument)
            }
        }
    }

    /// The options of a word such as `-qv`; nil unless each of its letters is an option without a value.
    private static func letters(_ argument: String, _ known: [Option]) -> [String]? {
        guard argument.hasPrefix("-"), argument.count > 2 else { return nil }
        let letters = argument.dropFirst().map { "-\($0)" }
        let areOptions = letters.allSatisfy { letter in known.contains { $0.isNamed(letter) && !$0.needsValue } }
        return areOptions ? letters : nil
    }

    private mutating func read(
        _ argument: String, _ rest: inout ArraySlice<String>, _ known: [Option], _ fields: [String]
    ) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = String(parts[0].dropFirst(argument.hasPrefix("--") ? 2 : 1))
        guard argument.hasPrefix("--"), let option = known.first(where: { $0.name == name }) else {
            if let behavior = Habits.defaults[parts[0]] {
                throw UsageError.alreadyDefault(option: parts[0], behavior)
            }
            if let answer = Habits.optionAnswers[parts[0]] {
                throw UsageError.elsewhere("option \(parts[0])", answer)
            }
            let nearest = NearestName.of(name, among: known.map(\.name)).map { "--" + $0 }
            throw UsageError.unknownOption(parts[0], nearest: nearest)
        }
        let attached = parts.count == 2 ? parts[1] : nil
        switch option.value {
        case .none:
            guard attached == nil else { throw UsageError.needlessValue(option: option.name) }
            options[name] = ""
        case .optional:
            let isValue =
                name == Option.json.name
                ? Self.areFields(rest.first, fields)
                : name == Option.article.name && rest.first.flatMap { ArticleChoice(rawValue: $0) } != nil
            let isNext = attached == nil && isValue
            options[name] = attached ?? (isNext ? rest.removeFirst() : "")
        case .some, .oneOf:
            // A value that looks like an option is more likely a forgotten one; `--author=--x` takes it all the same.
            guard let value = attached ?? (rest.first?.hasPrefix("--") == true ? nil : rest.popFirst()) else {
                throw UsageError.missingValue(option: option.name)
            }
            let others = option.isList ? options[name].map { $0 + "," } ?? "" : ""
            options[name] = others + (try option.checked(value))
        }
    }
}

extension Arguments {
    /// Whether a word can only be names of fields.
    private static func areFields(_ word: String?, _ fields: [String]) -> Bool {
        guard let word, !fields.isEmpty else { return false }
        return Invocation.fieldNames(in: word).allSatisfy { fields.contains(Field.canonical($0, among: fields)) }
    }

    /// The operands of a command line up to the first unknown option.
    package static func operands(of arguments: [String], known: [Option]) -> [String] {
        var rest = arguments[...]
        var operands: [String] = []
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            if argument.contains("=") { continue }
            guard let option = known.first(where: { $0.isNamed(argument) }) else { break }
            if option.needsValue { _ = rest.popFirst() }
        }
        return operands
    }
}

extension Option {
    /// The value, if it is valid for this option.
    ///
    /// Throws ``UsageError/badValue(_:option:expected:nearest:)``.
    func checked(_ value: String) throws -> String {
        guard case .oneOf(let words) = value.isEmpty ? .oneOf([]) : self.value else { return value }
        guard !words.isEmpty else {
            throw UsageError.missingValue(option: name)
        }
        guard words.contains(value) else {
            throw UsageError.badValue(
                value, option: name, expected: Counted.choices(words),
                nearest: NearestName.of(value, among: words))
        }
        return value
    }
}
