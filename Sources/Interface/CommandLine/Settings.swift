import BlogEssentials
import BlogHTTP
import BlogModel
import BlogRendering
import BlogTerminal

/// The user's preferences from the settings file and the environment; the command line overrides them.
///
/// These are preferences: which posts are selected, and in which form a program gets them, is up to each command line.
package struct Settings: Sendable {
    package private(set) var store: String?
    package private(set) var url: String?
    package private(set) var source: String?
    package private(set) var isOneline = false
    package private(set) var beginsWithSources = false
    package private(set) var isPlain = false
    package private(set) var images = Appearance.When.auto
    package private(set) var article = ArticleChoice.never
    /// The seconds between refreshes of sources without an interval of their own, and of an open screen; nil for no screen's.
    package private(set) var every: TimeInterval? = 1800
    package private(set) var keep: Retention?
    package private(set) var showsDuplicates = false
    package private(set) var color = Appearance.When.auto
    package private(set) var hyperlinks = Appearance.When.auto
    package private(set) var dates = Appearance.DateStyle.relative
    package private(set) var hasPager = true
    package private(set) var width: Int?
    package private(set) var isQuiet = false
    /// The keys that actions and commands of `blog browse` were given, in the order of the file.
    private var assignedKeys: [(name: String, keys: [Key])] = []
    private var commands: [NamedCommand] = []
    /// The logins of sync servers by their names: the user, and the shell command that prints the password.
    package private(set) var logins: [String: (user: String, command: String)] = [:]
    /// The header fields for some origins, which are as secret as passwords.
    package private(set) var headers = OwnHeaders()
    /// The origins that have some, in the order of the file.
    package private(set) var originsWithHeaders: [String] = []
    /// The shell commands whose output is a feed, by their names.
    package private(set) var feedCommands: [String: String] = [:]
    /// Everything that was set, except keys: "url", its value, "BLOG_URL" or the path of the file, and the line there.
    package private(set) var origins: [String: (value: String, origin: String, line: Int?)] = [:]

    /// Whether an option is set by its environment variable.
    func isInEnvironment(_ option: Option) -> Bool {
        origins[option.name].map { $0.origin == option.environment } ?? false
    }

    /// The defaults.
    package init() {}

    /// The settings of the file, and those of the environment, which overrides it.
    ///
    /// Throws ``UsageError/settings(path:line:_:)`` or ``FileError/unreadable(_:reason:)``.
    package init(_ environment: Environment) throws {
        let path = environment.settingsPath
        let lines = try Self.lines(path: path)
        // A command may be defined below the key for it.
        for areKeys in [false, true] {
            for line in lines where line.name.hasPrefix(Self.keyPrefix) == areKeys {
                do {
                    try take(line, from: path, home: environment.home)
                } catch let error as UsageError {
                    throw UsageError.settings(path: path, line: line.number, error)
                }
            }
        }
        for setting in Self.table {
            guard let variable = setting.option.environment, let value = environment[variable] else { continue }
            try take(value, for: setting, from: variable)
        }
    }

    /// The keys and commands of `blog browse`.
    package var keys: KeyMap {
        var map = KeyMap()
        for command in commands { map.add(command) }
        for (name, keys) in assignedKeys {
            if let action = Action(rawValue: name) {
                map.assign(keys, to: action)
            } else {
                map.assign(keys, toCommandNamed: name)
            }
        }
        return map
    }

    private mutating func take(_ line: Line, from path: String, home: String) throws {
        if line.name.hasPrefix(Self.keyPrefix) {
            guard let value = line.value else { throw UsageError.missingValue(option: line.name) }
            return try assign(value, to: String(line.name.dropFirst(Self.keyPrefix.count)))
        }
        if line.name.hasPrefix(Self.commandPrefix) {
            guard let value = line.value, !value.isEmpty else { throw UsageError.missingValue(option: line.name) }
            let name = String(line.name.dropFirst(Self.commandPrefix.count))
            guard !name.isEmpty, !name.contains(" "), Action(rawValue: name) == nil else {
                throw UsageError.badCommandName(name)
            }
            return commands.append(NamedCommand(name: name, text: value))
        }
        if line.name.hasPrefix(Self.loginPrefix) {
            let words = (line.value ?? "").split(separator: " ", maxSplits: 1).map { $0.trimmed }
            guard words.count == 2 else {
                throw UsageError.badValue(
                    line.value ?? "", option: line.name, expected: "the user, then a command", nearest: nil)
            }
            return logins[String(line.name.dropFirst(Self.loginPrefix.count))] = (words[0], words[1])
        }
        if line.name.hasPrefix(Self.headerPrefix) {
            let origin = String(line.name.dropFirst(Self.headerPrefix.count))
            guard headers.add(line.value ?? "", for: origin) else { throw UsageError.badHeader(line.name) }
            if !originsWithHeaders.contains(origin) { originsWithHeaders.append(origin) }
            return
        }
        if line.name.hasPrefix(Self.feedPrefix) {
            guard let value = line.value, !value.isEmpty else { throw UsageError.missingValue(option: line.name) }
            return feedCommands[String(line.name.dropFirst(Self.feedPrefix.count))] = value
        }
        guard let setting = Self.table.first(where: { $0.name == line.name }) else {
            throw UsageError.unknownOption(
                line.name, nearest: NearestName.of(line.name, among: Self.table.map(\.name)))
        }
        guard let value = line.value ?? (setting.option.needsValue ? nil : "yes") else {
            throw UsageError.missingValue(option: line.name)
        }
        // No shell has expanded it.
        let isPath = setting.name == Option.store.name
        try take(isPath ? Self.path(value, in: path, home: home) : value, for: setting, from: path, line: line.number)
    }

    /// A path as written in the settings file: `~` and `$HOME` are the home folder, quotation marks around it don't belong to
    /// it, and a relative one is in the file's folder.
    private static func path(_ written: String, in file: String, home: String) throws -> String {
        var path = written
        for quote in ["\"", "'"] where path.count > 1 && path.hasPrefix(quote) && path.hasSuffix(quote) {
            path = String(path.dropFirst().dropLast())
        }
        for prefix in ["~/", "$HOME/", "${HOME}/"] where path.hasPrefix(prefix) {
            path = home + "/" + path.dropFirst(prefix.count)
        }
        guard !path.contains("$"), !path.hasPrefix("~"), !path.isEmpty else {
            throw UsageError.badValue(
                written, option: Option.store.name, expected: "a path, which may begin with ~/ or $HOME/", nearest: nil)
        }
        let folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
        return path.hasPrefix("/") ? path : folder + path
    }

    private mutating func take(
        _ value: String, for setting: Setting, from origin: String, line: Int? = nil
    ) throws {
        try setting.take(&self, value)
        origins[setting.name] = (value, origin, line)
    }

    private mutating func assign(_ names: String, to name: String) throws {
        guard Action(rawValue: name) != nil || commands.contains(where: { $0.name == name }) else {
            let known = (Action.allCases.map(\.rawValue) + commands.map(\.name)).map { Self.keyPrefix + $0 }
            let name = Self.keyPrefix + name
            throw UsageError.unknownOption(name, nearest: NearestName.of(name, among: known))
        }
        let keys = try names.split(separator: " ").map { name in
            guard let key = Key(name: String(name)) else { throw UsageError.unknownKey(String(name)) }
            return key
        }
        assignedKeys.append((name, keys))
    }
}

