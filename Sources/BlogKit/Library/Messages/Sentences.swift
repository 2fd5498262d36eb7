import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogStore

// Public errors describe themselves in one sentence, with everything from outside sanitised. Hints on what to do depend
// on the program, so they aren't part of it.

extension Message {
    /// The sentence of an error; an unexpected one isn't described.
    package init(of error: any Error) {
        self = (error as? any DescribedError)?.sentence ?? "An unexpected error occurred."
    }
}

extension RefreshProblem {
    /// Why a refresh failed, on one line and without the address of the request; nil for an unexpected error.
    static func reason(of error: any Error) -> String? {
        guard error is any DescribedError else { return nil }
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
        default: Message(of: error).asCause
        }
    }
}

/// An error that describes itself.
protocol DescribedError: LocalizedError {
    var sentence: Message { get }
}

extension DescribedError {
    /// The description in one sentence.
    public var errorDescription: String? { sentence.text }
}

// MARK: The network

extension HTTPError: DescribedError {
    /// "https://swift.org/feed: connection refused", without user name and password.
    package var sentence: Message { url.map { "\($0.withoutLogin.absoluteString): \(cause)" } ?? cause }

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

extension SourceError: DescribedError {
    package var sentence: Message {
        switch self {
        case .unreadable(let url, let problem): "The response from \(url.absoluteString) \(problem)."
        case .nothingUsable(let url, let rejected):
            "No readable posts in the list at \(url.absoluteString): \(rejected.first?.text ?? "")"
        case .movedElsewhere(let url, let address):
            "\(url.absoluteString) moved to another host, which has none of the stored posts: \(address.absoluteString)"
        case .noSuchPost(let id, let url): "No post “\(id)” at \(url.absoluteString)."
        case .noBody(let id, let url): "The post “\(id)” has no body at \(url.absoluteString)."
        // A list is refused because of the key, but a photo also because it isn't public any more.
        case .refused(let url, let hadKey) where url.lastPathComponent == "photos":
            "\(url.absoluteString) \(hadKey ? "rejected" : "requires") \(hadKey ? "the" : "an") API key."
        case .refused(let url, _): "\(url.absoluteString): access denied"
        }
    }
}

extension ServiceError: DescribedError {
    package var sentence: Message {
        switch self {
        case .noLogin(let url, let name): "No login for “\(name)” (\(url.absoluteString))"
        case .unsafeLogins: "~/.netrc is ignored because others can read it."
        case .commandFailed(let name, let reason): "The command in login.\(name) failed: \(reason)"
        case .refused(let url, let reason): "\(url.absoluteString) refused the change: \(reason)"
        case .redirected(let url): "\(url.absoluteString) redirects to another address, which isn't sent the login."
        case .offline(let url): "\(url.absoluteString) has to be asked: leave out --offline."
        case .unsupported(let name): "“\(name)” is of a sync server, which can't do that."
        case .unknownService(let name): "You don't follow a sync server named “\(name)”."
        case .badLogin(let url), .keyRejected(let url), .proxyLogin(let url), .apiDisabled(let url), .notAnAPI(let url),
            .unusable(let url, _),
            .otherAccount(let url, _), .unconfirmed(let url), .insecure(let url):
            "\(url.absoluteString): \(cause)"
        }
    }

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

extension PageError: DescribedError {
    package var sentence: Message {
        switch self {
        case .notAPage(let url, _), .noText(let url), .tooComplicated(let url): "\(url.absoluteString): \(cause)"
        case .noLink: "The post doesn't link to a web page."
        case .notStored(let url): "The article at \(url.absoluteString) isn't stored."
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

extension PictureError: DescribedError {
    package var sentence: Message {
        switch self {
        case .badAddress(let text): "“\(text)” isn't a web address."
        case .notStored(let url): "The picture \(url.absoluteString) isn't stored."
        case .notAPicture(let url, nil): "\(url.absoluteString) isn't a JPEG, PNG, GIF or WebP."
        case .notAPicture(let url, let type?): "\(url.absoluteString) is \(type), not a JPEG, PNG, GIF or WebP."
        }
    }
}

// MARK: Files

extension StoreError: DescribedError {
    package var sentence: Message {
        switch reason {
        case .notADatabase: "\(path) is damaged or isn't a blog store."
        case .damaged: "The store \(path) is damaged."
        case .notAStore: "\(path) isn't a blog store: it is another program's database."
        case .migrated: "The store \(path) was changed by a newer version of blog: start again."
        case .unreleased: "\(path) was made by an earlier build, and this version of blog can't read it."
        case .folder: "\(path) is a directory."
        case .notAFile: "\(path) isn't a regular file."
        case .sideFile(let other): "Could not open the store \(path): \(other) isn't a regular file"
        case .unreadable(let reason): "Could not read the store \(path): \(reason)"
        case .newer(let found, let known):
            """
            The store \(path) has schema version \(found), but this version of blog supports only schema versions up \
            to \(known).
            """
        case .busy: "The store \(path) is in use by another process. Try again in a moment."
        case .notStored(.notWritable): "Could not write to the store \(path)"
        case .notStored(.diskFull):
            "No space left on the disk for the store \(path). Everything already stored is still there."
        case .temporaryFile(let reason): "Could not read a temporary file in \(path): \(reason)."
        case .failed(let reason): "Could not use the store \(path): \(reason)"
        }
    }
}

extension FileError: DescribedError {
    package var sentence: Message {
        switch self {
        case .unreadable(let path, let reason):
            "Could not read \(path == "-" ? "standard input" : path): \(reason)"
        }
    }
}

extension OutputError: DescribedError {
    package var sentence: Message {
        switch self {
        case .closed: "Could not write the output: closed by its reader"
        case .failed(let reason): "Could not write the output: \(reason)"
        case .pagerFailed(let command, let status):
            "The pager “\(command)” failed (exit status \(status)).\nTo do without it: --no-pager"
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
