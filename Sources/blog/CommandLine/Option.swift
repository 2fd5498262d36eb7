/// An option of the command line: the one description that the parser, the help, shells and the settings file share.
struct Option: Sendable {
    let name: String
    let value: Value
    let help: String
    /// The environment variable that stands in for the option.
    var environment: String?
    /// The letter that stands for it after one dash.
    var letter: Character?
    /// Whether its value is a list, to which each further one adds.
    var isList = false
    /// The heading of the help under which it stands.
    var group = Group.other

    /// The headings of the help, in order.
    enum Group: String, CaseIterable {
        case choose = "Choose"
        case order = "Order"
        case show = "Show"
        case network = "Network"
        case other = "Other"
    }

    /// What may come after an option's name.
    enum Value: Sendable {
        /// Nothing: the option is there or not.
        case none
        /// A value, shown in the help under this name.
        case some(String)
        /// A value after `=`, or nothing.
        case optional(String)
        /// One of these words.
        case oneOf([String])
    }

    /// The option as the help shows it: `--limit N`.
    var usage: String {
        let names = (letter.map { "-\($0), " } ?? "") + "--\(name)"
        return switch value {
        case .none: names
        case .some(let placeholder): "\(names) \(placeholder)"
        case .optional(let placeholder): "\(names)[=\(placeholder)]"
        case .oneOf(let words): "\(names) \(words.joined(separator: "|"))"
        }
    }

    /// Whether a word of a command line is the option.
    func isNamed(_ word: String) -> Bool { word == "--\(name)" || letter.map { "-\($0)" } == word }

    /// Whether the next word is its value.
    var needsValue: Bool {
        switch value {
        case .none, .optional: false
        case .some, .oneOf: true
        }
    }
}
