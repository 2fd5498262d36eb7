import BlogLibrary
import Foundation
import HTTP
import Model
import Store
import Terminal

/// An error and the options that select the source it is about.
struct PlacedError: Error {
    let error: any Error
    let sourceWords: Message
}

/// Any error as an actionable message and an exit code.
struct Failure {
    /// One or two lines, the first of which says what happened; nil for no message.
    let message: Message?
    let exitCode: ExitCode

    /// Why a source could not be refreshed: "Could not refresh swift: connection refused".
    static func refreshing(_ source: String, _ error: any Error) -> Message {
        let cause: Message =
            switch error {
            case let error as HTTPError: Self.cause(error).sentence
            case SourceError.unreadable(_, let problem): "the response \(problem)"
            case SourceError.nothingUsable(_, let rejected):
                "no readable posts in its list: \(rejected.first.map(Self.text) ?? "")"
            default: Failure(error).message?.sentence ?? ""
            }
        return "Could not refresh \(source): \(cause)"
    }

    /// Why a post could not be fetched, for a message that names the post.
    static func cause(ofPost error: any Error) -> Message {
        switch error {
        case SourceError.unreadable(let url, let problem): "the response from \(url.absoluteString) \(problem)"
        case SourceError.noBody(_, let url): "no body at \(url.absoluteString)"
        case SourceError.noSuchPost(_, let url): "not found at \(url.absoluteString)"
        default: Failure(error).message?.sentence ?? ""
        }
    }

    /// The sentence for an error.
    ///
    /// - Parameter sourceWords: the options that select the source it is about.
    init(_ error: any Error, sourceWords: Message = "") {
        switch error {
        case let error as PlacedError:
            let failure = Failure(error.error, sourceWords: error.sourceWords)
            (message, exitCode) = (failure.message, failure.exitCode)
        case let error as UsageError: (message, exitCode) = (Self.text(error), .usage)
        case let error as LibraryError: (message, exitCode) = Self.verdict(error, sourceWords)
        case let error as HTTPError: (message, exitCode) = (Self.text(error), .failed)
        case let error as SourceError: (message, exitCode) = Self.verdict(error, sourceWords)
        case let error as StoreError: (message, exitCode) = (Self.text(error), .failed)
        case let error as PictureError: (message, exitCode) = (Self.text(error), .failed)
        case let error as OutputError: (message, exitCode) = Self.verdict(error)
        default: (message, exitCode) = ("An unexpected error occurred.", .failed)
        }
    }

    /// The same with another exit code, if there is one.
    func ending(_ code: ExitCode?) -> Failure { Failure(message: message, exitCode: code ?? exitCode) }

    private init(message: Message?, exitCode: ExitCode) {
        self.message = message
        self.exitCode = exitCode
    }

    private static func verdict(_ error: OutputError) -> (Message?, ExitCode) {
        switch error {
        // The reader closed the pipe, as in `blog list | head -1`.
        case .closed: (nil, .success)
        case .failed(let reason): ("Could not write the output: \(reason)", .failed)
        }
    }

