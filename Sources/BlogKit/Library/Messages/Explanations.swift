import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogStore

extension RefreshProblem {
    /// Why a refresh failed, on one line and without the address of the request; nil for an unexpected error.
    static func reason(of error: any Error) -> String? {
        guard error is any ExplainedError else { return nil }
        // It is part of a command, so it isn't cut.
        if case SourceError.movedElsewhere(_, let address) = error { return address.absoluteString }
        return String(Sanitizer.line(cause(of: error).text).prefix(200))
    }

    /// The words for ``moved``, whose stored reason is the address.
    static func moved(to address: String) -> Message { "moved to another host: \(address)" }

    /// The same for any error, after a colon: "connection refused".
    package static func cause(of error: any Error) -> Message {
        switch error {
        case let error as HTTPError: error.cause
        case let error as ServiceError: error.cause
        case SourceError.unreadable(_, let problem): "the response \(problem)"
        case SourceError.nothingUsable(_, let rejected):
            "no readable posts in its list: \(rejected.first?.text ?? "")"
        case SourceError.movedElsewhere(_, let address): moved(to: address.absoluteString)
        case SourceError.local(_, let problem): "\(problem)"
        case SourceError.notTyped: "it came with a list or an export"
        default: Message(of: error).asCause
        }
    }
}

// MARK: The network

extension HTTPError: ExplainedError {
    package func explanation(repeating options: RepeatedOptions) -> Explanation {
        let (word, hint) = wordAndHint
        // "https://swift.org/feed: connection refused", without user name and password.
        return Explanation(word, url.map { "\($0.withoutLogin.absoluteString): \(cause)" } ?? cause, hint: hint)
    }

    private var wordAndHint: (String, Message?) {
        switch self {
        case .unreachable(let url, _): ("unreachable", SourceRegistry.hint(for: url).map { "\($0)" })
        case .timedOut(let url, _): ("timed-out", SourceRegistry.hint(for: url).map { "\($0)" })
        case .stalled: ("timed-out", nil)
        case .tooSlow: ("too-slow", nil)
        case .interrupted: ("interrupted", nil)
        case .insecure: ("insecure", nil)
        case .notHTTP: ("not-http", nil)
        case .malformed: ("malformed-response", nil)
        case .status: ("http-status", nil)
        case .challenged: ("challenged", nil)
        case .unauthorized(let url, let reason): ("unauthorized", Self.hint(reason, url))
        case .rateLimited: ("rate-limited", nil)
        case .tooLarge: ("too-large", nil)
        case .badRedirect: ("bad-redirect", nil)
        case .privateAddress(let url):
            ("private-address", "To allow it: blog follow \(ShellWords.quoted(url.absoluteString))")
        case .tooManyRedirects: ("too-many-redirects", nil)
        case .noTransport: ("no-libcurl", "Install libcurl (Debian: libcurl4).")
        }
    }

    private static func hint(_ reason: Unauthorized, _ url: URL) -> Message? {
        let follow: Message = "blog follow \(ShellWords.quoted(url.absoluteString))"
        return switch reason {
        case .missing: "Add a line to ~/.netrc: machine \(url.host ?? "") login NAME password PASSWORD"
        case .unsafeFile: "Make it private: chmod 600 ~/.netrc"
        case .redirected: "Use the address it redirects to, and add a line for its host to ~/.netrc."
        case .unconfirmed: "To send it: \(follow)"
        case .unencrypted: "To send it anyway: \(follow) --allow-http"
        case .refused, .withheld, .forService: nil
        }
    }

    /// The same without the address: "connection refused".
    package var cause: Message {
        switch self {
        case .unreachable(_, let reason): Self.text(reason)
        case .timedOut(_, let seconds): "timed out after \(DecimalText.text(seconds)) s"
        case .stalled(_, let seconds): "timed out: no data for \(DecimalText.text(seconds)) s"
        case .tooSlow: "the response was too slow"
        case .interrupted: "connection closed before the response was complete"
        case .insecure(_, let reason): Self.text(reason)
        case .notHTTP: "not an HTTP server"
        case .malformed(_, .encoding): "unknown or invalid content encoding"
        case .malformed(_, .framing): "invalid content length or chunked encoding"
        case .malformed(_, .headers): "response headers too large"
        case .status(_, let code, let retryAfter):
            "HTTP \(code)\(Self.phrase(code))\(retryAfter.map { " (retry after \(DecimalText.text($0)) s)" } ?? "")"
        case .challenged(_, let code): "HTTP \(code): Cloudflare lets only browsers in"
        case .unauthorized(let url, let reason): Self.text(reason, url.host ?? "")
        case .rateLimited(_, let until): "rate limited by the server until \(until.minuteText)"
        case .tooLarge(_, let limit): "the response is larger than \(limit >> 20) MiB"
        case .badRedirect(_, let location): "unsafe redirect to “\(String(location.prefix(200)))”"
        case .privateAddress: "not requested: the address is on a private network"
        case .tooManyRedirects: "too many redirects"
        case .noTransport: "Could not load libcurl.so.4."
        }
    }

