import Foundation
import Testing
@testable import Feeds
@testable import CommandLine
@testable import Terminal
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
        let home = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        let folder = home.appending(path: ".config/blog")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("\(settings)\nurl = http://a:1\n".utf8).write(to: folder.appending(path: "settings"))
        let options = try OptionValues(
            flags: ["source": flag], command: Commands.list, Environment(["HOME": home.path]))
        #expect(options.values["url"] == (isUsed ? "http://a:1" : nil))
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
