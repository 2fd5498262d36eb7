import BlogMockServer
@testable import BlogStore
import BlogTestSupport
import Foundation
import Testing

@Suite("blog store import", .serialized) struct StoreImportTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(MadeUpSite(posts: 3))
    }

    @Test(
        "skips a line with an unknown source or an invalid address",
        arguments: [
            (#""source":"blog""#, #""source":"blgo""#), (#""source":"blog""#, #""source":"hn""#),
            (#""address":"http:"#, #""address":"file:"#),
        ])
    func unknownSource(known: String, other: String) async throws {
        _ = try await site.blog("list")
        let export = try await site.blog("store", "export")
        let flawed = export.lines[0] + "\n" + export.lines[1].replacing(known, with: other) + "\n"
        #expect(flawed.contains(other))
        let run = try await site.blog("store", "import", "--store", "other", input: flawed)
        #expect(run.code == 5)
        #expect(run.errors.hasSuffix("blog: Skipped line 2: it isn't an exported post.\n"))
        #expect(try await site.blog("sources", "--check", "--store", "other").code == 0)
    }

    @Test(
        "accepts any count that a number can be, and lists show it in every format",
        arguments: [Int.min, -1, 0, Int.max])
    func counts(number: Int) async throws {
        _ = try await site.blog("list")
        let lines = try await site.blog("store", "export").lines.dropLast().joined(separator: "\n") + "\n"
        let counted = lines.replacing(
            #""metadata":{"#, with: #""metadata":{"score":\#(number),"commentCount":\#(number),"#)
        #expect(try await site.blog("store", "import", "--store", "other", input: counted).code == 0)
        for format in ["table", "tsv", "json", "jsonl", "csv", "markdown", "text", "html"] {
            let run = try await site.blog("list", "--store", "other", "--offline", "--format", format)
            #expect(run.code == 0 && !run.output.isEmpty, "\(format): \(run.errors)")
        }
        #expect(try await site.blog("store", "check", "--store", "other").code == 0)
    }

    @Test("lets rules mark what comes after it")
    func rules() async throws {
        let site = try TestSite(
            FeedSite(folder: Repository.mockBlog.deletingLastPathComponent().appending(path: "feeds")))
        func publish(_ count: Int) {
            let items = (1...count).map {
                "<item><title>Alpha \($0)</title><link>https://a.example/\($0)</link></item>"
            }
            let feed = "<rss version=\"2.0\"><channel><title>A</title>\(items.joined())</channel></rss>"
            site.server.setFault(.body(Data(feed.utf8)), for: "/feeds/feed.xml")
        }
        publish(1)
        #expect(try await site.blog("follow", "\(site.server.address)/feeds/feed.xml", "--as", "a").code == 0)
        #expect(try await site.blog("rule", "add", "title:alpha", "--save").code == 0)
        let export = try await site.blog("store", "export").output
        #expect(try await site.blog("store", "import", "-", input: export).code == 0)
        publish(3)
        #expect(try await site.blog("list", "-s", "a", "--refresh").code == 0)
        #expect(try await site.blog("list", "--saved", "--format", "ids").lines.count == 3)
    }

    @Test("brings what --new has yet to list along")
    func cursors() async throws {
        _ = try await site.blog("list", "--new=seen")
        _ = try await site.blog("list", "--new=some", "--peek")
        let export = try await site.blog("store", "export").output
        #expect(export.contains(#"{"cursor":"seen","source":"blog","#))
        #expect(try await site.blog("store", "import", "-", "--store", "other", input: export).code == 0)
        let options = ["--store", "other", "--offline", "--format", "ids"]
        #expect(try await site.blog(["list", "--new=seen"] + options).lines == [])
        #expect(try await site.blog(["list", "--new=some"] + options).lines.count == 3)
        #expect(try await site.blog("store", "export", "--store", "other").output.contains("\"cursor\":\"some\""))
        // The posts of another archive, which weren't listed where this one comes from, are new.
        let lines = export.split(separator: "\n").map(String.init)
        let firsts = lines.filter { $0.contains("\"id\":\"1\"") } + lines.filter { $0.contains("\"cursor\"") }
        let two = firsts.joined(separator: "\n") + "\n{\"exportEnd\":{\"lines\":0,\"digest\":\"\"}}\n" + export
        #expect(try await site.blog("store", "import", "-", "--store", "third", input: two).code == 5)
        let third = ["--store", "third", "--offline", "--format", "ids"]
        #expect(try await site.blog(["list", "--new=seen"] + third).lines.count == 2)
    }

    @Test(
        "skips lines with an impossible time",
        arguments: ["-9223372036854775808", "-1", "9223372036854775807", "1e308"])
    func times(time: String) async throws {
        _ = try await site.blog("follow", site.server.address)
        _ = try await site.blog("list")
        let lines = try await site.blog("store", "export").lines
        #expect(lines.count == 5)
        for name in ["changedAt", "followedAt"] {
            let written = try Regex("\"\(name)\":[0-9]+")
            let flawed = lines.map { $0.replacing(written, with: "\"\(name)\":\(time)") }
            let run = try await site.blog(
                "store", "import", "--store", "other\(name)", input: flawed.joined(separator: "\n") + "\n")
            let refused =
                name == "followedAt"
                ? "Skipped line 1: it isn't an exported post." : "Skipped lines 2, 3 and 4: they aren't exported posts."
            #expect(run.code == (name == "followedAt" ? 5 : 1) && run.errors.contains(refused), "\(run.errors)")
        }
    }

    /// What happened to an export on its way.
    enum Change {
        case none, lacksTwo, isReordered, hasOtherLineEnds, isTwice, lacksEnd, goesOn

        func of(_ lines: [String]) -> [String] {
            switch self {
            case .none: lines
            case .lacksTwo: Array(lines.dropFirst(2))
            case .isReordered: [lines[1], lines[0]] + lines.dropFirst(2)
            case .hasOtherLineEnds: lines.map { $0 + "\r" }
            case .isTwice: lines + lines
            case .lacksEnd: lines.dropLast()
            case .goesOn: lines + [lines[0]]
            }
        }
    }

    @Test(
        "says what is missing of an export, or that it was changed",
        arguments: [
            (Change.none, 0, nil), (.lacksTwo, 5, "The export isn't whole: 2 of its 3 lines are missing."),
            (.isReordered, 5, "The export was changed: its lines don't match the digest in its end line."),
            (.hasOtherLineEnds, 0, nil), (.isTwice, 0, nil), (.lacksEnd, 0, "The export has no end line"),
            (.goesOn, 0, "The export has no end line"),
        ])
    func end(change: Change, code: Int32, message: String?) async throws {
        _ = try await site.blog("list")
        let lines = try await site.blog("store", "export").lines
        let input = change.of(lines).joined(separator: "\n") + "\n"
        let run = try await site.blog("store", "import", "--store", UUID().uuidString, input: input)
        #expect(run.code == code)
        #expect(message.map(run.errors.contains) ?? !run.errors.contains("export"), "\(run.errors)")
    }

    @Test("may have stored an unknown source, which a check skips")
    func knownBefore() async throws {
        _ = try await site.blog("follow", site.server.address, "--as", "nerds")
        try Database(path: site.storePath, mode: .readWrite).execute(
            """
            INSERT INTO sources (kind, address, name, followed_at)
            VALUES ('blgo', 'http://a', 'a', 1), ('blog', 'file:///b', 'b', 1)
            """)
        let run = try await site.blog("sources", "--check", "--fields", "address,status")
        #expect(run.code == 0)
        #expect(run.lines == ["http://a\tnever", "file:///b\tnever", "\(site.server.address)\tok"])
        #expect(run.errors.split(separator: "\n").count == 2)
        #expect(run.errors.contains("Skipped a (http://a): this version of blog doesn't support it"))
    }

    @Test("reads an export of the last build with other tables: nothing is lost or changed")
    func earlierBuild() async throws {
        let file = Repository.root.appending(path: "Tests/Fixtures/export-of-schema-2.jsonl")
        let exported = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        let run = try await site.blog("store", "import", file.path)
        #expect(run.code == 0, "\(run.errors)")
        let again = try await site.blog("store", "export")
        #expect(again.code == 0, "\(again.errors)")
        let (before, after) = (try exported.map(Self.sorted), try again.lines.dropLast().map(Self.sorted))
        #expect(Set(before).subtracting(after) == [] && Set(after).subtracting(before) == [])
        #expect(before.count == after.count && before.count { $0.contains(#""metadata":"#) } == 88)
        #expect(try await site.blog("store", "check").code == 0)
        // What lists sort and filter by is stored apart from the rest.
        #expect(try await site.run("list --offline --tag birds --fields title").lines.count == 2)
        let best = try await site.run("list -s pics --offline --sort rating --limit 3 --fields rating")
        #expect(best.lines == ["100.0", "99.5", "98.9"])
    }

    @Test("is what a store of an earlier build needs, says every command", arguments: [1, 4, 11])
    func earlierStore(version: Int) async throws {
        _ = try await site.blog("list")
        try Database(path: site.storePath, mode: .readWrite).execute("PRAGMA user_version = \(version)")
        for command in ["list", "sources", "store export", "store check"] {
            let run = try await site.run(command)
            #expect(run.code == 1 && run.output.isEmpty)
            #expect(
                run.errors == """
                    blog: \(site.storePath) was made by an earlier build, and this version of blog can't read it.
                    Export it with a build of commit 464239a1 (blog store export > posts.jsonl), move it elsewhere, \
                    then run: blog store import posts.jsonl

                    """)
        }
    }

    /// The same JSON with its members in the order of their names.
    private static func sorted(_ line: String) throws -> String {
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return String(
            decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys), as: UTF8.self)
    }

    private func run(_ arguments: [String], input: FileHandle) async throws -> (code: Int32, errors: String) {
        let file = site.home.appending(path: "errors")
        try Data().write(to: file)
        let process = site.process(arguments)
        let code = try await process.run(
            input: input, output: .nullDevice, errors: try FileHandle(forWritingTo: file))
        return (code, try String(contentsOf: file, encoding: .utf8))
    }

    @Test(
        "reports input that can't be read, like the other commands that read stdin",
        arguments: [["store", "import", "-"], ["store", "import"], ["read", "-"], ["mark", "read", "-"]])
    func unreadable(arguments: [String]) async throws {
        _ = try await site.blog("list")
        let folder = open(site.home.path, O_RDONLY)
        let run = try await run(arguments, input: FileHandle(fileDescriptor: folder, closeOnDealloc: true))
        #expect(run.code == 2)
        #expect(run.errors.hasPrefix("blog: Could not read standard input: Is a directory\n"))
    }

    /// Input whose first lines can be read, but not the rest.
    private func broken(_ text: String) throws -> FileHandle {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        // Closing a connection with unread input resets it.
        _ = write(ends[0], "unread", 6)
        _ = text.withCString { write(ends[1], $0, strlen($0)) }
        close(ends[1])
        return FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    }

    @Test("keeps what it has read if stdin fails midway, and says so")
    func midway() async throws {
        _ = try await site.blog("list")
        let export = try await site.blog("store", "export")
        let lines = export.lines[0] + "\n" + export.lines[1] + "\n"
        let imported = try await run(["store", "import", "--store", "other"], input: try broken(lines))
        #expect(imported.code == 5)
        #expect(imported.errors.contains("2 posts: 2 new"))
        #expect(imported.errors.hasSuffix("blog: Could not read standard input: Connection reset by peer\n"))
        #expect(try await run(["read", "-"], input: try broken("1\n2\n")).code == 5)
        #expect(try await run(["mark", "saved", "-"], input: try broken("1\n2\n")).code == 2)
        #expect(try await site.blog("list", "--saved").lines.isEmpty)
    }
}