    private var url: URL? {
        switch self {
        case .unreachable(let url, _), .timedOut(let url, _), .stalled(let url, _), .tooSlow(let url),
            .interrupted(let url), .insecure(let url, _), .notHTTP(let url), .malformed(let url, _),
            .status(let url, _, _), .challenged(let url, _), .unauthorized(let url, _), .rateLimited(let url, _),
            .tooLarge(let url, _),
            .badRedirect(let url, _), .privateAddress(let url), .tooManyRedirects(let url):
            url
        case .noTransport: nil
        }
    }

    private static func text(_ reason: Unauthorized, _ host: String) -> Message {
        switch reason {
        case .missing: "HTTP 401: login required, but ~/.netrc has none for this host"
        case .unsafeFile: "HTTP 401: login required, but ~/.netrc is ignored because others can read it"
        case .refused: "HTTP 401: the server rejected the login for \(host) in ~/.netrc"
        case .redirected(let other): "HTTP 401: redirected to \(other), where the login for \(host) isn't sent"
        case .withheld: "HTTP 401: login required, but logins aren't sent to addresses found in pages or posts"
        case .unconfirmed: "HTTP 401: login required, but logins are sent only to addresses that you have typed"
        case .unencrypted: "HTTP 401: login required, but logins aren't sent without encryption"
        case .forService: "HTTP 401: login required, but the one for \(host) in ~/.netrc is for your sync server"
        }
    }

    private static func text(_ reason: Unreachable) -> Message {
        switch reason {
        case .refused: "connection refused"
        case .unknownHost: "could not resolve host"
        case .proxy: "connection refused by the server or by the proxy set in the environment"
        case .badAddress: "unsupported address"
        case .noNetwork: "no network"
        case .timedOut: "connection timed out"
        }
    }

    private static func text(_ reason: Insecure) -> Message {
        switch reason {
        case .expired: "certificate has expired"
        case .notYetValid: "certificate isn't valid yet (is this machine's clock right?)"
        case .selfSigned: "self-signed certificate"
        case .wrongHost: "certificate is for another host"
        case .unknownAuthority: "certificate signed by an unknown authority"
        case .handshake: "TLS handshake failed (does the server speak https?)"
        case .noAuthorities: "no CA certificates on this system (install ca-certificates)"
        case .badAuthorities: "could not read the certificates in SSL_CERT_FILE or SSL_CERT_DIR"
        }
    }

    /// The reason phrase of a status code after a space; "" for a rare one.
    private static func phrase(_ code: Int) -> Message {
        switch code {
        case 400: " Bad Request"
        case 403: " Forbidden"
        case 404: " Not Found"
        case 410: " Gone"
        case 429: " Too Many Requests"
        case 500: " Internal Server Error"
        case 502: " Bad Gateway"
        case 503: " Service Unavailable"
        case 504: " Gateway Timeout"
        default: ""
        }
    }
}

// MARK: Sources

extension SourceError: ExplainedError {
    package func explanation(repeating options: RepeatedOptions) -> Explanation {
        switch self {
        case .unreadable(let url, let problem):
            Explanation(
                "unreadable", "The response from \(url.absoluteString) \(problem).",
                hint: url.lastPathComponent == "post-metadata" && problem != Self.cutOffProblem
                    ? "Check that this is the address of a server with the Blog Nerd Ranch API." : nil)
        case .nothingUsable(let url, let rejected):
            Explanation(
                "nothing-readable",
                "No readable posts in the list at \(url.absoluteString): \(rejected.first?.text ?? "")")
        case .movedElsewhere(let url, let address):
            Explanation(
                "moved",
                "\(url.absoluteString) moved to another host, which has none of the stored posts: \(address.absoluteString)",
                hint:
                    "If that is the same blog: blog follow \(ShellWords.quoted(url.absoluteString)) --address \(ShellWords.quoted(address.absoluteString))"
            )
        case .noSuchPost(let id, let url):
            Explanation(
                "no-such-post", "No post “\(id)” at \(url.absoluteString).", exit: .noSuchPost,
                hint: "To list the IDs: blog list\(options.source)")
        case .noBody(let id, let url):
            Explanation("no-body", "The post “\(id)” has no body at \(url.absoluteString).", exit: .noSuchPost)
        case .refused(let url, let hadKey): Self.refused(url, hadKey: hadKey)
        case .local(let url, let problem):
            Explanation("local-feed", "\(url.absoluteString): \(problem)")
        case .notTyped(let url):
            Explanation(
                "not-typed", "\(url.absoluteString) came with a list or an export, so it isn't read.",
                hint: "To read it: blog follow \(ShellWords.quoted(url.absoluteString))")
        }
    }

