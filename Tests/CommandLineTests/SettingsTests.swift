import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogCommandLine
@testable import BlogTerminal
@testable import blog

@Suite("The settings file") struct SettingsTests {
    private func read(_ text: String) throws -> [String: String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try Settings.read(path: file.path, known: Option.global)
    }

    @Test("has one option per line, and comments")
    func options() throws {
        let settings = try read("# mine\n\nurl = http://a:1/b?c=d\r\nno-pager\nquiet = true\n  width=72  ")
        #expect(settings == ["url": "http://a:1/b?c=d", "no-pager": "", "quiet": "", "width": "72"])
        #expect(try read("\u{FEFF}quiet\n") == ["quiet": ""])
        #expect(try read("quiet = no\nverbose = off\noffline = false\nno-pager = on") == ["no-pager": ""])
    }

    @Test("may be missing")
    func missing() throws {
        #expect(try Settings.read(path: "/nowhere/settings", known: []) == [:])
    }

    static let addresses: [(settings: String, flag: String, isUsed: Bool)] = [
        ("source = hackernews", "hackernews", true), ("source = hackernews", "hn", true),
        ("source = hn", "hackernews", true), ("source = hn", "photos", false), ("source = hn", "blog", false),
        ("", "blog", true), ("", "hn", false),
    ]

    @Test("has an address for the usual source, under any of its names, but for no other", arguments: addresses)
    func address(settings: String, flag: String, isUsed: Bool) throws {
        let options = try merged("\(settings)\nurl = http://a:1\n", flags: ["source": flag], Commands.list)
        #expect(options["url"] == (isUsed ? "http://a:1" : nil))
    }

    /// The options of a command whose flags are merged with settings.
    private func merged(
        _ settings: String, flags: [String: String], _ command: CommandDescription
    ) throws -> [String: String] {
        let home = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        let folder = home.appending(path: ".config/blog")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(settings.utf8).write(to: folder.appending(path: "settings"))
        return try OptionValues(flags: flags, command: command, Environment(["HOME": home.path])).values
    }

    @Test(
        "gives way to the opposite flag",
        arguments: [("quiet", "verbose"), ("verbose", "quiet"), ("offline", "refresh"), ("refresh", "offline")])
    func opposites(setting: String, flag: String) throws {
        #expect(try merged(setting, flags: [flag: ""], Commands.list) == [flag: ""])
    }

    @Test("may have fields for other formats than a list of IDs")
    func fieldsOfIDs() throws {
        #expect(try merged("format = ids\nfields = title", flags: [:], Commands.list) == ["format": "ids"])
        #expect(try merged("format = ids", flags: ["fields": "title"], Commands.list) == ["fields": "title"])
    }

    @Test(
        "is reported with the line of a mistake", arguments: ["x = 1", "url", "color = blue", "= 3", "quiet = maybe"])
    func mistakes(line: String) throws {
        let error = #expect(throws: UsageError.self) { try read("\n" + line) }
        guard case .settings(_, line: 2, _) = error else {
            Issue.record("\(String(describing: error)) doesn't name line 2")
            return
        }
    }
}
