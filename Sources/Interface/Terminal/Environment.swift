import BlogEssentials

/// The environment variables, and paths derived from them.
package struct Environment: Sendable {
    private let variables: [String: String]

    package init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// The value of a variable; nil if it is unset or empty.
    package subscript(name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a variable is set, even to the empty string.
    func isSet(_ name: String) -> Bool { variables[name] != nil }

    /// Whether the locale's characters are UTF-8.
    var isUTF8: Bool {
        let locale = self["LC_ALL"] ?? self["LC_CTYPE"] ?? self["LANG"] ?? ""
        return locale.lowercased().replacing("-", with: "").contains("utf8")
    }

    package var storePath: String {
        folder("XDG_DATA_HOME", macOS: "Library/Application Support", other: ".local/share") + "/blog/blog.sqlite3"
    }

    package var settingsPath: String {
        folder("XDG_CONFIG_HOME", macOS: ".config", other: ".config") + "/blog/settings"
    }

    /// The lists of feeds of other readers that are on this machine: newsboat's folder, NetNewsWire's own file, and what
    /// it exports.
    package var otherReaders: [(name: String, path: String)] {
        let netNewsWire =
            "Library/Containers/com.ranchero.NetNewsWire-Evergreen/Data/Library/Application Support/NetNewsWire"
        let places = [
            ("newsboat", home + "/.newsboat", "/urls"),
            ("newsboat", folder("XDG_CONFIG_HOME", macOS: ".config", other: ".config") + "/newsboat", "/urls"),
            ("NetNewsWire", home + "/\(netNewsWire)/Accounts/OnMyMac/Subscriptions.opml", ""),
            ("NetNewsWire", home + "/Downloads/Subscriptions-OnMyMac.opml", ""),
        ]
        return places.filter { FileManager.default.fileExists(atPath: $0.1 + $0.2) }.map { ($0.0, $0.1) }
    }

    package var home: String { self["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path }

    /// Whether an executable exists at a path, or by its name in `PATH`.
    func hasProgram(_ name: String) -> Bool {
        if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) }
        let folders = (self["PATH"] ?? "").split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// The folder in an XDG variable, or else a default; relative paths are ignored, as the XDG specification demands.
    private func folder(_ variable: String, macOS: String, other: String) -> String {
        if let folder = self[variable], folder.hasPrefix("/") { return folder }
        #if os(macOS)
            return home + "/" + macOS
        #else
            return home + "/" + other
        #endif
    }
}