    /// A list is refused because of the key, but a photo also because it isn't public any more.
    private static func refused(_ url: URL, hadKey: Bool) -> Explanation {
        let key = PhotoSource.keyVariable
        let isList = url.lastPathComponent == "photos"
        let hint: Message =
            switch (isList, hadKey) {
            case (true, false): "Set \(key) to your API key, then try again."
            case (true, true): "Set \(key) to a valid key, then try again."
            case (false, false): "The photo may be gone, or the server requires an API key (set \(key))."
            case (false, true): "The photo may be gone, or the API key in \(key) is wrong."
            }
        let sentence: Message =
            isList
            ? "\(url.absoluteString) \(hadKey ? "rejected" : "requires") \(hadKey ? "the" : "an") API key."
            : "\(url.absoluteString): access denied"
        return Explanation("refused", sentence, hint: hint)
    }
}

extension ServiceError: ExplainedError {
    package func explanation(repeating options: RepeatedOptions) -> Explanation {
        func failed(_ word: String, at url: URL, _ hint: Message? = nil) -> Explanation {
            Explanation(word, "\(url.absoluteString): \(cause)", hint: hint)
        }
        let privately: Message = "Make it private: chmod 600 ~/.netrc"
        return switch self {
        case .noLogin(let url, let name):
            Explanation(
                "no-login", "No login for “\(name)” (\(url.absoluteString))",
                hint: """
                    Add a line to ~/.netrc: machine \(url.host() ?? "") login \(Self.user(of: url)) password API-PASSWORD
                    Or set a command that prints the API password: login.\(name) = \(Self.user(of: url)) COMMAND
                    """)
        case .unsafeLogins:
            Explanation("unsafe-logins", "~/.netrc is ignored because others can read it.", hint: privately)
        case .commandFailed(let name, let reason):
            Explanation("login-command-failed", "The command in login.\(name) failed: \(reason)")
        case .badLogin(let url):
            failed(
                "bad-login", at: url,
                "Use the API password: it is set in the server's settings, apart from the one for the website.")
        case .keyRejected(let url):
            failed(
                "key-rejected", at: url,
                "Its web server may remove the Authorization header; for Apache, see CGIPassAuth and FreshRSS's documentation."
            )
        case .proxyLogin(let url):
            failed("proxy-login", at: url, "Let that server pass requests below the API's address without a login.")
        case .apiDisabled(let url):
            failed("api-disabled", at: url, "In FreshRSS, allow API access in the settings, under Authentication.")
        case .notAnAPI(let url):
            failed(
                "not-an-api", at: url,
                "Use the address that the server names for the Google Reader API, as https://HOST/api/greader.php.")
        case .unusable(let url, _): failed("unreadable", at: url)
        case .refused(let url, let reason):
            Explanation("change-refused", "\(url.absoluteString) refused the change: \(reason)")
        case .otherAccount(let url, let name):
            failed(
                "other-account", at: url,
                """
                If you have changed the login by mistake, change it back. Another account beside it: blog follow USER@ADDRESS --as NAME
                To begin anew, which keeps saved posts: blog unfollow --forget \(ShellWords.quoted(name)); blog follow \(account: ShellWords.quoted(url.absoluteString)) --as \(ShellWords.quoted(name))
                """)
        case .redirected(let url):
            Explanation(
                "redirected", "\(url.absoluteString) redirects to another address, which isn't sent the login.",
                hint: "Follow the address that it redirects to.")
        case .insecure(let url):
            Explanation(
                "insecure", "\(url.absoluteString): \(cause)", exit: .usage,
                hint: "Use an https address, or allow it: --allow-http")
        case .unconfirmed(let url):
            failed(
                "unconfirmed", at: url,
                "If it is yours: blog follow \(account: ShellWords.quoted(url.absoluteString))")
        case .offline(let url):
            Explanation("offline", "\(url.absoluteString) has to be asked: leave out --offline.")
        case .unsupported(let name):
            Explanation("unsupported", "“\(name)” is of a sync server, which can't do that.", exit: .usage)
        case .unknownService(let name):
            Explanation(
                "unknown-service", "You don't follow a sync server named “\(name)”.", exit: .usage,
                hint: "To list the sources: blog sources")
        }
    }

