import BlogLibrary
import BlogBrowse
import BlogEssentials
import BlogRendering
import BlogTerminal

/// The keys of `blog browse` in the settings file: `key.save = S`, several separated by spaces.
package enum KeySettings {
    /// The usual keys with those of the settings file.
    ///
    /// Throws ``UsageError/settings(path:line:_:)`` or ``FileError/unreadable(_:reason:)``.
    package static func read(_ environment: Environment) throws -> KeyMap {
        var keys = KeyMap()
        for line in try Settings.lines(path: environment.settingsPath) {
            do {
                if let (action, names) = try key(line) { keys.assign(names, to: action) }
            } catch let error as UsageError {
                throw UsageError.settings(path: environment.settingsPath, line: line.number, error)
            }
        }
        return keys
    }

    /// The action that a line gives keys to, and those; nil for any other line.
    static func key(_ line: Settings.Line) throws -> (Action, [Key])? {
        guard line.name.hasPrefix(prefix) else { return nil }
        guard let action = Action(rawValue: String(line.name.dropFirst(prefix.count))) else {
            let known = Action.allCases.map { prefix + $0.rawValue }
            throw UsageError.unknownOption(line.name, nearest: NearestName.of(line.name, among: known))
        }
        let names = (line.value ?? "").split(separator: " ")
        guard !names.isEmpty else { throw UsageError.missingValue(option: line.name) }
        return (
            action,
            try names.map { name in
                guard let key = Key(name: String(name)) else { throw UsageError.unknownKey(String(name)) }
                return key
            }
        )
    }

    private static let prefix = "key."
}
