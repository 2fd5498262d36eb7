import BlogEssentials

/// The environment variables, and paths derived from them.
package struct Environment: Sendable {
    private let variables: [String: String]

    package init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// The variable with the API key for photos.
    package static let photoKey = "FIVEHUNDREDPX_CONSUMER_KEY"

    /// The value of a variable; nil if it is unset or empty.
    package subscript(name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a variable is set, even to the empty string.
    func isSet(_ name: String) -> Bool { variables[name] != nil }

    package var storePath: String {
        folder("XDG_DATA_HOME", macOS: "Library/Application Support", other: ".local/share") + "/blog/blog.sqlite3"
    }

    package var settingsPath: String {
        folder("XDG_CONFIG_HOME", macOS: ".config", other: ".config") + "/blog/settings"
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
