import BlogEssentials

/// What an error says: to people, to scripts and to programs.
///
/// A new error is one case, and one line in the explanation of its type.
package struct Explanation: Sendable {
    /// A word for programs, which stays the same: `unknown-source`.
    package let word: String
    /// What failed and where, with everything from outside sanitised.
    package let sentence: Message
    /// What to do about it, on lines of its own; nil where there is nothing to say.
    package let hint: Message?
    package let exitCode: ExitCode

    package init(_ word: String, _ sentence: Message, exit code: ExitCode = .failed, hint: Message? = nil) {
        (self.word, self.sentence, self.exitCode, self.hint) = (word, sentence, code, hint)
    }
}

/// How a command ends; docs/exit-codes.md describes each.
package enum ExitCode: Int32, Sendable {
    case success = 0
    case failed = 1
    case usage = 2
    case noSuchPost = 3
    case unavailable = 4
    case partialFailure = 5
}

/// The options of a command that a hint repeats, each after a space.
package struct RepeatedOptions: Sendable {
    /// The source that the error is about, and the store: " -s hn".
    package let source: Message
    /// The store alone.
    package let store: Message

    package init(source: Message = "", store: Message = "") { (self.source, self.store) = (source, store) }
}

/// An error that says itself.
package protocol ExplainedError: LocalizedError {
    func explanation(repeating options: RepeatedOptions) -> Explanation
}

extension ExplainedError {
    /// What failed and where.
    package var sentence: Message { explanation(repeating: RepeatedOptions()).sentence }

    /// The same for users of the library, without what to type.
    public var errorDescription: String? { sentence.text }
}

extension Explanation {
    /// What any error says; an unexpected one isn't described.
    package init(of error: any Error, repeating options: RepeatedOptions = RepeatedOptions()) {
        self =
            (error as? any ExplainedError)?.explanation(repeating: options)
            ?? Explanation("unexpected", "An unexpected error occurred.")
    }
}

extension Message {
    /// The sentence of an error.
    package init(of error: any Error) { self = Explanation(of: error).sentence }
}