    private static func verdict(_ error: LibraryError, _ sourceWords: Message) -> (Message, ExitCode) {
        switch error {
        case .unknownSource(let name, let known, let titles) where known.count > maxListed:
            return (
                "Unknown source “\(name)”.\(nearby(name, known + titles))\nTo list the sources: blog sources", .usage
            )
        case .severalSources(let name, let names):
            return (
                "“\(name)” is ambiguous: \(Counted.some(names)) begin with it.\nTo list the sources: blog sources",
                .usage
            )
        case .unknownSource(let name, let known, let titles):
            let nearest = NearestName.ofBeginning(name, among: known + titles)
            return (
                text(.badValue(name, option: "source", expected: Counted.choices(known), nearest: nearest)),
                .usage
            )
        case .badAddress(let text) where SourceAddress.hasLogin(text):
            return (
                "Addresses can't include a user name or password: \(SourceAddress.withoutLogin(text))\nPut them in a private ~/.netrc: machine HOST login NAME password PASSWORD",
                .usage
            )
        case .badAddress(let typed) where Self.mistypedScheme(typed) != nil:
            return (
                "Invalid address “\(typed)”. Did you mean “\(Self.mistypedScheme(typed) ?? "")”?",
                .usage
            )
        case .badAddress(let typed):
            let text = SourceAddress.withoutLogin(typed)
            let example = text.contains("://") ? "http://localhost:8106" : "http://\(text)"
            return (
                "Invalid address “\(text)” (use http or https and a host, without user name and query, as in \(example)).",
                .usage
            )
        case .unreachable(let error) where Self.isUsualBlog(error):
            return (
                "You don't follow any sources yet. Try: blog follow swift.org\nThe default source isn't available either: \(text(error))",
                .nothingToShow
            )
        case .unreachable(let error):
            let hint =
                Self.hint(error)
                ?? "There is no stored copy to show. Check the address, or use another with --url."
            return ("\(text(error))\n\(hint)", .nothingToShow)
        case .nothingStored(let url):
            return (
                "No stored posts from \(url.absoluteString) yet.\nTo fetch them: blog list\(sourceWords), or blog sync\(sourceWords) for bodies too",
                .nothingToShow
            )
        case .listNotStored(let url):
            return (
                "The list of \(url.absoluteString) isn't stored, only single posts.\nTo fetch it: blog list\(sourceWords)",
                .nothingToShow
            )
        case .notFollowed(let name, let known):
            return (
                "You don't follow a source “\(name)”.\(nearby(name, known))\nTo list the sources: blog sources",
                .usage
            )
        case .emptyFolder(let folder):
            return (
                "No sources in the folder “\(folder)”.\nTo list the sources and their folders: blog sources", .usage
            )
        case .unknownKind(let source):
            return (
                "\(source.address) is a source of the kind \(source.kind), which this version of blog doesn't support.",
                .failed
            )
        case .badName(let name, let reason):
            return ("Invalid name “\(name)”: \(reason)\nChoose another with --as.", .usage)
        case .notASource(let url, let found):
            return (
                "Could not follow \(url.absoluteString): it is \(found).\nUse the address of a feed, a page that links to one, a server with the blog API, hn or 500px.",
                .failed
            )
        case .bodyNotStored(let id, let url):
            let body = "The body of “\(id)” from \(url.absoluteString)"
            return ("\(body) isn't stored.\nTo fetch it, read it without --offline.", .nothingToShow)
        case .bodyUnreachable(let id, let error):
            return (
                "Could not fetch the body of “\(id)”: \(text(error).sentence)\nTo fetch bodies ahead of time: blog sync",
                .nothingToShow
            )
        case .ambiguous(let id, let candidates):
            return (
                "“\(id)” is ambiguous: several sources have it.\nUse one of: \(candidates.joined(separator: ", "))",
                .usage
            )
        case .missingID(let name):
            return (
                "“\(name):” is missing a post ID.\nTo list the IDs: blog list -s \(Shell.quoted(name))",
                .usage
            )
        case .formerDefault(let id, let source):
            let prefix = SourceRegistry.kind(named: source.kind)?.idPrefix ?? source.kind
            return (
                "“\(id)” is a post of \(source.address), the default source while you follow no other.\nTo read it: blog read \(Shell.quoted("\(prefix):\(id)")). To list it again: blog follow \(source.address)",
                .noSuchPost
            )
        case .noSuchPost(let id, let known):
            let name = String(id.prefix { $0 != ":" })
            let local = String(id.dropFirst(name.count))
            let nearest: String? = local.isEmpty ? nil : NearestName.of(name, among: known)
            let suggestion: Message = nearest.map { " Did you mean “\($0)\(local)”?" } ?? ""
            return (
                "No post “\(id)” in the sources you follow.\(suggestion)\nTo list the IDs: blog list", .noSuchPost
            )
        case .postNotStored(let id, let url):
            let post = "The post “\(id)” from \(url.absoluteString)"
            return ("\(post) isn't stored.\nTo fetch it, read it without --offline.", .nothingToShow)
        }
    }

