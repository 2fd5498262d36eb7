import BlogCommandLine
import BlogEssentials
import BlogHTTP
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// An error and the options that select the source and the store it is about.
struct ErrorInContext: Error {
    let error: any Error
    let options: RepeatedOptions
    /// Where the names of sources come from if they weren't typed: "PATH:3: ".
    let placeOfSources: Message
    /// Whether no source is followed.
    let followsNothing: Bool

    /// Whether the names of the sources don't tell which are meant.
    fileprivate var isAboutNames: Bool {
        switch error {
        case LibraryError.unknownSource, LibraryError.severalSources: true
        default: false
        }
    }
}

/// Any error as an actionable message.
struct Failure {
    /// A sentence, and hints on the lines below it; nil for no message.
    let message: Message?
    /// ``Explanation/word``.
    let word: String

    /// The failure that an error is.
    ///
    /// - Parameters:
    ///   - options: those of the command that a hint repeats.
    ///   - followsNothing: whether no source is followed.
    init(_ error: any Error, repeating options: RepeatedOptions = RepeatedOptions(), followsNothing: Bool = true) {
        word = Explanation(of: (error as? ErrorInContext)?.error ?? error).word
        switch error {
        case let error as ErrorInContext:
            let failure = Failure(error.error, repeating: error.options, followsNothing: error.followsNothing)
            guard error.isAboutNames, error.placeOfSources.text != "" else {
                message = failure.message
                return
            }
            let sentence = failure.message.map { $0.sentence } ?? ""
            message = "\(error.placeOfSources)\(sentence)\nTo leave it out once: --no-source"
        case OutputError.closed: message = nil
        case LibraryError.unreachable(let error) where followsNothing && Self.isDefaultSource(error):
            message = """
                You don't follow any sources. Try: blog follow swift.org
                The default source can't be reached: \(error.sentence)
                """
        default:
            let explanation = Explanation(of: error, repeating: options)
            message = Message(lines: [explanation.sentence] + (explanation.hint.map { [$0] } ?? []))
        }
    }

    /// The message with a remark after its sentence.
    func message(adding remark: Message) -> Message? {
        message.map { Message(lines: ["\($0.sentence)\(remark)"] + ($0.hint.map { [$0] } ?? [])) }
    }

    private static func isDefaultSource(_ error: HTTPError) -> Bool {
        guard case .unreachable(let url, _) = error, SourceRegistry.hint(for: url) == nil,
            let usual = SourceRegistry.standard.defaultAddress
        else { return false }
        return url.absoluteString.hasPrefix(usual + "/")
    }

    // MARK: Shorter sentences

    /// Why a source could not be refreshed: "Could not refresh swift: connection refused".
    static func refreshing(_ source: String, _ error: any Error) -> Message {
        "Could not \(error is StoreError ? "store the list of" : "refresh") \(source): \(RefreshProblem.cause(of: error))"
    }

    /// Why something could not be fetched, for a message that names it.
    static func cause(_ error: any Error) -> Message {
        switch error {
        case SourceError.unreadable(let url, let problem): "the response from \(url.absoluteString) \(problem)"
        case SourceError.noBody(_, let url): "no body at \(url.absoluteString)"
        case SourceError.noSuchPost(_, let url): "not found at \(url.absoluteString)"
        default: Failure(error).message?.sentence.asCause ?? ""
        }
    }
}

extension Console {
    /// Prints a failure.
    func error(_ failure: Failure) { error(failure.message, failure.word) }
}
