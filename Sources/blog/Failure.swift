import BlogRendering
import BlogLibrary
import BlogCommandLine
import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore
import BlogTerminal

/// An error and the options that select the source and the store it is about.
struct PlacedError: Error {
    let error: any Error
    let sourceWords: Message
    let storeWords: Message
    /// Whether no source was ever followed.
    let isFirstUse: Bool
}

/// Any error as an actionable message and an exit code.
struct Failure {
    /// A sentence, and hints on the lines below it; nil for no message.
    let message: Message?
    let exitCode: ExitCode

    /// The failure that an error is.
    ///
    /// - Parameters:
    ///   - sourceWords: the options that select the source it is about, and the store.
    ///   - storeWords: the option that selects the store.
    ///   - isFirstUse: whether no source was ever followed.
    init(_ error: any Error, sourceWords: Message = "", storeWords: Message = "", isFirstUse: Bool = true) {
        switch error {
        case let error as PlacedError:
            self = Failure(
                error.error, sourceWords: error.sourceWords, storeWords: error.storeWords, isFirstUse: error.isFirstUse)
            return
        // The reader closed the pipe, as in `blog list | head -1`.
        case OutputError.closed: (message, exitCode) = (nil, .success)
        case let error as UsageError: (message, exitCode) = (error.message(), .usage)
        case let error as PostTargetError: (message, exitCode) = (error.message, Self.exitCode(error))
        case let error as ScreenError:
            message = "\(error.message)\nTo browse without it: blog browse --plain"
            exitCode = .usage
        case LibraryError.unreachable(let error) where isFirstUse && Self.isDefaultSource(error):
            message = """
                You don't follow any sources yet. Try: blog follow swift.org
                The default source can't be reached: \(error.sentence)
                """
            exitCode = .nothingToShow
        default:
            let hint = Self.hint(error, sourceWords, storeWords)
            message = Message(lines: [Message(of: error)] + (hint.map { [$0] } ?? []))
            exitCode = Self.exitCode(error)
        }
    }

    /// The same with another exit code, if there is one.
    func ending(_ code: ExitCode?) -> Failure { Failure(message: message, exitCode: code ?? exitCode) }

    /// The same with a remark after its sentence.
    func adding(_ remark: Message) -> Failure {
        let lines = message.map { ["\($0.sentence)\(remark)"] + ($0.hint.map { [$0] } ?? []) }
        return Failure(message: lines.map { Message(lines: $0) }, exitCode: exitCode)
    }

    private init(message: Message?, exitCode: ExitCode) {
        self.message = message
        self.exitCode = exitCode
    }

    // MARK: Exit codes

    private static func exitCode(_ error: any Error) -> ExitCode {
        switch error {
        case let error as LibraryError: exitCode(error)
        case SourceError.noSuchPost, SourceError.noBody: .noSuchPost
        case PostTargetError.noLink: .noSuchPost
        case is FileError: .usage
        case PageError.notStored: .nothingToShow
        default: .failed
        }
    }

    private static func exitCode(_ error: LibraryError) -> ExitCode {
        switch error {
        case .unknownSource, .severalSources, .notFollowed, .emptyFolder, .badAddress, .badName, .ambiguous,
            .missingID, .badReference, .badFilter, .combinedFilter:
            .usage
        case .unreachable, .nothingStored, .listNotStored, .postNotStored, .bodyNotStored, .bodyUnreachable:
            .nothingToShow
        case .formerDefault, .noSuchPost, .nothingRead: .noSuchPost
        case .unknownKind, .notASource: .failed
        }
    }

    // MARK: Hints

    /// What to do about an error; nil where there is nothing to say.
    private static func hint(_ error: any Error, _ sourceWords: Message, _ storeWords: Message) -> Message? {
        switch error {
        case let error as LibraryError: hint(error, sourceWords)
        case let error as HTTPError: hint(error)
        case let error as StoreError: hint(error, storeWords)
        case SourceError.unreadable(let url, _) where url.lastPathComponent == "post-metadata":
            "Check that this is the address of a server with the Blog Nerd Ranch API."
        case SourceError.noSuchPost: "To list the IDs: blog list\(sourceWords)"
        case SourceError.refused(let url, let hadKey): hint(refused: url, hadKey: hadKey)
        case PageError.notAPage(let url, let type) where PageError.isFeed(type):
            "To follow it: blog follow \(url.absoluteString)"
        case FileError.unusableFolder:
            "Use -o with a directory that is new or empty, or that blog has written to before."
        case FileError.fileInTheWay: "Move it elsewhere, or use another directory with -o."
        default: nil
        }
    }