    private static func user(of service: URL) -> String { service.user(percentEncoded: false) ?? "NAME" }

    /// The reason alone, for a message that names the server.
    package var cause: Message {
        switch self {
        case .badLogin: "the server rejected the user name or the API password"
        case .keyRejected: "the server accepts the login, but not the key that it gave for it"
        case .proxyLogin: "a server before it asks for a login of its own, which isn't supported"
        case .apiDisabled: "the API is switched off"
        case .notAnAPI: "not a server with the Google Reader API"
        case .unusable(_, let call): "the response to \(call) is incomplete or invalid"
        case .otherAccount: "not synced, because it has another account or other feeds than before"
        case .unconfirmed: "not synced, because you haven't typed its address here yet"
        case .insecure: "the password would be sent without encryption"
        case .noLogin, .unsafeLogins, .commandFailed, .refused, .redirected, .offline, .unsupported, .unknownService:
            sentence.asCause
        }
    }
}

extension RejectedRecord {
    /// "record 3: title is missing", "record 4 is null".
    package var text: String { "record \(index)\(field.isEmpty ? "" : ": \(field)") \(reason)" }
}

// MARK: The library

extension Mark {
    /// What became of some posts: "3 posts marked as read", "3 posts labelled “later”".
    package func sentence(of posts: String) -> Message {
        switch self {
        case .labelled(let label): "\(posts) labelled “\(label)”"
        case .unlabelled(let label): "“\(label)” removed from \(posts)"
        default: "\(posts) marked as \(text)"
        }
    }
}

extension PageError: ExplainedError {
    package func explanation(repeating options: RepeatedOptions) -> Explanation {
        switch self {
        case .notAPage(let url, let type):
            Explanation(
                "not-a-page", "\(url.absoluteString): \(cause)",
                hint: Self.isFeed(type) ? "To follow it: blog follow \(ShellWords.quoted(url.absoluteString))" : nil)
        case .noText(let url): Explanation("no-article", "\(url.absoluteString): \(cause)")
        case .tooComplicated(let url): Explanation("too-complicated", "\(url.absoluteString): \(cause)")
        case .noLink: Explanation("no-link", "The post doesn't link to a web page.")
        case .notStored(let url):
            Explanation("article-not-stored", "The article at \(url.absoluteString) isn't stored.", exit: .unavailable)
        }
    }

    /// The same without the address: "a PDF, not a web page".
    private var cause: Message {
        switch self {
        case .notAPage(_, let type): "\(Self.kind(type)), not a web page"
        case .tooComplicated: "the page is too complicated to find its article"
        case .noText: "no article found on the page (which may need JavaScript or a login)"
        case .noLink: "the post doesn't link to a web page"
        case .notStored: "not stored"
        }
    }

    /// The reason for a missing article, without the address of its page.
    package static func cause(of error: any Error) -> Message {
        (error as? PageError)?.cause ?? (error as? HTTPError)?.cause ?? Message(of: error)
    }

    /// What a media type stands for: "a PDF".
    private static func kind(_ type: String) -> String {
        switch type.prefix(while: { $0 != "/" }) {
        case "image": "a picture"
        case "video": "a video"
        case "audio": "an audio file"
        case "": "a file"
        default: type == "application/pdf" ? "a PDF" : PageError.isFeed(type) ? "a feed" : "a file (\(type))"
        }
    }
}

extension PictureError: ExplainedError {
    package func explanation(repeating options: RepeatedOptions) -> Explanation {
        switch self {
        case .badAddress(let text): Explanation("bad-address", "“\(text)” isn't a web address.")
        case .notStored(let url):
            Explanation("picture-not-stored", "The picture \(url.absoluteString) isn't stored.")
        case .notAPicture(let url, nil):
            Explanation("not-a-picture", "\(url.absoluteString) isn't a JPEG, PNG, GIF or WebP.")
        case .notAPicture(let url, let type?):
            Explanation("not-a-picture", "\(url.absoluteString) is \(type), not a JPEG, PNG, GIF or WebP.")
        }
    }
}

// MARK: Files

