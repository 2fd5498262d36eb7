import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel

/// Why an operation failed.
///
/// Its `localizedDescription` is a sentence for people.
public enum LibraryError: Error, Sendable {
    /// The feeds of this service are read by its server, and so are their older posts.
    case archiveOfService(String)
    /// The source with this name doesn't say where older posts are.
    case noArchive(String)
    /// No source or kind has this name; `known` are the names and `titles` the titles that exist.
    case unknownSource(String, known: [String], titles: [String] = [])
    /// The names or titles of several sources start like this; `names` are those sources.
    case severalSources(String, names: [String])
    /// The saved search with this name can't be listed together with sources or other searches.
    case searchAmongSources(String)
    /// The search is kept under this name.
    case searchKept(String)
    /// Of the list of others with this name, only the name and the title can be changed.
    case notOfSearches(String)
    /// No followed source has this name; `known` are the names that exist.
    case notFollowed(String, known: [String])
    /// The folder contains no followed source.
    case emptyFolder(String)
    /// No post has this label; `known` are the labels that exist.
    case unknownLabel(String, known: [String])
    /// The kind of the source is unknown; it may belong to another version of the library.
    case unknownKind(SourceID)
    /// The text isn't an http or https address.
    case badAddress(String)
    /// The text can't be the name of a source; `reason` ends the sentence "the name …".
    case badName(String, reason: String)
    /// The address leads to something that can't be followed; `found` ends the sentence "that is …".
    case notASource(URL, found: String)
    /// The new address of a source is that of another one, with this name.
    case addressTaken(String, name: String)
    /// No feed of a source was found at its address and its site; `other` is one that has none of its posts.
    case notRepaired(String, other: URL?, problem: (any Error)?)
    /// The source can't be reached, and nothing of it is stored.
    case unreachable(HTTPError)
    /// Requests are off, and nothing of the source is stored.
    case nothingStored(URL)
    /// Nothing is stored, and so many sources aren't asked for a while because they failed.
    case noneWorks(Int)
    /// Requests are off, and only single posts of the source are stored, not its list.
    case listNotStored(URL)
    /// Requests are off, and this post isn't stored.
    case postNotStored(id: String, URL)
    /// Requests are off, and only the metadata of this post is stored.
    case bodyNotStored(id: String, URL)
    /// The source can't be reached, and only the metadata of this post is stored.
    case bodyUnreachable(id: String, HTTPError)
    /// Several sources have a post with this ID; `candidates` are its unambiguous IDs.
    case ambiguous(String, candidates: [String])
    /// The ID consists only of the name of a source.
    case missingID(String)
    /// It is the default source, which is read because no other is followed.
    case isDefault(String)
    /// No rule has this number.
    case noSuchRule(Int)
    /// There is the same rule already.
    case ruleExists
    /// There are as many rules as there may be.
    case tooManyRules(limit: Int)
    /// A search has an invalid condition or filter.
    case badSearch(SearchProblem)
    /// The word resembles a reference to posts such as `latest:3`, but isn't one.
    case badReference(String)
    /// The ID is `last`, but no post has been read yet, or it was deleted.
    case nothingRead
    /// None of several sources has a post with this ID; `known` are the names that IDs start with.
    case noSuchPost(String, known: [String] = [])
}

