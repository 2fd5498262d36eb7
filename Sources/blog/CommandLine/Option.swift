/// An option of the command line: the one description that the parser, the help and the settings file share.
struct Option: Sendable {
    let name: String
    let value: Value
    let help: String
    /// The environment variable that stands in for the option.
    var environment: String?

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
        switch value {
        case .none: "--\(name)"
        case .some(let placeholder): "--\(name) \(placeholder)"
        case .optional(let placeholder): "--\(name)[=\(placeholder)]"
        case .oneOf(let words): "--\(name) \(words.joined(separator: "|"))"
        }
    }
}