extension StoreError: ExplainedError {
    package func explanation(repeating options: RepeatedOptions) -> Explanation {
        let elsewhere: Message = "use another file with --store."
        return switch reason {
        case .notADatabase:
            Explanation(
                "not-a-database", "\(path) is damaged or isn't a blog store.",
                hint: "Use another file with --store. \(Self.recovery(ofFile: path))")
        case .damaged:
            Explanation("damaged", "The store \(path) is damaged.", hint: Self.recovery(options.store))
        case .notAStore:
            Explanation(
                "not-a-store", "\(path) isn't a blog store: it is another program's database.",
                hint: "It was left alone. Move it elsewhere, or \(elsewhere)")
        case .migrated:
            Explanation("migrated", "The store \(path) was changed by a newer version of blog: start again.")
        case .unreleased:
            Explanation(
                "unreleased", "\(path) was made by an earlier build, and this version of blog can't read it.",
                hint: """
                    Export it with a build of commit 464239a1 (blog store export\(options.store) > posts.jsonl), move it \
                    elsewhere, then run: blog store import\(options.store) posts.jsonl
                    """)
        case .folder: Explanation("folder", "\(path) is a directory.", hint: "Name a file in it with --store.")
        case .notAFile:
            Explanation("not-a-file", "\(path) isn't a regular file.", hint: "Use another file with --store.")
        case .sideFile(let other):
            Explanation(
                "side-file", "Could not open the store \(path): \(other) isn't a regular file",
                hint: "Move that file elsewhere, or use another store with --store.")
        case .unreadable(let reason):
            Explanation(
                "store-unreadable", "Could not read the store \(path): \(reason)",
                hint: "Change its permissions, or \(elsewhere)")
        case .newer(let found, let known):
            Explanation(
                "newer-store",
                """
                The store \(path) has schema version \(found), but this version of blog supports only schema versions up \
                to \(known).
                """, hint: "Upgrade blog, or use another store with --store.")
        case .busy:
            Explanation("busy", "The store \(path) is in use by another process. Try again in a moment.")
        case .notStored(.notWritable):
            Explanation(
                "not-writable", "Could not write to the store \(path)",
                hint: "Change its permissions, or \(elsewhere)")
        case .notStored(.diskFull):
            Explanation(
                "disk-full",
                "No space left on the disk for the store \(path). Everything already stored is still there.")
        case .temporaryFile(let reason):
            Explanation(
                "temporary-file", "Could not read a temporary file in \(path): \(reason).",
                hint: "Try again, or set TMPDIR to another directory.")
        case .failed(let reason): Explanation("store-failed", "Could not use the store \(path): \(reason)")
        }
    }

    /// How to recover what `blog` can't read in a damaged store.
    package static func recovery(ofFile path: String) -> Message {
        """
        To recover a damaged store into a new one:
        sqlite3 \(Message(ShellWords.quoted(path))) .recover | sqlite3 recovered.sqlite3
        """
    }

    /// What to do with a damaged store.
    ///
    /// - Parameter options: those that select it.
    package static func recovery(_ options: Message) -> Message {
        """
        To recover the readable posts:
        blog store export\(options) > posts.jsonl
        Then move the store elsewhere, and import the file: blog store import\(options) posts.jsonl
        """
    }
}

extension FileError: ExplainedError {
    package func explanation(repeating options: RepeatedOptions) -> Explanation {
        switch self {
        case .unreadable(let path, let reason):
            Explanation(
                "file-unreadable", "Could not read \(path == "-" ? "standard input" : path): \(reason)", exit: .usage)
        }
    }
}

extension OutputError: ExplainedError {
    package func explanation(repeating options: RepeatedOptions) -> Explanation {
        switch self {
        // As in `blog list | head -1`: nothing went wrong.
        case .closed:
            Explanation("output-closed", "Could not write the output: closed by its reader", exit: .success)
        case .failed(let reason): Explanation("output-failed", "Could not write the output: \(reason)")
        case .pagerFailed(let command, let status):
            Explanation(
                "pager-failed", "The pager “\(command)” failed (exit status \(status)).",
                hint: "To do without it: --no-pager")
        }
    }
}

// MARK: Requests

extension HTTPActivity {
    /// The message for `--verbose`; nil for none.
    package var detail: Message? {
        switch self {
        case .requesting(let url, let method): "\(method) \(url.absoluteString)"
        case .receiving: nil
        case .received(let url, let status, let bytes, let seconds):
            "\(status) from \(url.absoluteString): \(bytes) bytes in \(Int((seconds * 1000).rounded())) ms"
        case .retrying(_, let error, let seconds):
            "\(error.sentence); retrying in \(Int((seconds * 1000).rounded())) ms"
        case .waiting(let url, let seconds):
            "waiting \(DecimalText.text(seconds, digits: 1)) s: rate limited by \(url.host ?? "")"
        case .ended: nil
        }
    }
}
