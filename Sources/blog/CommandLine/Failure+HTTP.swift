import Foundation
import HTTP
import Terminal

extension Failure {
    /// What went wrong between us and a server: "https://swift.org/feed: connection refused".
    static func text(_ error: HTTPError) -> Message {
        guard let url = address(error) else { return cause(error) }
        // An address for messages, without user name and password.
        return "\(url.withoutLogin.absoluteString): \(cause(error))"
    }

    /// The same without the address: "connection refused".
    static func cause(_ error: HTTPError) -> Message {
        switch error {
        case .unreachable(_, let reason): "\(text(reason))"
        case .timedOut(_, let seconds): "timed out after \(seconds.formatted()) s"
        case .stalled(_, let seconds): "timed out: no data for \(seconds.formatted()) s"
        case .tooSlow: "gave up because the response is too slow"
        case .interrupted: "connection closed before the response was complete"
        case .insecure(_, let reason): "\(text(reason))"
        case .notHTTP: "not an HTTP server"
        case .malformed(_, let problem): "\(text(problem))"
        case .status(_, let code, let retryAfter):
            "HTTP \(code)\(phrase(code))\(retryAfter.map { " (retry after \($0.formatted()) s)" } ?? "")"
        case .unauthorized(let url, let reason): text(reason, url.host ?? "")
        case .rateLimited(_, let until): "rate limited by the server until \(CopyDate.text(until))"
        case .tooLarge(_, let limit): "the response is larger than \(limit >> 20) MiB"
        case .badRedirect(_, let location): "unsafe redirect to “\(String(location.prefix(200)))”"
        case .privateAddress: "not requested, because the address is in a private network"
        case .tooManyRedirects: "too many redirects"
        case .noTransport: "Could not load libcurl.so.4. Install libcurl (Debian: libcurl4)."
        }
    }

    private static func address(_ error: HTTPError) -> URL? {
        switch error {
        case .unreachable(let url, _), .timedOut(let url, _), .stalled(let url, _), .tooSlow(let url),
            .interrupted(let url), .insecure(let url, _), .notHTTP(let url), .malformed(let url, _),
            .status(let url, _, _), .unauthorized(let url, _), .rateLimited(let url, _), .tooLarge(let url, _),
            .badRedirect(let url, _), .privateAddress(let url), .tooManyRedirects(let url):
            url
        case .noTransport: nil
        }
    }

    private static func text(_ reason: HTTPError.Unauthorized, _ host: String) -> Message {
        switch reason {
        case .missing:
            "HTTP 401: login required, and ~/.netrc has none for this host\nAdd a line: machine \(host) login NAME password PASSWORD"
        case .unsafeFile:
            "HTTP 401: login required, but ~/.netrc is ignored because others can read it\nMake it private: chmod 600 ~/.netrc"
        case .refused: "HTTP 401: the server rejected the login for \(host) in ~/.netrc"
        case .redirected(let other):
            "HTTP 401: redirected to \(other), where the login for \(host) isn't sent\nUse the address there, with its own line in ~/.netrc."
        case .withheld: "HTTP 401: login required, but logins aren't sent to addresses found in pages or posts"
        }
    }

    private static func text(_ reason: HTTPError.Unreachable) -> String {
        switch reason {
        case .refused: "connection refused"
        case .unknownHost: "could not resolve host"
        case .proxy: "connection refused by the server or by the proxy in the environment"
        case .badAddress: "unsupported address"
        case .noNetwork: "network is unreachable"
        case .timedOut: "connection timed out"
        }
    }

    private static func text(_ reason: HTTPError.Insecure) -> String {
        switch reason {
        case .expired: "certificate has expired"
        case .notYetValid: "certificate is not valid yet (is this machine's clock right?)"
        case .selfSigned: "self-signed certificate"
        case .wrongHost: "certificate is for another host"
        case .unknownAuthority: "certificate signed by an unknown authority"
        case .handshake: "TLS handshake failed (does the server speak https?)"
        case .badAuthorities: "could not read the certificates in SSL_CERT_FILE or SSL_CERT_DIR"
        }
    }

    private static func text(_ problem: HTTPError.Malformed) -> String {
        switch problem {
        case .encoding: "unknown or broken content encoding"
        case .framing: "invalid content length or chunks"
        case .headers: "too many or too long response headers"
        }
    }

    /// The reason phrase of a status code, with a space in front; "" for a rare one.
    private static func phrase(_ code: Int) -> String {
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