extension LibraryError: ExplainedError {
    package func explanation(repeating options: RepeatedOptions) -> Explanation {
        /// What was typed names nothing, or too much.
        func wrong(_ word: String, _ sentence: Message, _ hint: Message? = nil) -> Explanation {
            Explanation(word, sentence, exit: .usage, hint: hint)
        }
        /// Nothing of what was asked for is stored, and it can't be fetched.
        func missing(_ word: String, _ sentence: Message, _ hint: Message) -> Explanation {
            Explanation(word, sentence, exit: .unavailable, hint: hint)
        }
        return switch self {
        case .unknownSource(let name, let known, let titles):
            wrong(
                "unknown-source",
                "Unknown source “\(name)”\(Self.list(known)).\(Self.suggestion(name, known + titles))",
                known.count > Self.maxListed ? Self.listingSources : nil)
        case .severalSources(let name, let names):
            wrong(
                "several-sources", "“\(name)” is ambiguous: \(Counted.some(names)) begin with it.", Self.listingSources)
        case .searchAmongSources(let name):
            wrong("search-among-sources", "“\(name)” has posts of all sources, and can only be listed alone.")
        case .searchKept(let name):
            wrong(
                "search-kept", "This search is kept as “\(name)”.", "To rename it: \(Self.follow(name)) --as NAME")
        case .notOfSearches(let name):
            wrong("not-of-searches", "“\(name)” has posts of other sources: only its name and title can be changed.")
        case .notFollowed(let name, let known):
            wrong(
                "not-followed", "You don't follow a source named “\(name)”.\(Self.suggestion(name, known))",
                Self.listingSources)
        case .emptyFolder(let folder):
            wrong(
                "empty-folder", "No sources in the folder “\(folder)”.",
                "To list the sources and their folders: blog sources")
        case .unknownLabel(let label, let known):
            wrong(
                "unknown-label", "No posts are labelled “\(label)”\(Self.list(known)).\(Self.suggestion(label, known))",
                known.count > Self.maxListed ? "To list the labels: blog label" : nil)
        case .isDefault(let name):
            wrong(
                "is-default", "“\(name)” is the default source, which is read until you follow another.",
                "To read another instead: blog follow ADDRESS")
        case .addressTaken(let address, let name):
            wrong(
                "address-taken", "\(address) is the address of “\(name)”.", "To follow that one: blog follow \(name)")
        case .badAddress(let address):
            wrong(
                "bad-address", Self.text(badAddress: address),
                SourceAddress.hasLogin(address)
                    ? "Add a line to ~/.netrc instead: machine HOST login NAME password PASSWORD" : nil)
        case .badName(let name, let reason):
            wrong("bad-name", "Invalid name “\(name)” (\(reason)).", "Choose another name.")
        case .missingID(let name):
            wrong(
                "missing-id", "“\(name)” is a source, not a post.",
                "To list the IDs: blog list -s \(ShellWords.quoted(name))")
        case .ambiguous(let id, let candidates):
            wrong(
                "ambiguous-id", "“\(id)” is ambiguous: several sources have a post with this ID.",
                "Use one of: \(candidates.joined(separator: ", "))")
        case .badSearch(let problem): wrong("bad-search", "\(Self.sentence(problem)) (at character \(problem.place)).")
        case .badReference(let word):
            wrong(
                "bad-reference",
                "“\(word)” isn't supported (use latest, latest:3, next, next:3 or 3-7; at most 1,000 posts).")
        case .noSuchRule(let number): wrong("no-such-rule", "No rule has the number \(number).", Self.listingRules)
        case .ruleExists: wrong("rule-exists", "This rule exists already.", Self.listingRules)
        case .tooManyRules(let limit):
            wrong("too-many-rules", "There can be at most \(limit) rules.", Self.listingRules)
        case .unreachable(let error):
            missing(
                "unreachable", error.sentence,
                error.explanation(repeating: options).hint
                    ?? "There is no stored copy to show. Check the address and your connection.")
        case .nothingStored(let url):
            missing(
                "nothing-stored", "No stored posts from \(url.absoluteString) yet.",
                url.absoluteString == PageSource.kind.defaultAddress
                    ? "To read a web page: blog read ADDRESS"
                    : url.absoluteString == LinkedSource.kind.defaultAddress
                        ? "They are pages that two sources link to. To follow some: blog follow ADDRESS"
                        : "To fetch them: blog list\(options.source), or with their bodies: blog sync\(options.source)")
        case .noneWorks(1):
            missing(
                "none-works", "No stored posts yet: the source isn't asked for a while, because it failed.",
                Self.listingFailing)
        case .noneWorks(let count):
            missing(
                "none-works", "No stored posts yet: \(count) sources aren't asked for a while, because they failed.",
                Self.listingFailing)
        case .listNotStored(let url):
            missing(
                "list-not-stored",
                "The list of posts from \(url.absoluteString) isn't stored, only individual posts.",
                "To fetch it: blog list\(options.source)")
        case .postNotStored(let id, let url):
            missing("post-not-stored", "The post “\(id)” from \(url.absoluteString) isn't stored.", Self.fetching)
        case .bodyNotStored(let id, let url):
            missing("body-not-stored", "The body of “\(id)” from \(url.absoluteString) isn't stored.", Self.fetching)
        case .bodyUnreachable(let id, let error):
            missing(
                "body-unreachable", "Could not fetch the body of “\(id)”: \(error.sentence)",
                "To fetch bodies ahead of time: blog sync")
        case .unknownKind(let source):
            Explanation(
                "unknown-kind",
                "\(source.address): this version of blog doesn't support sources of the kind “\(source.kind)”.")
        case .archiveOfService(let name):
            wrong("archive-of-service", "“\(name)” is read by its server: older posts come from there.")
        case .noArchive(let name):
            Explanation("no-archive", "“\(name)” doesn't say where its older posts are.")
        case .notASource(let url, let found):
            Explanation(
                "not-a-source", "Could not follow \(url.absoluteString): it is \(found).",
                hint: """
                    Use hn, 500px, or the address of a feed, of a page that links to one, or of a server with the Blog \
                    Nerd Ranch API.
                    """)
        case .notRepaired(let name, let other?, _):
            Explanation(
                "not-repaired", "Found \(other.absoluteString), which has none of the stored posts of “\(name)”.",
                hint: "To follow it instead: \(Self.follow(name)) --address \(ShellWords.quoted(other.absoluteString))")
        case .notRepaired(let name, nil, let problem):
            Explanation(
                "not-repaired", "Found no feed of “\(name)” on its site\(Self.inParentheses(problem)).",
                hint: "If you know its new address: \(Self.follow(name)) --address URL")
        case .noSuchPost(let id, let known):
            Explanation(
                "no-such-post", "No post “\(id)” in the sources you follow.\(Self.suggestion(id: id, known))",
                exit: .noSuchPost, hint: "To list the IDs: blog list")
        case .nothingRead:
            Explanation(
                "nothing-read", "No post for “last”: you haven't read one yet, or it was deleted.", exit: .noSuchPost,
                hint: "To read the newest post: blog read latest")
        }
    }

