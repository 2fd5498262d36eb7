import Essentials
import Model

/// Logins by host, from `~/.netrc` (https://everything.curl.dev/usingcurl/netrc.html).
///
/// Only `machine` entries are used: `default` would be sent to every server that is ever followed.
///
/// They are never printed: neither ``HTTPError`` nor ``HTTPActivity`` holds the headers of a request.
package struct Netrc: Sendable, CustomStringConvertible, CustomReflectable {
    /// The credentials for a server.
    package struct Login: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        package let name: String
        package let password: String

        /// The header `Authorization` (RFC 7617, https://www.rfc-editor.org/rfc/rfc7617); nil for a name with a colon,
        /// which it can't represent.
        var basic: String? {
            name.contains(":") ? nil : "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()
        }

        /// Without the password.
        package var description: String { "a login" }
        package var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// One `machine`, or the `default` without a host, which is never sent.
    private struct Machine {
        let host: String?
        var name: String?
        var password: String?
    }

    private let machines: [Machine]
    /// Whether the file was ignored because others may read or change it.
    private(set) var isUnsafe = false

    /// Whether it has no entries.
    var isEmpty: Bool { machines.isEmpty }

    /// Without entries.
    package static let empty = Netrc(text: "")

    /// The file at a path, usually `~/.netrc`; empty if it is missing, unreadable, readable or writable for others, or
    /// longer than curl accepts.
    package init(path: String) {
        let file = FileFacts(path: Self.resolved(path))
        let isPrivate = file.map { $0.permissions & 0o077 == 0 } == true
        guard let file, isPrivate, file.isRegular, file.size <= Self.maxBytes,
            let data = FileManager.default.contents(atPath: path)
        else {
            self = .empty
            isUnsafe = file?.isRegular == true && !isPrivate
            return
        }
        self.init(text: String(decoding: data, as: UTF8.self))
    }

    /// The contents of such a file; empty if a quote is unfinished.
    package init(text: String) {
        guard let tokens = NetrcToken.tokens(text) else {
            machines = []
            return
        }
        machines = Self.machines(tokens)
    }

    /// The credentials for a host, from its first entry; nil if it has none.
    package func login(for host: String) -> Login? {
        let host = host.lowercased()
        guard let machine = machines.first(where: { $0.host == host }),
            machine.name != nil || machine.password != nil
        else { return nil }
        return Login(name: machine.name ?? "", password: machine.password ?? "")
    }

    /// Without the passwords.
    package var description: String { "\(machines.count) logins" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    private static func machines(_ tokens: [NetrcToken]) -> [Machine] {
        var machines: [Machine] = []
        var rest = tokens[...]
        while let token = rest.popFirst() {
            switch token.keyword {
            case "machine":
                if let host = rest.popFirst() { machines.append(Machine(host: host.text.lowercased())) }
            case "default": machines.append(Machine(host: nil))
            case "login":
                if let name = rest.popFirst(), !machines.isEmpty { machines[machines.count - 1].name = name.text }
            case "password":
                if let word = rest.popFirst(), !machines.isEmpty { machines[machines.count - 1].password = word.text }
            case "account": _ = rest.popFirst()
            default: break
            }
        }
        return machines
    }

    private static func resolved(_ path: String) -> String {
        URL(filePath: path).resolvingSymlinksInPath().path
    }

    /// The size of the longest file that curl reads.
    private static let maxBytes = 128 << 10
}

/// A word of a `.netrc` file, perhaps in quotes.
struct NetrcToken {
    let text: String
    private let isQuoted: Bool

    /// The word in lower case; "" if it is quoted, and so never a keyword.
    var keyword: String { isQuoted ? "" : text.lowercased() }

    /// The words of a file without its comments and macros; nil if a quote is unfinished.
    static func tokens(_ file: String) -> [NetrcToken]? {
        var tokens: [NetrcToken] = []
        var isInMacro = false
        for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = line.drop(while: \.isWhitespace)
            // A macro ends at an empty line.
            if isInMacro {
                isInMacro = !rest.isEmpty
                continue
            }
            guard rest.first != "#" else { continue }
            while !rest.isEmpty {
                guard let token = next(&rest) else { return nil }
                if token.keyword == "macdef" {
                    isInMacro = true
                    break
                }
                tokens.append(token)
                rest = rest.drop(while: \.isWhitespace)
            }
        }
        return tokens
    }

    private static func next(_ rest: inout Substring) -> NetrcToken? {
        guard rest.first == "\"" else {
            let word = rest.prefix { !$0.isWhitespace }
            rest = rest[word.endIndex...]
            return NetrcToken(text: String(word), isQuoted: false)
        }
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return NetrcToken(text: text, isQuoted: true)
            case "\\":
                guard let escaped = rest.popFirst() else { return nil }
                text.append(escapes[escaped] ?? escaped)
            default: text.append(character)
            }
        }
        return nil
    }

    private static let escapes: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t"]
}
