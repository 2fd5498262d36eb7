import BlogTestSupport
import Foundation
import Testing
@testable import blog
@testable import BlogBrowse
@testable import BlogCommandLine
@testable import BlogTerminal

@Suite("Keys in the settings file") struct KeySettingsTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    /// The keys after a settings file was read.
    private func keys(_ settings: String) throws -> KeyMap {
        try site.set(settings)
        return try Settings(Environment(["HOME": site.home.path])).keys
    }

    /// Settings, with a key and its resulting action.
    static let files: [(settings: String, key: String, action: Action?)] = [
        ("", "s", .toggleSaved), ("key.save = S", "S", .toggleSaved), ("key.save = S", "s", nil),
        ("key.save = S s ctrl-s", "ctrl-s", .toggleSaved), ("key.save = S s ctrl-s", "s", .toggleSaved),
        ("key.save = m", "m", .toggleSaved), ("key.save = m\nkey.mark = s", "s", .toggleRead),
        ("key.read-on = pgdn space", "space", .readOn), ("key.read-on = pgdn space", "pgdn", .readOn),
        ("key.quit=x\nkey.quit=y", "x", nil), ("key.quit=x\nkey.quit=y", "y", .quit),
        ("width = 72\n# mine\n  key.help = H  ", "H", .help), ("key.fold-all = |", "|", .foldAll),
        ("key.filter = =", "=", .filter), ("key.first = #", "#", .first),
    ]

    @Test("assign keys to actions, taking them from others", arguments: files)
    func assigning(settings: String, key: String, action: Action?) throws {
        #expect(try keys(settings)[try #require(Key(name: key))] == action)
    }

    @Test("can name each action, and each of the default keys", arguments: Action.allCases)
    func names(action: Action) throws {
        #expect(!action.help.isEmpty)
        let wanted = action.defaultKeys.isEmpty ? [Key.character("*")] : action.defaultKeys
        let names = wanted.map(\.name).joined(separator: " ")
        #expect(try keys("key.\(action.rawValue) = \(names)").keys(of: action) == wanted)
    }

    @Test("have no default key with two actions")
    func unique() {
        let keys = Action.allCases.flatMap(\.defaultKeys)
        #expect(Set(keys).count == keys.count)
        #expect(Set(Action.inOrder) == Set(Action.allCases))
    }

    /// Settings, with a key and the name of its command.
    static let commands: [(settings: String, key: String, command: String?)] = [
        ("command.play = mpv\nkey.play = P", "P", "play"), ("key.play = P\ncommand.play = mpv", "P", "play"),
        ("command.play = mpv", "P", nil), ("command.play = mpv\nkey.play = s", "s", "play"),
        ("command.play = mpv\nkey.play = P\nkey.save = P", "P", nil),
        ("command.play = mpv\nkey.play = P\nkey.play = O", "P", nil),
    ]

    @Test("assign keys to commands of the user's", arguments: commands)
    func assigningCommands(settings: String, key: String, command: String?) throws {
        let (keys, key) = (try keys(settings), try #require(Key(name: key)))
        #expect(keys.command(for: key)?.name == command)
        if command != nil { #expect(keys[key] == nil && keys.command(for: key)?.text == "mpv") }
    }

    /// Invalid lines, with a part of the message.
    static let invalidLines: [(line: String, message: String)] = [
        ("key.sav = S", "key.save"), ("key.save = ctrl-1", "ctrl-1"), ("key.save = S SS", "SS"),
        ("key.save =", "key.save"),
        ("key.save", "key.save"), ("key. = S", "key."), ("key.Save = S", "key.save"),
        ("command.play =", "command.play"), ("command.save = x", "save"), ("command. = x", "name of a command"),
        ("key.play = P", "key.play"),
    ]

    @Test("are reported with their line if they are invalid, by any command", arguments: invalidLines)
    func mistakes(line: String, message: String) async throws {
        #expect(throws: UsageError.self) { try keys("# mine\n" + line) }
        for command in [["list"], ["sources"], ["browse"]] {
            let run = try await site.blog(command)
            #expect(run.code == 2)
            #expect(run.errors.contains("line 2") || run.errors.contains(":2"), "\(run.errors)")
            #expect(run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test("don't matter to commands that have no keys")
    func otherCommands() async throws {
        _ = try keys("key.save = S\nquiet = true")
        let run = try await site.blog("sources")
        #expect(run.code == 0, "\(run.errors)")
    }
}