/// An option that can be set in the settings file.
package struct Setting: Sendable {
    let option: Option
    /// Its purpose, in one line.
    package let meaning: String
    /// The default as it would be written, or an example if it can't be written.
    let sample: String
    /// Whether the default can be written.
    let hasDefault: Bool
    fileprivate let take: @Sendable (inout Settings, String) throws -> Void

    package var name: String { option.name }

    fileprivate init(
        _ option: Option, _ meaning: String, _ sample: String, hasDefault: Bool = true,
        take: @escaping @Sendable (inout Settings, String) throws -> Void
    ) {
        (self.option, self.meaning, self.sample, self.take) = (option, meaning, sample, take)
        self.hasDefault = hasDefault
    }

    /// The default as text; nil for none.
    var usualValue: String? { hasDefault ? sample : nil }

    /// The value without settings; "" if it can't be written.
    package func defaultValue(_ environment: Environment) -> String {
        name == Option.store.name ? environment.storePath : hasDefault ? sample : ""
    }
}

extension Settings {
    /// All settings.
    package static let table = [
        Setting(.store, "the file with all posts and marks", "~/.local/share/blog/blog.sqlite3") { $0.store = $1 },
        Setting(.url, "the address to read until you follow a source", "http://localhost:8106") {
            $0.url = try Option.url.parsed($1, expected: "an address") { $0.contains(" ") ? nil : $0 }
        },
        Setting(.source, "only these sources [all that you follow]", "hn,swift", hasDefault: false) { $0.source = $1 },
        Setting(.oneline, "lists on a terminal have one line per post", "no") {
            $0.isOneline = try Option.oneline.flag($1)
        },
        Setting(.sources, "blog browse begins with the sources, not with the posts", "no") {
            $0.beginsWithSources = try Option.sources.flag($1)
        },
        Setting(.plain, "blog browse works line by line, for screen readers", "no") {
            $0.isPlain = try Option.plain.flag($1)
        },
        Setting(.images, "show pictures: auto, always or never", "auto") { $0.images = try Option.images.choice($1) },
        Setting(.article, "show linked articles: never, always, or auto (if the post is only a summary)", "never") {
            $0.article = try Option.article.choice($1)
        },
        Setting(.every, "how often sources are refreshed, also by an open blog browse: 10m, 2h, never", "30m") {
            $0.every = try Option.every.interval($1)
        },
        Setting(.keep, "when syncing, delete posts after 30d, 6w, 3m, 1y; all: keep them", "all") {
            $0.keep = try Option.keep.retention($1)
        },
        Setting(.duplicates, "list a story once (hide), or for each of its sources (show)", "hide") {
            $0.showsDuplicates = try Option.duplicates.checked($1) == "show"
        },
        Setting(.color, "use colour: auto, always or never", "auto") { $0.color = try Option.color.choice($1) },
        Setting(.hyperlinks, "make links clickable: auto, always, or never (number them)", "auto") {
            $0.hyperlinks = try Option.hyperlinks.choice($1)
        },
        Setting(.dates, "dates on a terminal: relative (3h, 20 Aug) or absolute", "relative") {
            $0.dates = try Option.dates.choice($1)
        },
        Setting(.pager, "use a pager for long output", "yes") { $0.hasPager = try Option.pager.flag($1) },
        Setting(.width, "columns of the output [the terminal's; for posts, up to 80]", "100", hasDefault: false) {
            $0.width = try Option.width.count($1, atLeast: Screen.minWidth)
        },
        Setting(.quiet, "print no notices", "no") { $0.isQuiet = try Option.quiet.flag($1) },
    ]