    private static func hint(_ error: LibraryError, _ sourceWords: Message) -> Message? {
        switch error {
        case .unknownSource(_, let known, _): known.count > LibraryError.maxListed ? listingSources : nil
        case .severalSources, .notFollowed: listingSources
        case .emptyFolder: "To list the sources and their folders: blog sources"
        case .badAddress(let address) where SourceAddress.hasLogin(address):
            "Add a line to ~/.netrc instead: machine HOST login NAME password PASSWORD"
        case .badName: "Choose another name with --as."
        case .notASource:
            """
            Use hn, 500px, or the address of a feed, of a page that links to one, or of a server with the Blog Nerd \
            Ranch API.
            """
        case .unreachable(let error):
            hint(error) ?? "There is no stored copy to show. Check the address and your connection."
        case .nothingStored(let url) where url.absoluteString == PageSource.kind.defaultAddress:
            "To read a web page: blog read ADDRESS"
        case .nothingStored:
            "To fetch them: blog list\(sourceWords), or with their bodies: blog sync\(sourceWords)"
        case .listNotStored: "To fetch it: blog list\(sourceWords)"
        case .bodyNotStored, .postNotStored: "To fetch it, leave out --offline."
        case .bodyUnreachable: "To fetch bodies ahead of time: blog sync"
        case .ambiguous(_, let candidates): "Use one of: \(candidates.joined(separator: ", "))"
        case .missingID(let name): "To list the IDs: blog list -s \(Shell.quoted(name))"
        case .formerDefault(let id, let source): hint(formerDefault: id, source)
        case .noSuchPost: "To list the IDs: blog list"
        case .nothingRead: "To read the newest post: blog read latest"
        case .badAddress, .badFilter, .combinedFilter, .badReference, .unknownKind: nil
        }
    }

    private static func hint(formerDefault id: String, _ source: SourceID) -> Message {
        let prefix = SourceRegistry.kind(named: source.kind)?.idPrefix ?? source.kind
        return """
            To read the post: blog read \(Shell.quoted("\(prefix):\(id)")). To list its source again: blog follow \(source.address)
            """
    }

    private static let listingSources: Message = "To list the sources: blog sources"

    private static func hint(_ error: HTTPError) -> Message? {
        switch error {
        case .unreachable(let url, _), .timedOut(let url, _): SourceRegistry.hint(for: url).map { "\($0)" }
        case .unauthorized(let url, .missing):
            "Add a line to ~/.netrc: machine \(url.host ?? "") login NAME password PASSWORD"
        case .unauthorized(_, .unsafeFile): "Make it private: chmod 600 ~/.netrc"
        case .unauthorized(_, .redirected): "Use the address it redirects to, and add a line for its host to ~/.netrc."
        case .noTransport: "Install libcurl (Debian: libcurl4)."
        default: nil
        }
    }

    /// Whether an error is about the default source.
    private static func isDefaultSource(_ error: HTTPError) -> Bool {
        guard case .unreachable(let url, _) = error, SourceRegistry.hint(for: url) == nil,
            let usual = SourceRegistry.kinds[0].defaultAddress
        else { return false }
        return url.absoluteString.hasPrefix(usual + "/")
    }

    private static func hint(refused url: URL, hadKey: Bool) -> Message {
        let key = Environment.photoKey
        let isList = url.lastPathComponent == "photos"
        return switch (isList, hadKey) {
        case (true, false): "Set \(key) to your API key, then try again."
        case (true, true): "Set \(key) to a valid key, then try again."
        case (false, false): "The photo may be gone, or the server requires an API key (set \(key))."
        case (false, true): "The photo may be gone, or the API key in \(key) is wrong."
        }
    }

    /// How to recover what `blog` can't read in a damaged store.
    static func recovery(ofFile path: String) -> Message {
        """
        To recover a damaged store into a new one:
        sqlite3 \(Message(Shell.quoted(path))) .recover | sqlite3 recovered.sqlite3
        """
    }

    /// What to do with a damaged store.
    static func recovery(_ storeWords: Message) -> Message {
        """
        To recover the readable posts:
        blog store export\(storeWords) > posts.jsonl
        Then move the store elsewhere, and import the file: blog store import\(storeWords) posts.jsonl
        """
    }

    private static func hint(_ error: StoreError, _ storeWords: Message) -> Message? {
        switch error.reason {
        case .damaged: recovery(storeWords)
        case .notADatabase: "Use another file with --store. \(recovery(ofFile: error.path))"
        case .notAStore: "It was left alone. Move it elsewhere, or use another file with --store."
        case .unreleased:
            """
            Export the store with that version (blog store export), move it elsewhere, then import the exported file \
            with this version.
            """
        case .folder: "Name a file in it with --store."
        case .notAFile: "Use another file with --store."
        case .sideFile: "Move that file elsewhere, or use another store with --store."
        case .unreadable, .notKept(.notWritable): "Change its permissions, or use another file with --store."
        case .newer: "Upgrade blog, or use another store with --store."
        case .noTemporarySpace: "Free some space, or set TMPDIR to another directory."
        case .busy, .failed, .notKept(.diskFull): nil
        }
    }

    // MARK: Shorter sentences

    /// Why a source could not be refreshed: "Could not refresh swift: connection refused".
    static func refreshing(_ source: String, _ error: any Error) -> Message {
        let cause: Message =
            switch error {
            case let error as HTTPError: error.cause
            case SourceError.unreadable(_, let problem): "the response \(problem)"
            case SourceError.nothingUsable(_, let rejected):
                "no readable posts in its list: \(rejected.first?.text ?? "")"
            default: Failure(error).message?.sentence.asCause ?? ""
            }
        return "Could not refresh \(source): \(cause)"
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

/// How the program ends.
///
/// docs/exit-codes.md documents the numbers.
enum ExitCode: Int32 {
    case success = 0
    case failed = 1
    case usage = 2
    case noSuchPost = 3
    case nothingToShow = 4
    case partly = 5
}
