import BlogEssentials

/// Logins by host, from `~/.netrc` (https://everything.curl.dev/usingcurl/netrc.html).
///
/// Only `machine` entries are used: `default` would be sent to every followed server.
///
/// Logins are never printed: neither ``HTTPError`` nor ``HTTPActivity`` contains request headers.
package struct Netrc: Sendable, CustomStringConvertible, CustomReflectable {
    package struct Login: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        package let name: String
        package let password: String

        /// The `Authorization` header (RFC 7617, https://www.rfc-editor.org/rfc/rfc7617); nil for a name with a colon,
        /// which it can't represent.
        var basic: String? {
            name.contains(":") ? nil : "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()
        }

        // Printing must not reveal passwords.
        package var description: String { "a login" }
        package var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// A `machine`, or `default` without a host.
    private struct Machine {
        let host: String?
        var name: String?
        var password: String?
    }

    private let machines: [Machine]
    /// Whether the file was ignored because other users may read or change it.
    private(set) var isUnsafe = false

    package static let empty = Netrc(text: "")

    /// Reads the file at a path, usually `~/.netrc`; empty if it is missing, unreadable, accessible to other users, or
    /// longer than curl accepts.
    package init(path: String) {
        let file = FileFacts(path: URL(filePath: path).resolvingSymlinksInPath().path)
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

    /// Parses the contents of such a file; empty if a quote is unclosed.
    package init(text: String) {
        machines = NetrcToken.tokens(text).map(Self.machines) ?? []
    }

    /// The login of the first entry for a host, and a user if one is named; nil if there is none.
    package func login(for host: String, of user: String? = nil) -> Login? {
        let host = host.lowercased()
        guard let machine = machines.first(where: { $0.host == host && (user == nil || $0.name == user) }),
            machine.name != nil || machine.password != nil
        else { return nil }
        return Login(name: machine.name ?? "", password: machine.password ?? "")
    }

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

    /// The longest file that curl reads.
    private static let maxBytes = 128 << 10
}

/// A word of a `.netrc` file.
struct NetrcToken {
    let text: String
    private let isQuoted: Bool

    /// The word in lower case; "" if it is quoted, because then it is never a keyword.
    var keyword: String { isQuoted ? "" : text.lowercased() }

    /// The words of a file without comments and macros; nil if a quote is unclosed.
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