    /// The settings for keys, each named after an action: `key.save = S`.
    static let forKeys = (name: keyPrefix + "NAME", meaning: "keys of an action in blog browse")
    private static let keyPrefix = "key."
    /// The settings for commands of the user's.
    static let forCommands = (name: commandPrefix + "NAME", meaning: "a shell command for a post in blog browse")
    private static let commandPrefix = "command."
    /// The settings for logins of sync servers.
    static let forLogins = (
        name: loginPrefix + "NAME", meaning: "user and command that prints the API password of a sync server"
    )
    private static let loginPrefix = "login."
    /// The settings for commands whose output is a feed.
    static let forFeeds = (
        name: feedPrefix + "NAME", meaning: "a shell command that prints a feed, to be followed as exec:NAME"
    )
    private static let feedPrefix = "exec."
    /// The settings for header fields.
    static let forHeaders = (name: headerPrefix + "ORIGIN", meaning: "a header for the feeds at this origin alone")
    package static let headerPrefix = "header."

    /// A settings file in which every setting is commented out.
    package static func example(_ environment: Environment) -> String {
        let settings = table.map { setting in
            let sample = setting.name == Option.store.name ? environment.storePath : setting.sample
            return "# \(setting.name): \(setting.meaning)\n#\(setting.name) = \(sample)\n"
        }
        let keys = "# \(forKeys.name): \(forKeys.meaning)\n#key.save = s\n"
        let commands =
            "# \(forCommands.name): \(forCommands.meaning)\n#command.play = mpv \"$BLOG_ENCLOSURE\"\n#key.play = P\n"
        let logins = "# \(forLogins.name): \(forLogins.meaning)\n#login.home = alice pass show rss\n"
        let feeds = "# \(forFeeds.name): \(forFeeds.meaning)\n#exec.news = fetch-news --rss\n"
        let headers = "# \(forHeaders.name): \(forHeaders.meaning)\n#header.https://example.org = Cookie: session=1\n"
        return "# Settings of blog: remove the # before a setting to change it.\n\n"
            + (settings + [keys, commands, logins, feeds, headers]).joined(separator: "\n")
    }
}

// MARK: The file

extension Settings {
    /// A line of the file: `name = value`, or a name alone.
    struct Line {
        let number: Int
        let name: String
        /// The value; nil for none.
        let value: String?
    }

    /// The lines of a file, without comments; empty if it doesn't exist.
    ///
    /// Throws ``FileError/unreadable(_:reason:)``.
    private static func lines(path: String) throws -> [Line] {
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
}
