import Foundation

/// A server's misbehavior, injected for a path.
public enum Fault: Sendable, Equatable {
    /// Responds with a status and an optional `Retry-After` in seconds.
    case status(Int, retryAfter: Int? = nil)
    /// Responds normally after this many milliseconds.
    case delay(Int)
    /// Responds normally once the fault is removed.
    case hold
    /// Closes the connection without a response.
    case refuse
    /// A server of a service gives half of a list, or does half of a change and closes the connection.
    case half
    /// Closes the connection in the middle of the response's head.
    case cutHead
    /// Resets the connection in the middle of the body.
    case reset
    /// Stops sending in the middle of the body.
    case stall
    /// Sends half of the body, with a matching length.
    case truncate
    /// Announces more bytes than it sends.
    case wrongLength
    /// Sends an endless body.
    case endless
    /// Redirects to the same path.
    case redirectLoop
    /// Redirects to another address.
    case redirect(String)
    /// Responds with a web page.
    case html
    /// Responds with the JSON `null`, like some APIs for unknown IDs.
    case null
    /// Sends an endless body one byte at a time.
    case drip(milliseconds: Int)
    /// Sends these bytes instead of a response and closes the connection.
    case raw(Data)
    /// Responds with these bytes and headers instead of the site's.
    case body(Data, headers: [String: String] = [:])

    /// Parses a fault from the command line, such as `status:503` or `reset`; nil if it is invalid.
    public init?(_ text: String) {
        if let fault = Self.named[text] {
            self = fault
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        switch (parts[0], Int(parts[1])) {
        case ("status", let code?) where (100...999).contains(code): self = .status(code)
        case ("delay", let milliseconds?) where milliseconds >= 0: self = .delay(milliseconds)
        case ("drip", let milliseconds?) where milliseconds > 0: self = .drip(milliseconds: milliseconds)
        case ("redirect", _): self = .redirect(parts[1])
        default: return nil
        }
    }

    private static let named: [String: Fault] = [
        "refuse": .refuse, "half": .half, "cut-head": .cutHead, "reset": .reset, "stall": .stall, "truncate": .truncate,
        "wrong-length": .wrongLength, "endless": .endless, "redirect-loop": .redirectLoop,
        "redirect-file": .redirect("file:///etc/passwd"), "html": .html, "null": .null,
    ]

    /// The forms that ``init(_:)`` accepts.
    public static let names = (["status:CODE", "delay:MS", "drip:MS", "redirect:URL"] + named.keys.sorted())
        .joined(separator: " ")

    /// The response with the fault applied; faults of the connection don't change it.
    func applied(to response: MockResponse, path: String) -> MockResponse {
        var response = response
        switch self {
        case .status(let code, let retryAfter):
            response = .error(code, "injected fault")
            response.headers["Retry-After"] = retryAfter.map(String.init)
        case .delay(let milliseconds): response.delay += milliseconds
        case .truncate:
            response.removeValidators()
            if case .bytes(let data) = response.body { response.body = .bytes(data.prefix(data.count / 2)) }
        case .redirectLoop: response = MockResponse(status: 302, headers: ["Location": path])
        case .redirect(let target): response = MockResponse(status: 302, headers: ["Location": target])
        case .html:
            response = MockResponse(
                headers: ["Content-Type": "text/html"], body: .bytes(Data("<!DOCTYPE html><p>Sign in here\n".utf8)))
        case .null: response = .json("null")
        case .body(let data, let headers):
            response = MockResponse(headers: headers, body: .bytes(data))
        // What happens while a body is sent, so it must be sent.
        case .reset, .stall, .wrongLength, .endless, .drip: response.removeValidators()
        case .hold, .refuse, .half, .cutHead, .raw: break
        }
        return response
    }
}