    /// An address with http or https in place of what was mistyped; nil for another.
    private static func mistypedScheme(_ address: String) -> String? {
        guard let end = address.firstRange(of: "://"), !SourceAddress.hasLogin(address),
            let scheme = NearestName.of(String(address[..<end.lowerBound]), among: ["http", "https"]),
            case let better = scheme + address[end.lowerBound...], SourceAddress.page(better) != nil,
            SourceAddress.page(address) == nil
        else { return nil }
        return better
    }

    /// Whether an error is about the blog that is read while nothing is followed and nothing else is named.
    private static func isUsualBlog(_ error: HTTPError) -> Bool {
        guard case .unreachable(let url, _) = error, SourceRegistry.hint(for: url) == nil,
            let usual = SourceRegistry.kinds[0].usualAddress
        else { return false }
        return url.absoluteString.hasPrefix(usual + "/")
    }

    /// " Did you mean “a” or “b”?": names that begin alike, or the nearest one; "" where none is near.
    private static func nearby(_ name: String, _ known: [String]) -> Message {
        let start = name.lowercased()
        let alike = known.filter { $0.hasPrefix(start) || start.hasPrefix($0) }.prefix(3).map { "“\($0)”" }
        let near = alike.isEmpty ? NearestName.ofBeginning(name, among: known).map { ["“\($0)”"] } ?? [] : alike
        return near.isEmpty ? "" : " Did you mean \(Counted.choices(near))?"
    }

    /// How many names a message lists.
    private static let maxListed = 8

    /// What to do where nothing is at the usual address of a kind of source that has something to say about that.
    private static func hint(_ error: HTTPError) -> String? {
        switch error {
        case .unreachable(let url, _), .timedOut(let url, _): SourceRegistry.hint(for: url)
        default: nil
        }
    }

    private static func verdict(_ error: SourceError, _ sourceWords: Message) -> (Message, ExitCode) {
        switch error {
        case .unreadable(let url, let problem):
            let hint: Message = url.lastPathComponent == "post-metadata" ? "\nIs this the address of a blog?" : ""
            return ("The response from \(url.absoluteString) \(problem).\(hint)", .failed)
        case .nothingUsable(let url, let rejected):
            let first = rejected.first.map(text) ?? ""
            return ("No readable posts in the list of \(url.absoluteString): \(first)", .failed)
        case .noSuchPost(let id, let url):
            return (
                "No post “\(id)” at \(url.absoluteString).\nTo list the IDs: blog list\(sourceWords)",
                .noSuchPost
            )
        case .noBody(let id, let url):
            return ("The post “\(id)” has no body at \(url.absoluteString).", .noSuchPost)
        case .refused(let url, let hadKey): return (refusal(of: url, hadKey: hadKey), .failed)
        }
    }

    /// A server of photos refuses a list for the key, but a single photo also because it is no longer public.
    private static func refusal(of url: URL, hadKey: Bool) -> Message {
        let (name, key) = (url.absoluteString, Environment.photoKey)
        let isList = url.lastPathComponent == "photos"
        return switch (isList, hadKey) {
        case (true, false): "\(name) requires an API key.\nSet \(key) to yours, then try again."
        case (true, true): "\(name) rejected the API key in \(key).\nSet it to a valid key, then try again."
        case (false, false):
            "\(name): access denied\nThe photo may be gone, or the server requires an API key: set \(key) to yours."
        case (false, true): "\(name): access denied\nThe photo may be gone, or the API key in \(key) is wrong."
        }
    }

    private static func text(_ error: PictureError) -> Message {
        switch error {
        case .badAddress(let text): "“\(text)” isn't a web address."
        case .notKept(let url): "The picture \(url.absoluteString) isn't stored."
        case .notAPicture(let url, nil): "\(url.absoluteString) isn't a JPEG, PNG, GIF or WebP."
        case .notAPicture(let url, let type?): "\(url.absoluteString) is \(type), not a JPEG, PNG, GIF or WebP."
        }
    }

    /// A record that was left out: "record 3: title is missing".
    static func text(_ record: RejectedRecord) -> String {
        "record \(record.index): \(record.field)\(record.field.isEmpty ? "it " : " ")\(record.reason)"
    }
}
