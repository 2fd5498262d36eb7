import Foundation
import HTTP
import Model

/// Why an operation failed; its `localizedDescription` is a sentence for people.
public enum LibraryError: Error, Sendable {
    /// Nothing that is followed, and no kind of source, has this name; `known` are those that do, and `titles` what they
    /// are called besides.
    case unknownSource(String, known: [String], titles: [String] = [])
    /// Several sources, which have these names, have a name or a title that begins so.
    case severalSources(String, names: [String])
    /// Nothing that is followed has this name; `known` are those that do.
    case notFollowed(String, known: [String])
    /// No source that is followed is in this folder.
    case emptyFolder(String)
    /// The source is of an unknown kind, perhaps of another version of the library.
    case unknownKind(SourceID)
    /// The text is no http or https address.
    case badAddress(String)
    /// The text can't be the name of a source; `reason` ends the sentence "the name …".
    case badName(String, reason: String)
    /// The address can be requested, but is nothing that can be followed; `found` ends the sentence "that is …".
    case notASource(URL, found: String)
    /// The source can't be reached and nothing of it is stored.
    case unreachable(HTTPError)
    /// Requests are off and nothing of the source is stored.
    case nothingStored(URL)
    /// Requests are off and the source's list is not stored, only single posts.
    case listNotStored(URL)
    /// Requests are off and this post is not stored.
    case postNotStored(id: String, URL)
    /// Requests are off, and only the metadata of this post is stored.
    case bodyNotStored(id: String, URL)
    /// The source can't be reached, and only the metadata of this post is stored.
    case bodyUnreachable(id: String, HTTPError)
    /// Several sources have a post of this id; `candidates` tell them apart.
    case ambiguous(String, candidates: [String])
    /// The id names a source, but none of its posts.
    case missingID(String)
    /// A filter of a search has no such value; `expected` are those it has.
    case badFilter(String, value: String, expected: String)
    /// The word looks like one that refers to posts, as `latest:3` does, but isn't.
    case badReference(String)
    /// The post is one of the source that is read while nothing is followed, and something is followed now.
    case formerDefault(String, SourceID)
    /// None of several sources has a post of this id; `known` are the names that ids begin with.
    case noSuchPost(String, known: [String] = [])
}
