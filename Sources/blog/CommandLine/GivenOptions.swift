import BlogCore

/// The options of a run, put together from flags, environment and settings.
struct GivenOptions {
    /// The options with their values, "" where one has none.
    private(set) var values: [String: String]
    /// Where a value came from that is not from the command line: "BLOG_URL", "the settings".
    private(set) var origins: [String: String] = [:]

    /// The names of the options that were typed.
    var typed: Set<String> { Set(values.keys.filter { origins[$0] == nil }) }

    /// Flags alone.
    init(flags: [String: String]) {
        values = flags
    }

    /// Flags beat the environment, which beats the settings.
    ///
    /// Throws a ``UsageError``.
    ///
    /// - Parameters:
    ///   - known: the options of the command.
    ///   - every: the options of all commands, as settings are for all.
    init(flags: [String: String], known: [Option], every: [Option], _ environment: Environment) throws {
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
        // An address that came with another source is none of this one's.
        let usual = values["source"] ?? SourceRegistry.kinds[0].name
        if let source = flags["source"], Self.name(source) != Self.name(usual) { set("url", nil, origin: nil) }
        for (name, value) in flags {
            for other in Self.rivals(of: name) where flags[other] == nil { set(other, nil, origin: nil) }
            set(name, value, origin: nil)
        }
        let names = Set(known.map(\.name))
        values = values.filter { names.contains($0.key) }
    }

    /// A source's name, whichever of its names was typed.
    private static func name(_ source: String) -> String { SourceRegistry.kind(named: source)?.name ?? source }

    private mutating func set(_ name: String, _ value: String?, origin: String?) {
        values[name] = value
        origins[name] = origin
    }

    /// The options that a flag beats beside its own name.
    private static func rivals(of name: String) -> [String] {
        [["format", "json"], ["offline", "refresh"], ["quiet", "verbose"]].first { $0.contains(name) }?
            .filter { $0 != name } ?? []
    }
}
