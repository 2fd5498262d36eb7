import Foundation

/// Why a question could not be answered at all.
///
/// The sentence for a person is made elsewhere.
public enum ReaderError: Error, Sendable {
    /// No source has this name; `known` are those that do.
    case unknownSource(String, known: [String])
    /// The text is no http or https address.
    case badAddress(String)
    /// The source can't be reached and nothing of it is stored.
    case unreachable(HTTPError)
    /// The network may not be used and nothing of the source is stored.
    case nothingStored(URL)
    /// The network may not be used and this post is not stored.
    case postNotStored(id: String, URL)
}
