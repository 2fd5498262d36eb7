import Feeds
import Foundation
import Model

/// A line of a list of addresses, as newsboat keeps one in its file `urls`:
/// https://newsboat.org/releases/2.36/docs/newsboat.html#_first_steps.
///
/// The words of a line are an address and tags. A word may be quoted, and a word that begins with `#` begins a comment.
package enum SubscriptionLine: Hashable, Sendable {
    /// No word, or only a comment.
    case blank
    case source(Subscription)
    /// A feature of newsboat instead of an address that can be followed: `query`, `filter`, `exec` or `file`.
    case special(String)
    /// Anything else.
    case other

    /// Reads a line.
    ///
    /// Other words may follow an address only if it has a scheme: `example.com` may also begin a sentence.
    package init(_ line: String) {
        let words = Self.words(line)
        guard let first = words.first?.text else {
            self = .blank
            return
        }
        let special = Self.specials.first { first.hasPrefix("\($0):") }
        let tags = words.dropFirst()
        let isSentence =
            first.firstRange(of: "://") == nil && tags.contains { !$0.isQuoted && !"~!".contains($0.text.prefix(1)) }
        if let special {
            self = .special(special)
        } else if Self.isAddress(first), !isSentence {
            self = .source(Self.subscription(first, tags: tags.map(\.text)))
        } else {
            self = .other
        }
    }

    private static let specials = ["query", "filter", "exec", "file"]

    /// The first tag is the folder.
    ///
    /// `~` begins a title, and `!` hides a feed from newsboat's list, which we don't do.
    private static func subscription(_ address: String, tags: [String]) -> Subscription {
        let title = tags.first { $0.hasPrefix("~") }.flatMap { FeedText.line($0.dropFirst().utf8) }
        let others = tags.filter { !$0.isEmpty && !$0.hasPrefix("~") }
        let place = others.firstIndex { !$0.hasPrefix("!") }
        let ignored = others.indices.filter { $0 != place }.map { others[$0] }
        return Subscription(
            address: address, title: title, folder: place.map { FolderPath([others[$0]]).text }, ignoredTags: ignored)
    }

    /// Whether a word can be followed, as far as can be told without a request; an address with a login in it is
    /// refused later, with the reason.
    private static func isAddress(_ word: String) -> Bool {
        if SourceAddress.completed(word) != nil || SourceRegistry.kind(named: word)?.source(at: nil) != nil {
            return true
        }
        guard SourceAddress.hasLogin(word), let at = word.lastIndex(of: "@") else { return false }
        return SourceAddress.completed(String(word[word.index(after: at)...])) != nil
    }

    private struct Word {
        var text = ""
        var isQuoted = false
    }

    private static func words(_ line: String) -> [Word] {
        var words: [Word] = []
        var scalars = line.unicodeScalars[...]
        while let next = scalars.first {
            if next == " " || next == "\t" {
                scalars.removeFirst()
            } else if next == "#" {
                break
            } else if next == "\"" {
                scalars.removeFirst()
                words.append(Word(text: quoted(&scalars), isQuoted: true))
            } else {
                let word = scalars.prefix { $0 != " " && $0 != "\t" }
                scalars = scalars[word.endIndex...]
                words.append(Word(text: String(word)))
            }
        }
        return words
    }

    /// The rest of a quoted word, up to its quote or the end of the line.
    private static func quoted(_ scalars: inout Substring.UnicodeScalarView) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = scalars.popFirst(), scalar != "\"" {
            guard scalar == "\\" else {
                text.append(scalar)
                continue
            }
            switch scalars.popFirst() {
            case "n", "r", "t", "v": text.append(" ")
            case let escaped? where ["\"", "\\", "`"].contains(escaped): text.append(escaped)
            case let other?: text.append(contentsOf: ["\\", other])
            case nil: text.append("\\")
            }
        }
        return String(text)
    }
}
