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
    let sourceArguments: Message
    let storeArguments: Message
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

    /// The failure that an error is.
    ///
    /// - Parameters:
    ///   - sourceArguments: the options that select the source it is about, and the store.
    ///   - storeArguments: the option that selects the store.
    ///   - followsNothing: whether no source is followed.
    init(
        _ error: any Error, sourceArguments: Message = "", storeArguments: Message = "", followsNothing: Bool = true
    ) {
        switch error {
        case let error as ErrorInContext:
            let failure = Failure(
                error.error, sourceArguments: error.sourceArguments, storeArguments: error.storeArguments,
                followsNothing: error.followsNothing)
            guard error.isAboutNames, error.placeOfSources.text != "" else {
                message = failure.message
                return
            }
            let sentence = failure.message.map { $0.sentence } ?? ""
            message = "\(error.placeOfSources)\(sentence)\nTo leave it out once: --no-source"
        case OutputError.closed: message = nil
        case let error as UsageError: message = error.message()
        case let error as PostTargetError: message = error.message
        case let error as ScreenError:
            message = "\(error.message)\nTo browse without it: blog browse --plain"
        case LibraryError.unreachable(let error) where followsNothing && Self.isDefaultSource(error):
            message = """
                You don't follow any sources. Try: blog follow swift.org
                The default source can't be reached: \(error.sentence)
                """
        default:
            let hint = Self.hint(error, sourceArguments, storeArguments)
            message = Message(lines: [Message(of: error)] + (hint.map { [$0] } ?? []))
        }
    }

    /// The message with a remark after its sentence.
    func message(adding remark: Message) -> Message? {
        message.map { Message(lines: ["\($0.sentence)\(remark)"] + ($0.hint.map { [$0] } ?? [])) }
    }

    // MARK: Hints

    /// What to do about an error; nil where there is nothing to say.
    private static func hint(_ error: any Error, _ sourceArguments: Message, _ storeArguments: Message) -> Message? {
        switch error {
        case let error as LibraryError: hint(error, sourceArguments)
        case let error as HTTPError: hint(error)
        case let error as StoreError: hint(error, storeArguments)
        case let error as ServiceError: hint(error)
        case SourceError.unreadable(let url, let problem)
        where url.lastPathComponent == "post-metadata" && problem != SourceError.cutOffProblem:
            "Check that this is the address of a server with the Blog Nerd Ranch API."
        case SourceError.movedElsewhere(let url, let address):
            "If that is the same blog: blog follow \(ShellWords.quoted(url.absoluteString)) --address \(ShellWords.quoted(address.absoluteString))"
        case SourceError.noSuchPost: "To list the IDs: blog list\(sourceArguments)"
        case SourceError.refused(let url, let hadKey): hint(refused: url, hadKey: hadKey)
        case PageError.notAPage(let url, let type) where PageError.isFeed(type):
            "To follow it: blog follow \(ShellWords.quoted(url.absoluteString))"
        default: nil
        }
    }

    private static func hint(_ error: LibraryError, _ sourceArguments: Message) -> Message? {
        switch error {
        case .unknownSource(_, let known, _): known.count > LibraryError.maxListed ? listingSources : nil
        case .severalSources, .notFollowed: listingSources
        case .emptyFolder: "To list the sources and their folders: blog sources"
        case .unknownLabel(_, let known): known.count > LibraryError.maxListed ? "To list the labels: blog label" : nil
        case .badAddress(let address) where SourceAddress.hasLogin(address):
            "Add a line to ~/.netrc instead: machine HOST login NAME password PASSWORD"
        case .badName: "Choose another name."
        case .searchKept(let name): "To rename it: blog follow \(ShellWords.quoted(name)) --as NAME"
        case .notRepaired(let name, let other?, _):
            "To follow it instead: blog follow \(ShellWords.quoted(name)) --address \(ShellWords.quoted(other.absoluteString))"
        case .notRepaired(let name, nil, _):
            "If you know its new address: blog follow \(ShellWords.quoted(name)) --address URL"
        case .addressTaken(_, let name): "To follow that one: blog follow \(name)"
        case .notASource:
            """
            Use hn, 500px, or the address of a feed, of a page that links to one, or of a server with the Blog Nerd \
            Ranch API.
            """
        case .unreachable(let error):
            hint(error) ?? "There is no stored copy to show. Check the address and your connection."
        case .nothingStored(let url) where url.absoluteString == PageSource.kind.defaultAddress:
            "To read a web page: blog read ADDRESS"
        case .noneWorks: "To see why: blog sources --failing"
        case .nothingStored:
            "To fetch them: blog list\(sourceArguments), or with their bodies: blog sync\(sourceArguments)"
        case .listNotStored: "To fetch it: blog list\(sourceArguments)"
        case .bodyNotStored, .postNotStored: "To fetch it, leave out --offline."
        case .bodyUnreachable: "To fetch bodies ahead of time: blog sync"
        case .ambiguous(_, let candidates): "Use one of: \(candidates.joined(separator: ", "))"
        case .missingID(let name): "To list the IDs: blog list -s \(ShellWords.quoted(name))"
        case .isDefault: "To read another instead: blog follow ADDRESS"
        case .noSuchPost: "To list the IDs: blog list"
        case .noSuchRule, .ruleExists, .tooManyRules: "To list the rules: blog rule"
        case .nothingRead: "To read the newest post: blog read latest"
        case .badAddress, .badSearch, .searchAmongSources, .notOfSearches, .badReference, .unknownKind: nil
        }
    }

    private static let listingSources: Message = "To list the sources: blog sources"

    private static func hint(_ error: HTTPError) -> Message? {
        switch error {
        case .unreachable(let url, _), .timedOut(let url, _): SourceRegistry.hint(for: url).map { "\($0)" }
        case .unauthorized(let url, .missing):
            "Add a line to ~/.netrc: machine \(url.host ?? "") login NAME password PASSWORD"
        case .unauthorized(_, .unsafeFile): "Make it private: chmod 600 ~/.netrc"
        case .unauthorized(_, .redirected): "Use the address it redirects to, and add a line for its host to ~/.netrc."
        case .unauthorized(let url, .unconfirmed): "To send it: blog follow \(ShellWords.quoted(url.absoluteString))"
        case .unauthorized(let url, .unencrypted):
            "To send it anyway: blog follow \(ShellWords.quoted(url.absoluteString)) --allow-http"
        case .privateAddress(let url): "To allow it: blog follow \(ShellWords.quoted(url.absoluteString))"
        case .noTransport: "Install libcurl (Debian: libcurl4)."
        default: nil
        }
    }

    private static func hint(_ error: ServiceError) -> Message? {
        switch error {
        case .noLogin(let url, let name):
            """
            Add a line to ~/.netrc: machine \(url.host() ?? "") login \(user(of: url)) password API-PASSWORD
            Or set a command that prints the API password: login.\(name) = \(user(of: url)) COMMAND
            """
        case .unsafeLogins: "Make it private: chmod 600 ~/.netrc"
        case .badLogin: "Use the API password: it is set in the server's settings, apart from the one for the website."
        case .keyRejected:
            "Its web server may remove the Authorization header; for Apache, see CGIPassAuth and FreshRSS's documentation."
        case .proxyLogin: "Let that server pass requests below the API's address without a login."
        case .apiDisabled: "In FreshRSS, allow API access in the settings, under Authentication."
        case .notAnAPI:
            "Use the address that the server names for the Google Reader API, as https://HOST/api/greader.php."
        case .redirected: "Follow the address that it redirects to."
        case .otherAccount(let url, let name):
            """
            If you have changed the login by mistake, change it back. Another account beside it: blog follow USER@ADDRESS --as NAME
            To begin anew, which keeps saved posts: blog unfollow --forget \(ShellWords.quoted(name)); blog follow \(account: ShellWords.quoted(url.absoluteString)) --as \(ShellWords.quoted(name))
            """
        case .unconfirmed(let url): "If it is yours: blog follow \(account: ShellWords.quoted(url.absoluteString))"
        case .insecure: "Use an https address, or allow it: --allow-http"
        case .unknownService: listingSources
        case .commandFailed, .unusable, .refused, .offline, .unsupported: nil
        }
    }

    private static func user(of service: URL) -> String { service.user(percentEncoded: false) ?? "NAME" }

    private static func isDefaultSource(_ error: HTTPError) -> Bool {
        guard case .unreachable(let url, _) = error, SourceRegistry.hint(for: url) == nil,
            let usual = SourceRegistry.standard.defaultAddress
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
        sqlite3 \(Message(ShellWords.quoted(path))) .recover | sqlite3 recovered.sqlite3
        """
    }

    /// What to do with a damaged store.
    static func recovery(_ storeArguments: Message) -> Message {
        """
        To recover the readable posts:
        blog store export\(storeArguments) > posts.jsonl
        Then move the store elsewhere, and import the file: blog store import\(storeArguments) posts.jsonl
        """
    }

    private static func hint(_ error: StoreError, _ storeArguments: Message) -> Message? {
        switch error.reason {
        case .damaged: recovery(storeArguments)
        case .notADatabase: "Use another file with --store. \(recovery(ofFile: error.path))"
        case .notAStore: "It was left alone. Move it elsewhere, or use another file with --store."
        case .unreleased:
            """
            Export it with a build of commit 464239a1 (blog store export\(storeArguments) > posts.jsonl), move it \
            elsewhere, then run: blog store import\(storeArguments) posts.jsonl
            """
        case .folder: "Name a file in it with --store."
        case .notAFile: "Use another file with --store."
        case .sideFile: "Move that file elsewhere, or use another store with --store."
        case .unreadable, .notStored(.notWritable): "Change its permissions, or use another file with --store."
        case .newer: "Upgrade blog, or use another store with --store."
        case .temporaryFile: "Try again, or set TMPDIR to another directory."
        case .busy, .failed, .migrated, .notStored(.diskFull): nil
        }
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
