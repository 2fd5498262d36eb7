import Foundation

/// Names and passwords by host, as `~/.netrc` has them (https://everything.curl.dev/usingcurl/netrc.html).
///
/// Only what a `machine` line names is used: `default` would be sent to every server that is ever followed.
///
/// Nothing of it is ever printed: neither an ``HTTPError`` nor an ``HTTPActivity`` holds what is sent with a request.
package struct Netrc: Sendable, CustomStringConvertible, CustomReflectable {
    /// The credentials that a server is sent.
    package struct Login: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        package let name: String
        package let password: String

        /// The header `Authorization` (RFC 7617, https://www.rfc-editor.org/rfc/rfc7617); nil for a name with a colon,
        /// which that can't carry.
        var basic: String? {
            name.contains(":") ? nil : "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()
        }

        /// Never the password, whoever prints it.
        package var description: String { "a login" }
        package var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// One `machine`, or the `default` where the host is nil, which is never sent.
    private struct Machine {
        let host: String?
        var name: String?
        var password: String?
    }

    private let machines: [Machine]
    /// Whether there is a file that was not read, as others than its owner may read or change it.
    private(set) var isUnsafe = false

    /// Whether it knows no host.
    var isEmpty: Bool { machines.isEmpty }

    /// Knows no host.
    package static let empty = Netrc(text: "")

    /// The file at a path, `~/.netrc` as a rule; empty where there is none, or one that can't be read, that others may
    /// read or change, or that is longer than curl takes.
    package init(path: String) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: Self.resolved(path))
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue
        guard mode.map({ $0 & 0o077 == 0 }) == true, attributes?[.type] as? FileAttributeType == .typeRegular,
            let size = attributes?[.size] as? NSNumber, size.intValue <= Self.maxBytes,
            let data = FileManager.default.contents(atPath: path)
        else {
            self = .empty
            isUnsafe = mode.map { $0 & 0o077 != 0 } == true && attributes?[.type] as? FileAttributeType == .typeRegular
            return
        }
        self.init(text: String(decoding: data, as: UTF8.self))
    }

    /// The contents of such a file; empty where a quote in it doesn't end.
    package init(text: String) {
        guard let tokens = NetrcToken.tokens(text) else {
            machines = []
            return
        }
        machines = Self.machines(tokens)
    }

    /// The credentials for a host, from the first entry that names it; nil for none.
    package func login(for host: String) -> Login? {
        let host = host.lowercased()
        guard let machine = machines.first(where: { $0.host == host }),
            machine.name != nil || machine.password != nil
        else { return nil }
        return Login(name: machine.name ?? "", password: machine.password ?? "")
    }

    /// No password in it, whoever prints it.
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

    /// The bytes of the longest file that curl reads.
    private static let maxBytes = 128 << 10
}

/// A word of a `.netrc` file, perhaps in quotes.
struct NetrcToken {
    let text: String
    private let isQuoted: Bool

    /// The word in lower case; "" for one in quotes, which is never a keyword.
    var keyword: String { isQuoted ? "" : text.lowercased() }

    /// The words of a file without its comments and macros; nil where a quote doesn't end.
    static func tokens(_ file: String) -> [NetrcToken]? {
        var tokens: [NetrcToken] = []
        var isInMacro = false
        for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = line.drop(while: \.isWhitespace)
            // A macro goes up to an empty line.
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
