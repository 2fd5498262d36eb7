import BlogLibrary
import BlogMarkup
import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import blog
@testable import BlogCommandLine
@testable import BlogFeeds
@testable import BlogTerminal

@Suite("The settings file") struct SettingsTests {
    @Test("has one setting per line, and comments")
    func lines() throws {
        let settings = try Settings(
            "# mine\n\nurl = http://a:1/b?c=d\r\npager = off\nquiet\nplain = true\n  width=72  \nkeep = 6w\nkey.save = S"
        )
        #expect(settings.url == "http://a:1/b?c=d" && settings.width == 72 && settings.keep == Retention("6w"))
        #expect(settings.isQuiet && settings.isPlain && !settings.hasPager && !settings.isOneline)
        #expect(settings.origins["pager"]?.value == "off")
        #expect(try Settings("\u{FEFF}quiet\n").isQuiet)
        #expect(try !Settings("quiet\nquiet = no").isQuiet)
    }

    @Test("switches a setting on or off with three words each", arguments: ["yes", "true", "on", "no", "false", "off"])
    func flags(word: String) throws {
        #expect(try Settings("quiet = \(word)").isQuiet == ["yes", "true", "on"].contains(word))
    }

    @Test("may be missing")
    func missing() throws {
        let settings = try Settings(Environment(["HOME": "/nowhere"]))
        #expect(settings.origins.isEmpty && settings.hasPager && settings.images == .auto)
    }

    @Test(
        "is in the directory of XDG_CONFIG_HOME unless that is relative",
        arguments: [("/x", "/x"), ("x", "/me/.config")])
    func place(variable: String, folder: String) {
        #expect(Environment(["HOME": "/me", "XDG_CONFIG_HOME": variable]).settingsPath == folder + "/blog/settings")
    }

    @Test("gives way to the environment")
    func environment() throws {
        let settings = try Settings(Environment(["HOME": "/nowhere", "BLOG_URL": "http://b:2", "BLOG_SOURCE": "hn"]))
        #expect(settings.url == "http://b:2" && settings.source == "hn")
        #expect(settings.origins["url"]?.origin == "BLOG_URL")
    }

    @Test("has an example with every setting, which changes nothing until a line is uncommented")
    func example() throws {
        let example = Settings.example(Environment(["HOME": "/home/me"]))
        #expect(try Settings(example).origins.isEmpty)
        let lines = example.split(separator: "\n")
        for setting in Settings.table {
            let line = try #require(lines.first { $0.hasPrefix("#\(setting.name) = ") })
            #expect(lines.contains("# \(setting.name): \(setting.meaning)"))
            #expect(try Settings(String(line.dropFirst())).origins.keys.sorted() == [setting.name])
        }
        #expect(lines.contains("#key.save = s"))
        #expect(lines.allSatisfy { $0.count <= 100 })
    }

    @Test("has the settings of docs/configuration.md")
    func documented() throws {
        let rows = try DocumentedCommand.text(of: "docs/configuration.md").split(separator: "\n")
            .filter { $0.hasPrefix("| `") }.map { $0.replacing("`", with: "").dropFirst(2).dropLast(2) }
        let cells = rows.map { $0.components(separatedBy: " | ") }
        #expect(cells.map { $0[0] } == Settings.table.map(\.name))
        for (cells, setting) in zip(cells, Settings.table) { #expect(setting.meaning.hasPrefix(cells[2])) }
    }

    @Test("shows the defaults in its example, except where an option's help describes them")
    func defaults() throws {
        let lines = Settings.example(Environment(["HOME": "/home/me"])).split(separator: "\n")
            .filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }.map { $0.dropFirst() }
        let settings = try Settings(
            lines.filter { !["width", "source"].contains($0.prefix { $0 != " " }) }.joined(separator: "\n"))
        let (set, usual) = (try Invocation(operands: [], settings: settings), try Invocation(operands: []))
        #expect(try "\(set.appearance())" == "\(usual.appearance())")
        #expect(try set.articlePreference() == usual.articlePreference())
        #expect(try set.defaultSource() == usual.defaultSource())
        #expect(set.isOneline == usual.isOneline && set.isPlain == usual.isPlain)
        #expect(try set.keep() == .forever && set.every() == usual.every())
    }

    @Test(
        "says how often an open screen refreshes, which the command line overrides",
        arguments: [
            ("10m", 600), ("2h", 7200), ("1d", 86_400), ("never", nil), ("0m", .nan), ("m", .nan), ("10", .nan),
            ("-1h", .nan), ("1.5h", .nan), ("99999999999h", .nan),
        ] as [(String, TimeInterval?)])
    func intervals(text: String, seconds: TimeInterval?) throws {
        guard seconds?.isNaN != true else {
            #expect(throws: UsageError.self) { try Settings("every = \(text)") }
            return
        }
        #expect(try Settings("every = \(text)").every == seconds)
        let settings = try Settings("every = 3h")
        #expect(try Invocation(operands: [], options: ["every": text], settings: settings).every() == seconds)
        #expect(try Invocation(operands: [], settings: settings).every() == 10_800)
        #expect(try Invocation(operands: []).every() == 1800)
    }

