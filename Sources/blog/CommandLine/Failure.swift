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
        case .failed(let reason): ("The output could not be written: \(reason).", .failed)
        }
    }

    private static func verdict(_ error: LibraryError, _ sourceWords: Message) -> (Message, ExitCode) {
        switch error {
        case .unknownSource(let name, let known, let titles) where known.count > maxListed:
            return ("No source is called “\(name)”.\(nearby(name, known + titles))\nTo list them: blog sources", .usage)
        case .severalSources(let name, let names):
            return (
                "“\(name)” is the beginning of \(Counted.sources(names.count)): \(Counted.some(names)).\nTo list them: blog sources",
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
                "An address can't include a user name or password: \(SourceAddress.withoutLogin(text))\nPut them in ~/.netrc, readable by you only: machine HOST login NAME password PASSWORD",
                .usage
            )
        case .badAddress(let typed) where Self.mistypedScheme(typed) != nil:
            return (
                "Invalid address “\(typed)”: its scheme has to be http or https. Did you mean “\(Self.mistypedScheme(typed) ?? "")”?",
                .usage
            )
        case .badAddress(let typed):
            let text = SourceAddress.withoutLogin(typed)
            let example = text.contains("://") ? "http://localhost:8106" : "http://\(text)"
            return (
                "Invalid address “\(text)”: use http or https, a host, and no user name or query, like \(example).",
                .usage
            )
        case .unreachable(let error) where Self.isUsualBlog(error):
            return (
                "Nothing followed yet. Try: blog follow swift.org\nWithout that, blog reads the blog at its usual address: \(text(error))",
                .nothingToShow
            )
        case .unreachable(let error):
            let hint =
                Self.hint(error)
                ?? "Nothing is stored to show instead: check the address, or name another with --url, then try again."
            return ("\(text(error))\n\(hint)", .nothingToShow)
        case .nothingStored(let url):
            return (
                "Nothing of \(url.absoluteString) is stored yet.\nFetch it with blog list\(sourceWords), or with blog sync\(sourceWords) for the bodies too.",
                .nothingToShow
            )
        case .listNotStored(let url):
            return (
                "The list of \(url.absoluteString) is not stored, only single posts.\nFetch it with: blog list\(sourceWords)",
                .nothingToShow
            )
        case .notFollowed(let name, let known):
            return (
                "Nothing that is followed is called “\(name)”.\(nearby(name, known))\nSee the names with: blog sources",
                .usage
            )
        case .emptyFolder(let folder):
            return (
                "Nothing that is followed is in the folder “\(folder)”.\nSee the folders with: blog sources", .usage
            )
        case .unknownKind(let source):
            return ("\(source.address) is a source of the kind \(source.kind), which this blog doesn't know.", .failed)
        case .badName(let name, let reason):
            return ("The name “\(name)” \(reason).\nName another with --as.", .usage)
        case .notASource(let url, let found):
            return (
                "\(url.absoluteString) can't be followed: that is \(found).\nName a feed, a page that names one, a server that speaks the blog API, hn or 500px.",
                .failed
            )
        case .bodyNotStored(let id, let url):
            let body = "The body of “\(id)” of \(url.absoluteString)"
            return ("\(body) is not stored.\nRead it once without --offline.", .nothingToShow)
        case .bodyUnreachable(let id, let error):
            return (
                "\(text(error)) So the body of “\(id)” is missing.\nFetch bodies in time with: blog sync",
                .nothingToShow
            )
        case .ambiguous(let id, let candidates):
            return (
                "Several sources have a post “\(id)”.\nUse one of: \(candidates.joined(separator: ", "))", .usage
            )
        case .missingID(let name):
            return (
                "“\(name):” names a source, but no post of it.\nSee the ids with: blog list -s \(Shell.quoted(name))",
                .usage
            )
        case .formerDefault(let id, let source):
            let prefix = SourceRegistry.kind(named: source.kind)?.idPrefix ?? source.kind
            return (
                "“\(id)” is a post of \(source.address), which is only read by default while nothing is followed.\nRead it with blog read \(Shell.quoted("\(prefix):\(id)")), or have it in the lists again: blog follow \(source.address)",
                .noSuchPost
            )
        case .noSuchPost(let id, let known):
            let name = String(id.prefix { $0 != ":" })
            let local = String(id.dropFirst(name.count))
            let nearest: String? = local.isEmpty ? nil : NearestName.of(name, among: known)
            let suggestion: Message = nearest.map { " Did you mean “\($0)\(local)”?" } ?? ""
            return (
                "No source that is followed has a post “\(id)”.\(suggestion)\nSee the ids with: blog list", .noSuchPost
            )
        case .postNotStored(let id, let url):
            let post = "The post “\(id)” of \(url.absoluteString)"
            return ("\(post) is not stored.\nRead it once without --offline.", .nothingToShow)
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
            return ("The response of \(url.absoluteString) \(problem).\(hint)", .failed)
        case .nothingUsable(let url, let rejected):
            let first = rejected.first.map(text) ?? ""
            return ("The list of \(url.absoluteString) has no post that can be read: \(first).", .failed)
        case .noSuchPost(let id, let url):
            return (
                "There is no post “\(id)” at \(url.absoluteString).\nSee the ids with: blog list\(sourceWords)",
                .noSuchPost
            )
        case .noBody(let id, let url):
            return ("The post “\(id)” has no body: \(url.absoluteString) gives none.", .noSuchPost)
        case .refused(let url, let hadKey): return (refusal(of: url, hadKey: hadKey), .failed)
        }
    }

    /// A server of photos refuses a list for the key, but a single photo also because it is no longer public.
    private static func refusal(of url: URL, hadKey: Bool) -> Message {
        let (name, key) = (url.absoluteString, Environment.photoKey)
        let isList = url.lastPathComponent == "photos"
        return switch (isList, hadKey) {
        case (true, false): "\(name) wants a key.\nSet \(key) to yours, and try again."
        case (true, true): "\(name) doesn't take the key in \(key).\nSet that to one that the server knows."
        case (false, false):
            "\(name) is refused.\nThe photo may be gone, or the server wants a key: set \(key) to yours."
        case (false, true): "\(name) is refused.\nThe photo may be gone, or the key in \(key) is wrong."
        }
    }

    private static func text(_ error: PictureError) -> Message {
        switch error {
        case .badAddress(let text): "“\(text)” is not an address of the web."
        case .notKept(let url): "The picture \(url.absoluteString) is not stored."
        case .notAPicture(let url, nil): "\(url.absoluteString) is no JPEG, PNG, GIF or WebP."
        case .notAPicture(let url, let type?): "\(url.absoluteString) is \(type), and no JPEG, PNG, GIF or WebP."
        }
    }

    /// A record that was left out: "record 3: title is missing".
    static func text(_ record: RejectedRecord) -> String {
        "record \(record.index): \(record.field)\(record.field.isEmpty ? "it " : " ")\(record.reason)"
    }
}
