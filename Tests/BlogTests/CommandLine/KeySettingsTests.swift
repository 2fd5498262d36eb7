import Foundation
import Testing
@testable import Browse
@testable import Terminal
@testable import CommandLine
@testable import blog

@Suite("Keys in the settings file") struct KeySettingsTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    private var path: String { site.home.appending(path: ".config/blog/settings").path }

    /// The keys after reading a settings file.
    private func keys(_ settings: String) throws -> KeyMap {
        let file = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(settings.utf8).write(to: file)
        return try KeySettings.read(Environment(["HOME": site.home.path]))
    }

    /// Settings with a key, and its action then.
    static let files: [(settings: String, key: String, action: Action?)] = [
        ("", "s", .save), ("key.save = S", "S", .save), ("key.save = S", "s", nil),
        ("key.save = S s ctrl-s", "ctrl-s", .save), ("key.save = S s ctrl-s", "s", .save),
        ("key.save = m", "m", .save), ("key.save = m\nkey.mark = s", "s", .toggleRead),
        ("key.read-on = pgdn space", "space", .readOn), ("key.read-on = pgdn space", "pgdn", .readOn),
        ("key.quit=x\nkey.quit=y", "x", nil), ("key.quit=x\nkey.quit=y", "y", .quit),
        ("width = 72\n# mine\n  key.help = H  ", "H", .help), ("key.fold-all = |", "|", .foldAll),
        ("key.filter = =", "=", .filter), ("key.first = #", "#", .first),
    ]

    @Test("give actions other keys, and take those from others", arguments: files)
    func assigning(settings: String, key: String, action: Action?) throws {
        #expect(try keys(settings)[try #require(Key(name: key))] == action)
    }

    @Test("can name each action, and each of the usual keys", arguments: Action.allCases)
    func names(action: Action) throws {
        #expect(!action.usualKeys.isEmpty)
        #expect(!action.help.isEmpty)
        let names = action.usualKeys.map(\.name).joined(separator: " ")
        #expect(try keys("key.\(action.rawValue) = \(names)").keys(of: action) == action.usualKeys)
    }

    @Test("leave no usual key with two actions")
    func unique() {
        let keys = Action.allCases.flatMap(\.usualKeys)
        #expect(Set(keys).count == keys.count)
        #expect(Set(Action.inOrder) == Set(Action.allCases))
    }

    /// Lines that are wrong, with the message.
    static let wrongLines: [(line: String, message: String)] = [
        ("key.sav = S", "key.save"), ("key.save = ctrl-1", "ctrl-1"), ("key.save = S SS", "SS"),
        ("key.save =", "key.save"),
        ("key.save", "key.save"), ("key. = S", "key."), ("key.Save = S", "key.save"),
    ]

    @Test("name the line of a mistake, in any command", arguments: wrongLines)
    func mistakes(line: String, message: String) async throws {
        #expect(throws: UsageError.self) { try keys("# mine\n" + line) }
        for command in [["list"], ["sources"], ["browse"]] {
            let process = try BlogProcess(command, environment: site.environment, folder: site.home)
            let run = try await process.run(input: "")
            #expect(run.code == 2)
            #expect(run.errors.contains("line 2") || run.errors.contains(":2"), "\(run.errors)")
            #expect(run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test("are no mistake for commands that have no keys")
    func otherCommands() async throws {
        _ = try keys("key.save = S\nquiet = true")
        let run = try await site.blog("sources")
        #expect(run.code == 0, "\(run.errors)")
    }
}