    @Test(
        "is overridden by the command line",
        arguments: ["oneline", "plain", "quiet", "pager = no"].map { ($0, $0.prefix { $0 != " " }) })
    func switches(setting: String, name: Substring) throws {
        func isOn(_ option: String) throws -> Bool {
            let invocation = try Invocation(operands: [], options: [option: ""], settings: Settings(setting))
            let appearance = try invocation.appearance()
            return switch name {
            case "oneline": invocation.isOneline
            case "plain": invocation.isPlain
            case "quiet": appearance.isQuiet
            default: appearance.hasPager
            }
        }
        #expect(try isOn("offline") == !setting.hasSuffix("= no"))
        #expect(try isOn(String(name)))
        #expect(try !isOn("no-" + name))
    }

    @Test("is overridden by an option with another value, and quiet by --verbose")
    func values() throws {
        let settings = try Settings("color = always\nimages = never\nwidth = 50\nkeep = 1y\narticle = auto\nquiet")
        let options = ["color": "auto", "images": "auto", "width": "60", "keep": "all", "verbose": ""]
        let invocation = try Invocation(operands: [], options: options, settings: settings)
        let appearance = try invocation.appearance()
        #expect(appearance.color == .auto && appearance.images == .auto && appearance.width == 60)
        #expect(appearance.isVerbose && !appearance.isQuiet)
        #expect(try invocation.keep() == .forever)
        #expect(try invocation.articlePreference().explicit == nil && invocation.articlePreference().fallback == .auto)
    }

    static let addresses: [(settings: String, flag: String, isUsed: Bool)] = [
        ("source = hackernews", "hackernews", true), ("source = hackernews", "hn", true),
        ("source = hn", "hackernews", true), ("source = hn", "photos", false), ("source = hn", "blog", false),
        ("", "blog", true), ("", "hn", false),
    ]

    @Test("has an address for the usual source, under any of its names, but for no other", arguments: addresses)
    func address(settings: String, flag: String, isUsed: Bool) throws {
        let settings = try Settings("\(settings)\nurl = http://a:1\n")
        let invocation = try Invocation(operands: [], options: ["source": flag], settings: settings)
        #expect(try invocation.defaultSource().address.hasPrefix("http://a:1") == isUsed)
    }

    /// The settings file, the environment, `--source`, and the kind and address of the source to read.
    static let defaultSources:
        [(file: String, variables: [String: String], typed: String?, kind: String, at: String?)] =
            [
                ("", [:], nil, "blog", "http://localhost:8106"),
                ("", ["BLOG_URL": "http://b:2"], nil, "blog", "http://b:2"),
                ("url = http://a:1", ["BLOG_URL": "http://b:2"], nil, "blog", "http://b:2"),
                ("source = hn", [:], nil, "hn", nil), ("source = hn\nurl = http://a:1", [:], nil, "hn", "http://a:1"),
                ("", ["BLOG_URL": "http://b:2", "BLOG_SOURCE": "hn"], nil, "hn", "http://b:2"),
                // An address alone is that of the standard kind, as with --url.
                ("source = hn", ["BLOG_URL": "http://b:2"], nil, "blog", "http://b:2"),
                ("source = hn\nurl = http://a:1", ["BLOG_URL": "http://b:2"], nil, "blog", "http://b:2"),
                // The address in the file isn't that of the kind in the environment.
                ("url = http://a:1", ["BLOG_SOURCE": "hn"], nil, "hn", nil),
                ("", ["BLOG_URL": "http://b:2"], "hn", "hn", nil),
                ("source = hn", ["BLOG_URL": "http://b:2"], "hn", "hn", nil),
            ]

    @Test("and the environment name the source to read until one is followed", arguments: defaultSources)
    func defaultSource(
        file: String, variables: [String: String], typed: String?, kind: String, address: String?
    ) throws {
        let settings = try Settings(file, environment: variables)
        let invocation = try Invocation(
            operands: [], options: typed.map { ["source": $0] } ?? [:], settings: settings)
        let kind = try #require(SourceRegistry.kind(named: kind))
        #expect(try invocation.defaultSource() == kind.source(at: address))
    }

    static let mistakes: [(line: String, nearest: String?)] = [
        ("ulr = 1", "url"), ("limit = 3", nil), ("format = json", nil), ("url", nil), ("color = blue", nil),
        ("= 3", nil), ("quiet = maybe", nil), ("width = 5", nil), ("keep = 1", nil), ("image = never", "images"),
        ("keys.save = S", nil),
    ]

    @Test("is reported with the line of a mistake, and the nearest name", arguments: mistakes)
    func rejects(line: String, nearest: String?) throws {
        let error = #expect(throws: UsageError.self) { try Settings("\n" + line) }
        guard case .settings(_, line: 2, _) = error else {
            Issue.record("\(String(describing: error)) doesn't name line 2")
            return
        }
        if let nearest { #expect(error?.message().text.contains("“\(nearest)”") == true) }
    }
}
