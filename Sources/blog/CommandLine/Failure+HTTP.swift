import Foundation
import HTTP
import Terminal

extension Failure {
    /// What went wrong between us and a server.
    static func text(_ error: HTTPError) -> Message {
        switch error {
        case .unreachable(let url, let reason): "\(name(url)) could not be reached: \(text(reason))."
        case .timedOut(let url, let seconds): "\(name(url)) sent no response for \(seconds.formatted()) s."
        case .stalled(let url, let seconds):
            "\(name(url)) stopped in the middle of its response for \(seconds.formatted()) s."
        case .tooSlow(let url): "\(name(url)) sends its response too slowly to wait for: given up."
        case .interrupted(let url): "\(name(url)) broke off before its response was complete."
        case .insecure(let url, .handshake):
            "No encrypted connection to \(name(url)) could be established. Does it speak https?"
        case .insecure(let url, let reason): "\(name(url)) was not trusted: \(text(reason))."
        case .notHTTP(let url): "\(name(url)) doesn't speak HTTP."
        case .malformed(let url, let problem): "The response of \(name(url)) can't be read: \(text(problem))."
        case .status(let url, let code, let retryAfter):
            "\(name(url)) responded with \(code) (\(reason(code))).\(retryAfter.map { " Retry after \($0.formatted()) s." } ?? "")"
        case .unauthorized(let url, let reason): "\(name(url)) responded with 401: \(text(reason, url.host ?? ""))"
        case .rateLimited(let url, let until):
            "\(name(url)) was not requested: its server is rate limiting until \(CopyDate.text(until))."
        case .tooLarge(let url, let limit): "The response of \(name(url)) is longer than \(limit >> 20) MiB: given up."
        case .badRedirect(let url, let location):
            "\(name(url)) redirects to “\(String(location.prefix(200)))”, which is not safe to follow."
        case .privateAddress(let url): "\(name(url)) was not requested: it is an address of a private network."
        case .tooManyRedirects(let url): "\(name(url)) redirects in circles."
        case .noTransport: "The library libcurl.so.4 can't be loaded: install libcurl (Debian: libcurl4)."
        }
    }

    /// An address for messages, without user name and password.
    private static func name(_ url: URL) -> String { url.withoutLogin.absoluteString }

    private static func text(_ reason: HTTPError.Unauthorized, _ host: String) -> Message {
        switch reason {
        case .missing:
            "it needs a login, and ~/.netrc has none for this host.\nAdd a line: machine \(host) login NAME password PASSWORD"
        case .unsafeFile:
            "it needs a login, and ~/.netrc is ignored because others can read it.\nMake it yours alone with: chmod 600 ~/.netrc"
        case .refused: "it rejected the login for \(host) in ~/.netrc."
        case .redirected(let other):
            "it redirects to \(other), where the login for \(host) isn't sent.\nUse the address there, with a line of its own in ~/.netrc."
        case .withheld: "it needs a login, which isn't sent to addresses that a page or a post names."
        }
    }

    private static func text(_ reason: HTTPError.Unreachable) -> String {
        switch reason {
        case .refused: "nothing listens there"
        case .unknownHost: "its host has no address"
        case .proxy: "nothing listens there, or at the proxy that the environment names"
        case .badAddress: "there is no way to an address of this form"
        case .noNetwork: "there is no network"
        case .timedOut: "no connection was established in time"
        }
    }

    private static func text(_ reason: HTTPError.Insecure) -> String {
        switch reason {
        case .expired: "its certificate has expired"
        case .notYetValid: "its certificate is not valid yet, unless this machine's clock is wrong"
        case .selfSigned: "it signed its certificate itself"
        case .wrongHost: "its certificate is for another host"
        case .unknownAuthority: "its certificate is signed by an unknown authority"
        case .handshake: "no encrypted connection could be established"
        case .badAuthorities: "the certificates in SSL_CERT_FILE or SSL_CERT_DIR can't be read"
        }
    }

    private static func text(_ problem: HTTPError.Malformed) -> String {
        switch problem {
        case .encoding: "its compression is unknown or broken"
        case .framing: "its length or its chunks are wrong"
        case .headers: "its headers are too many or too long"
        }
    }

    private static func reason(_ code: Int) -> String {
        switch code {
        case 403: "forbidden"
        case 404: "not found"
        case 410: "gone"
        case 429: "too many requests"
        case 500...599: "the server failed"
        default: "nothing usable"
        }
    }
}
