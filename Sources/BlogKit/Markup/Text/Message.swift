/// A message to the user on stderr.
///
/// Only its literals can contain line breaks. Interpolated text is sanitised to a single line, so that no ID, path or
/// server can forge a message. User names and passwords are removed from addresses.
package struct Message: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The text: a sentence, and perhaps a hint on the lines below it.
    package let text: String

    package init(stringLiteral text: String) {
        self.text = text
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    private init(text: String) {
        self.text = text
    }

    /// Text from outside as a single line.
    package init(_ text: String) {
        self.text = Sanitizer.line(text).withoutLogins
    }

    /// Several messages as lines.
    package init(lines: [Message]) {
        text = lines.map(\.text).joined(separator: "\n")
    }

    /// The first line: what happened.
    package var sentence: Message { Message(text: String(text.prefix { $0 != "\n" })) }

    /// The other lines: what to do about it; nil if there are none.
    package var hint: Message? {
        text.firstIndex(of: "\n").map { Message(text: String(text[text.index(after: $0)...])) }
    }

    /// The message after a colon: "The response is empty." as "the response is empty.", but "HTTP 404" as it is.
    package var asCause: Message {
        let isWord = text.dropFirst().first?.isLowercase == true
        return isWord ? Message(text: text.prefix(1).lowercased() + text.dropFirst()) : self
    }

    /// This message without the full stop at its end, for a remark that follows.
    package var withoutFullStop: Message { text.last == "." ? Message(text: String(text.dropLast())) : self }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ outside: String) { text += Sanitizer.line(outside).withoutLogins }

        /// The address of an account, with its user, which the person who reads it has typed.
        package mutating func appendInterpolation(account address: String) { text += Sanitizer.line(address) }

        package mutating func appendInterpolation(_ number: Int) { text += String(number) }

        package mutating func appendInterpolation(_ number: Int64) { text += String(number) }

        package mutating func appendInterpolation(_ message: Message) { text += message.text }
    }
}

extension String {
    /// The text with user names and passwords removed from its URLs.
    fileprivate var withoutLogins: String {
        guard utf8.contains(UInt8(ascii: "@")) else { return self }
        var (text, rest) = ("", self[...])
        while let slashes = rest.firstRange(of: "://") {
            text += rest[..<slashes.upperBound]
            rest = rest[slashes.upperBound...]
            let server = rest.prefix { !$0.isWhitespace && !"/?#\"“”<>".contains($0) }
            if let at = server.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        }
        return text + rest
    }
}
