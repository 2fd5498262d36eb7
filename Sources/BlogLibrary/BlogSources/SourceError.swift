import Foundation
import HTTP
import Model

/// An error of a fetch: an ``HTTPError`` if there was no response, a ``SourceError`` if the response can't be used.
public protocol FetchError: Error {}

extension HTTPError: FetchError {}

/// Why a complete response could not be used.
public enum SourceError: FetchError, Hashable {
    /// The body is not what the address should give; `problem` ends the sentence "the response of URL …".
    case unreadable(URL, problem: String)
    /// The list has records, but none that can be read.
    case nothingUsable(URL, [RejectedRecord])
    /// The source has no post of this id.
    case noSuchPost(id: String, URL)
    /// The server has the post's metadata but no body for it.
    case noBody(id: String, URL)
    /// The server refuses a request; `hadKey` is whether a person's key was sent with it.
    case refused(URL, hadKey: Bool)

    /// The body of a response is not JSON, or is truncated.
    static func malformed(_ url: URL) -> SourceError { .unreadable(url, problem: malformedProblem) }

    /// What is wrong with text that should be JSON, as the end of a sentence about it.
    static let malformedProblem = "is not valid JSON"
}
