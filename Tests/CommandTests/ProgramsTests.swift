import BlogCommandLine
import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("What programs read of blog") struct ProgramsTests {
    private static func json(_ text: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    @Test(
        "is each message as an object with a word that stays the same, if JSON is asked for",
        arguments: [
            (["list", "--json", "-s", "none"], "unknown-source", 2), (["list", "--json", "--nonsense"], "usage", 2),
            (["read", "--format", "jsonl", "999"], "no-such-post", 3),
            (["list", "--json", "--sort", "nonsense"], "usage", 2),
            (["search", "--json", "source:nobody"], "bad-search", 2),
        ])
    func messages(words: [String], code: String, exitCode: Int32) async throws {
        let site = try TestSite()
        _ = try await site.blog("list")
        let run = try await site.blog(words)
        #expect(run.code == exitCode)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 1)
        let message = try #require(try Self.json(run.errors) as? [String: String])
        #expect(message["code"] == code)
        #expect(message["message"]?.isEmpty == false)
        #expect(Set(message.keys).isSubset(of: ["code", "message", "hint"]))
        let plain = try await site.blog(words.filter { !["--json", "--format", "jsonl"].contains($0) })
        #expect(plain.errors.hasPrefix("blog: \(message["message"] ?? "")"))
    }

    @Test("is a notice as an object, too")
    func notices() async throws {
        let site = try TestSite()
        _ = try await site.blog("list")
        site.server.stop()
        let run = try await site.blog("list", "--json", "--refresh")
        let message = try #require(try Self.json(run.errors) as? [String: String])
        #expect(message["code"] == "notice")
        #expect(run.code == 0)
    }

    @Test("is the help of each command, with the options that it takes", arguments: Commands.all.map(\.name))
    func help(command: String) async throws {
        let site = try TestSite()
        let run = try await site.blog("help", "--json", command)
        let help = try #require(try Self.json(run.output) as? [String: Any])
        #expect(help["name"] as? String == command)
        let description = try Commands.named(command)
        let options = try #require(help["options"] as? [[String: Any]])
        #expect(options.map { $0["name"] as? String } == description.options.map(\.name))
        #expect((help["formats"] as? [String])?.count == description.formats.count + description.otherFormats.count)
    }

    @Test("is the help of all commands")
    func overview() async throws {
        let site = try TestSite()
        let help = try #require(try Self.json(try await site.blog("help", "--json").output) as? [String: Any])
        #expect((help["commands"] as? [Any])?.count == Commands.all.count)
        for part in ["globalOptions", "settings", "environment", "exitCodes", "search"] {
            #expect((help[part] as? [Any])?.isEmpty == false, "\(part)")
        }
    }

    @Test(
        "names the fields that there are, with their types",
        arguments: [
            ["list"], ["read", "11", "--no-mark"], ["search", "the"], ["sources"], ["store"], ["config"], ["sync"],
            ["label"],
        ])
    func fields(words: [String]) async throws {
        let site = try TestSite()
        _ = try await site.blog("sync")
        _ = try await site.blog("label", "add", "y", "11")
        let run = try await site.blog(words + ["--json"])
        let all = try Self.json(run.output)
        let objects = try #require(all as? [[String: Any]] ?? (all as? [String: Any]).map { [$0] })
        let description = try Commands.named(words[0])
        #expect(!objects.isEmpty)
        for (name, value) in objects.joined() {
            #expect(description.fields.contains(name), "\(name)")
            let type = HelpJSON.type(of: name, in: description)
            let isRight =
                switch type {
                case "string", "date": value is String
                case "boolean": value is Bool
                case "number": value is NSNumber && !(value is String)
                case "array": value is [Any]
                default: value is [String: Any]
                }
            #expect(isRight, "\(name): \(type)")
        }
    }

    @Test("is a page for agents, whose commands work")
    func skill() async throws {
        let text = try DocumentedCommand.text(of: "docs/skill/SKILL.md")
        #expect(text.split(whereSeparator: \.isWhitespace).count <= 250)
        let site = try TestSite()
        _ = try await site.blog("follow", site.server.address, "--as", "nerds")
        _ = try await site.blog("sync")
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("    blog ") && !$0.contains("swift.org") }
        #expect(lines.count > 5)
        for line in lines {
            let run = try await site.shell(
                line.trimmingCharacters(in: .whitespaces).dropFirst("blog ".count).description, "")
            #expect(run.code == 0, "\(line) \(run.errors)")
            #expect(!run.output.isEmpty, "\(line)")
        }
    }
}
