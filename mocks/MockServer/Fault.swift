import Foundation

/// Something a server does wrong, switched on for a route.
public enum Fault: Sendable, Equatable {
    /// Responds with a status and an optional `Retry-After` in seconds.
    case status(Int, retryAfter: Int? = nil)
    /// Responds as usual after this many milliseconds.
    case delay(Int)
    /// Responds as usual once the fault is switched off.
    case hold
    /// Closes the connection without a response.
    case refuse
    /// Closes the connection inside the head of the response.
    case cutHead
    /// Resets the connection in the middle of the body.
    case reset
    /// Falls silent in the middle of the body.
    case stall
    /// Ends the JSON in the middle; the length is that of what is sent.
    case truncate
    /// Promises more bytes than it sends.
    case wrongLength
    /// Sends a body without end.
    case endless
    /// Sends the request on to the same path.
    case redirectLoop
    /// Sends the request on to another address.
    case redirect(String)
    /// Responds with a web page.
    case html
    /// Responds with the JSON `null`, as some APIs do for unknown ids.
    case null
    /// Sends a byte of the body now and then, without end.
    case drip(milliseconds: Int)
    /// Sends these bytes instead of a response, whatever they are, and closes the connection.
    case raw(Data)
    /// Responds with these bytes and headers instead of the site's.
    case body(Data, headers: [String: String] = [:])

    /// A fault as it is written on the command line: `status:503`, `delay:2000`, `redirect:file:///etc/passwd`,
    /// `reset` and so on; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        let value = parts.count == 2 ? parts[1] : nil
        switch (parts.first, value) {
        case ("status", let code?):
            guard let status = Int(code), (100...999).contains(status) else { return nil }
            self = .status(status)
        case ("delay", let milliseconds?):
            guard let delay = Int(milliseconds), delay >= 0 else { return nil }
            self = .delay(delay)
        case ("redirect", let target?): self = .redirect(target)
        case ("refuse", nil): self = .refuse
        case ("cut-head", nil): self = .cutHead
        case ("reset", nil): self = .reset
        case ("stall", nil): self = .stall
        case ("drip", let milliseconds?):
            guard let interval = Int(milliseconds), interval > 0 else { return nil }
            self = .drip(milliseconds: interval)
        case ("truncate", nil): self = .truncate
        case ("wrong-length", nil): self = .wrongLength
        case ("endless", nil): self = .endless
        case ("redirect-loop", nil): self = .redirectLoop
        case ("redirect-file", nil): self = .redirect("file:///etc/passwd")
        case ("html", nil): self = .html
        case ("null", nil): self = .null
        default: return nil
        }
    }

    /// The names that ``init(_:)`` takes.
    public static let names = """
        status:CODE delay:MS refuse cut-head reset stall truncate wrong-length endless redirect-loop redirect-file drip:MS \
        redirect:URL html null
        """

    /// The response with the fault applied, if the fault is one of content.
    func applied(to response: MockResponse, path: String) -> MockResponse {
        var response = response
        switch self {
        case .status(let code, let retryAfter):
            response = .error(code, "injected fault")
            response.headers["Retry-After"] = retryAfter.map(String.init)
        case .delay(let milliseconds): response.delay += milliseconds
        case .truncate:
            if case .bytes(let data) = response.body { response.body = .bytes(data.prefix(data.count / 2)) }
        case .redirectLoop: response = MockResponse(status: 302, headers: ["Location": path])
        case .redirect(let target): response = MockResponse(status: 302, headers: ["Location": target])
        case .html:
            response = MockResponse(
                headers: ["Content-Type": "text/html"], body: .bytes(Data("<!DOCTYPE html><p>Sign in here\n".utf8)))
        case .null: response = .json(Data("null".utf8))
        case .body(let data, let headers):
            response = MockResponse(headers: headers, body: .bytes(data))
        case .hold, .refuse, .cutHead, .reset, .stall, .wrongLength, .endless, .drip, .raw: break
        }
        return response
    }
}
