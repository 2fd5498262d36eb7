import BlogLibrary
import BlogEssentials
import BlogModel
import BlogRendering
import BlogTerminal

/// The settings file: long options without their dashes, one `option = value` a line, `#` for comments.
enum Settings {
    /// The options in a file; empty if it doesn't exist.
    ///
    /// Throws ``UsageError/settings(path:line:_:)`` or ``FileError/unreadable(_:reason:)``.
    static func read(path: String, known: [Option]) throws -> [String: String] {
        var options: [String: String] = [:]
        for line in try lines(path: path) {
            do {
                guard try KeySettings.key(line) == nil else { continue }
                let (name, value) = try setting(line, known)
                options[name] = value
            } catch let error as UsageError {
                throw UsageError.settings(path: path, line: line.number, error)
            }
        }
        return options
    }

    /// A line of the file: `name = value`, or a name alone.
    struct Line {
        let number: Int
        let name: String
        let value: String?
    }

    /// The lines of a file, without comments; empty if it doesn't exist.
    ///
    /// Throws ``FileError/unreadable(_:reason:)``.
    static func lines(path: String) throws -> [Line] {
        guard FileFacts(path: path) != nil else { return [] }
        let reader = try LineReader(path: path)
        let data = reader.reduce(into: Data()) { $0 += $1 + [0x0A] }
        try reader.finish()
        let text = String(decoding: data, as: UTF8.self)
        let lines = (text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.enumerated().compactMap { index, line in
            let text = line.trimmed
            guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
            let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimmed }
            return Line(number: index + 1, name: parts.first ?? text, value: parts.count == 2 ? parts[1] : nil)
        }
    }

    /// A line's option and its value, nil for a switch that is off.
    private static func setting(_ line: Line, _ known: [Option]) throws -> (String, String?) {
        let name = line.name
        guard let option = known.first(where: { $0.name == name }) else {
            throw UsageError.unknownOption(name, nearest: NearestName.of(name, among: known.map(\.name)))
        }
        if case .none = option.value {
            guard line.value.map((on + off).contains) ?? true else { throw UsageError.needlessValue(option: name) }
            return (name, line.value.map(off.contains) == true ? nil : "")
        }
        return (name, try option.checked(line.value ?? ""))
    }

    /// The values of a switch.
    private static let (on, off) = (["true", "yes", "on"], ["false", "no", "off"])
}

/// The options of a run, merged from flags, environment and settings.
package struct OptionValues {
    /// The options with their values, "" if one has none.
    package private(set) var values: [String: String]
    /// The origin of a value that isn't from the command line: "BLOG_URL", "the settings".
    package private(set) var origins: [String: String] = [:]

    /// Flags alone.
    package init(flags: [String: String]) {
        values = flags
    }

    /// Flags beat the environment, which beats the settings.
    ///
    /// Throws a ``UsageError``.
    ///
    /// - Parameter command: the command that is run; nil for all.
    package init(
        flags: [String: String], command: CommandDescription?, _ environment: Environment
    ) throws {
        let every = Commands.everyOption
        let known = command?.allOptions ?? every
        values = try Settings.read(path: environment.settingsPath, known: every)
        origins = values.mapValues { _ in environment.settingsPath }
        for option in known {
            guard let name = option.environment, let value = environment[name] else { continue }
            do {
                set(option.name, try option.checked(value), origin: name)
            } catch let error as UsageError {
                throw UsageError.about(error, origin: name, command: "")
            }
        }
        // An address that was given for another source doesn't apply.
        let usual = values["source"] ?? SourceRegistry.kinds[0].name
        if let source = flags["source"], Self.name(source) != Self.name(usual) { set("url", nil, origin: nil) }
        for (name, value) in flags {
            for other in Self.rivals(of: name) where flags[other] == nil { set(other, nil, origin: nil) }
            set(name, value, origin: nil)
        }
        let names = Set(known.map(\.name))
        values = values.filter { names.contains($0.key) }
        origins = origins.filter { names.contains($0.key) }
        if let command { dropSettings(uselessFor: command) }
    }

    /// The values of some options.
    package func filter(_ isIncluded: (String) -> Bool) -> OptionValues {
        var some = self
        some.values = values.filter { isIncluded($0.key) }
        some.origins = origins.filter { isIncluded($0.key) }
        return some
    }

    /// The name of a kind of source, for any of its names.
    private static func name(_ source: String) -> String { SourceRegistry.kind(named: source)?.name ?? source }

    package mutating func set(_ name: String, _ value: String?, origin: String?) {
        values[name] = value
        origins[name] = origin
    }

    /// The options that a flag overrides.
    private static func rivals(of name: String) -> [String] {
        [
            ["format", "json"], ["offline", "refresh"], ["quiet", "verbose"], ["raw", "format"], ["raw", "json"],
            ["raw", "fields"], ["no-comments", "depth"], ["no-comments", "comments"], ["no-comments", "by"],
            ["link", "discussion"],
        ].filter { $0.contains(name) }.joined().filter { $0 != name }
    }

    /// Settings apply to all commands: those that this command doesn't support are not an error.
    private mutating func dropSettings(uselessFor command: CommandDescription) {
        for name in origins.keys {
            guard let value = values[name], !command.takes(value, for: name) else { continue }
            if Commands.all.contains(where: { $0.takes(value, for: name) }) { set(name, nil, origin: nil) }
        }
        // A list of ids has no other fields, so one of the two settings goes.
        if let format = values["format"].flatMap(Format.init), !format.hasFields, values["fields"] != nil {
            if let name = ["fields", "format"].first(where: { origins[$0] != nil }) { set(name, nil, origin: nil) }
        }
    }
}

extension CommandDescription {
    /// Whether the command can do something with a value of an option.
    fileprivate func takes(_ value: String, for name: String) -> Bool {
        guard let option = allOptions.first(where: { $0.name == name }) else { return false }
        switch name {
        case "format": return Format(rawValue: value).map(formats.contains) ?? false
        case "fields", "json": return Invocation.fieldNames(in: value).allSatisfy(fields.contains)
        default:
            if case .none = option.value { return value.isEmpty }
            return (try? option.checked(value)) != nil
        }
    }
}