    private static let listingSources: Message = "To list the sources: blog sources"
    private static let fetching: Message = "To fetch it, leave out --offline."
    private static let listingRules: Message = "To list the rules: blog rule"
    private static let listingFailing: Message = "To see why: blog sources --failing"

    private static func follow(_ name: String) -> Message { "blog follow \(ShellWords.quoted(name))" }

    private static func inParentheses(_ problem: (any Error)?) -> Message {
        problem.map { " (\(RefreshProblem.cause(of: $0).text.trimmed { $0 == "." }))" } ?? ""
    }

    private static func sentence(_ problem: SearchProblem) -> Message {
        switch problem.kind {
        case .badValue(let name, let value, let expected):
            "Invalid value “\(value)” for “\(name):”: use \(expected)"
        case .combined(let name):
            "“\(name):” can't be combined with OR, NOT, a dash or parentheses: it applies to the whole search"
        case .empty: "There are no words to search for"
        case .tooLong(let limit): "The search of a rule has at most \(limit) bytes"
        case .notInRules("in"): "“in:” can't be used in a rule (use title:, author: or another field)"
        case .unclosed: "A quotation mark or bracket isn't closed"
        case .notInRules(let name): "“\(name):” can't be used in a rule, whose own work would change what it finds"
        case .relativeInRule(let name): "“\(name):” needs a fixed date in a rule, like 2026-07"
        case .tooMany(let limit): "A search has at most \(limit) conditions"
        }
    }

    /// " (use a, b or c)"; "" if there are too many.
    private static func list(_ known: [String]) -> Message {
        known.isEmpty || known.count > maxListed ? "" : " (use \(Counted.choices(known)))"
    }

    /// How many names a message lists.
    package static let maxListed = 8

    /// " Did you mean “a” or “b”?", with names that start alike, or else the nearest one; "" if there is none.
    private static func suggestion(_ name: String, _ known: [String]) -> Message {
        let start = name.lowercased()
        let alike = known.filter { $0.hasPrefix(start) || start.hasPrefix($0) }.prefix(3).map { "“\($0)”" }
        let near = alike.isEmpty ? NearestName.ofBeginning(name, among: known).map { ["“\($0)”"] } ?? [] : alike
        return near.isEmpty ? "" : " Did you mean \(Counted.choices(near))?"
    }

    /// The same for an ID: " Did you mean “swift:12”?".
    private static func suggestion(id: String, _ known: [String]) -> Message {
        let name = String(id.prefix { $0 != ":" })
        let local = String(id.dropFirst(name.count))
        let nearest: String? = local.isEmpty ? nil : NearestName.of(name, among: known)
        return nearest.map { " Did you mean “\($0)\(local)”?" } ?? ""
    }

    private static func text(badAddress typed: String) -> Message {
        let address = SourceAddress.withoutLogin(typed)
        if SourceAddress.hasLogin(typed) {
            return "Addresses can't include a user name or password: \(address)"
        }
        if let better = correctingScheme(of: typed) { return "Invalid address “\(typed)”. Did you mean “\(better)”?" }
        if SourceAddress.page(address) != nil { return "Invalid address “\(address)” (use one without a query)." }
        guard let scheme = address.firstRange(of: "://").map({ address[..<$0.lowerBound].lowercased() }) else {
            return invalid(address, "a full address", SourceAddress.completed(address))
        }
        return invalid(address, "http or https\(["http", "https"].contains(scheme) ? " and a host" : "")")
    }

    private static func invalid(_ address: String, _ needed: String, _ example: String? = nil) -> Message {
        "Invalid address “\(address)” (use \(needed), as in \(example ?? "https://swift.org"))."
    }

    /// The address with http or https instead of a misspelt scheme; nil if that doesn't help.
    private static func correctingScheme(of address: String) -> String? {
        guard let end = address.firstRange(of: "://"),
            let scheme = NearestName.of(String(address[..<end.lowerBound]), among: ["http", "https"]),
            case let better = scheme + address[end.lowerBound...], SourceAddress.page(better) != nil,
            SourceAddress.page(address) == nil
        else { return nil }
        return better
    }
}
