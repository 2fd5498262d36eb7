import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import blog
@testable import BlogCommandLine
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogRendering
@testable import BlogTerminal

@Suite("The program", .serialized) struct ProgramTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    @Test(
        "rejects an invalid command line with a suggestion, and sends no request",
        arguments: [
            (["lst"], "“list”"), (["list", "--grup", "author"], "Did you mean --group?"),
            (["list", "--sort", "titel"], "“title”"),
            (["list", "--json=titel"], "“title”"), (["help", "raed"], "“read”"),
            (["list", "42"], "blog read 42"),
            (["read"], "a post ID"), (["list", "--limit", "0"], "a whole number"),
            (["list", "--offline", "--refresh"], "combined"),
            (["list", "--url", "localhost:8106"], "http://localhost:8106"),
            (["list", "--format", "yaml"], "use text"),
            (["--json"], "a command"),
            (["list", "--source", "hm"], "Unknown source"),
            (["list", "--width", "5"], "(use a whole number of at least 20)"),
        ])
    func usage(arguments: [String], part: String) async throws {
        let run = try await site.blog(arguments)
        #expect(run.code == 2)
        #expect(run.output == "")
        #expect(run.errors.contains(part), "\(run.errors)")
        #expect(site.server.requests.isEmpty)
    }

    @Test(
        "explains itself and each command, with examples",
        arguments: [["help"], ["--help"], ["help", "list"], ["read", "--help"], ["list", "-h"]])
    func help(arguments: [String]) async throws {
        let run = try await site.blog(arguments)
        #expect(run.code == 0)
        #expect(run.output.contains("Examples:\n  blog "))
        #expect(run.lines.allSatisfy { $0.count <= 100 })
    }

    @Test("prints its version")
    func version() async throws {
        #expect(try await site.blog("--version").output.hasPrefix("blog 0."))
    }

    @Test("lets options override the environment, and that the settings")
    func precedence() async throws {
        try site.set("oneline\nkeep = 1y\nurl = http://127.0.0.1:1\n")
        #expect(try await site.blog("list", "--limit", "1", "--format", "ids").output == "14\n")
        let elsewhere = ["BLOG_URL": "http://127.0.0.1:1"]
        #expect(try await site.blog("list", environment: elsewhere).code == 4)
        #expect(try await site.blog("list", "--url", site.server.address, environment: elsewhere).code == 0)
    }

    @Test(
        "reports what a server did wrong in at most two lines",
        arguments: [
            Fault.status(404), .status(429), .status(500), .html, .truncate, .body(Data()), .reset, .wrongLength,
            .refuse, .redirectLoop, .redirect("file:///etc/passwd"), .body(Data([0xFF, 0xFE])),
            .body(Data(String(repeating: "[", count: 100_000).utf8)), .body(Data("[7]".utf8)),
        ])
    func badServer(fault: Fault) async throws {
        site.server.setFault(fault, for: "/post-metadata")
        let run = try await site.blog("list")
        #expect([1, 4].contains(run.code))
        #expect(run.output == "")
        #expect(run.errors.contains(site.server.address))
        #expect((1...2).contains(run.errors.split(separator: "\n").count), "\(run.errors)")
    }

    /// Responses that violate HTTP, and what is reported about each.
    static let brokenResponses: [(String, String)] = [
        ("HTTP/1.1 200 OK\r\n", ": connection closed before the response was complete"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx", ": invalid content length or chunked encoding"),
        (
            "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\r\n\r\n",
            ": HTTP 401: login required, but ~/.netrc has none"
        ),
        ("HTTP/1.1 302 Found\r\nLocation: http://\r\n\r\n", ": unsafe redirect to “http://”"),
        ("SSH-2.0-OpenSSH_9.2\r\n", ": not an HTTP server"),
    ]

    @Test("shows the stored list if a response violates HTTP, but says so and fails", arguments: brokenResponses)
    func broken(bytes: String, sentence: String) async throws {
        _ = try await site.blog("list")
        site.server.setFault(.raw(Data(bytes.utf8)), for: "/post-metadata")
        let run = try await site.blog("list")
        #expect(run.code == 1)
        #expect(run.lines.count == 15)
        #expect(run.errors.hasPrefix("blog: Could not refresh \(site.server.address)\(sentence)"), "\(run.errors)")
        #expect(run.errors.contains(" (showing the copy from ") && run.errors.split(separator: "\n").count == 1)
    }

    @Test(
        "accepts every value that an option lists",
        arguments: Commands.all.flatMap { command in
            command.allOptions.flatMap { option -> [[String]] in
                guard case .oneOf(let words) = option.value else { return [] }
                return words.map { [command.name, "--\(option.name)", $0, "--help"] }
            }
        })
    func everyWord(arguments: [String]) async throws {
        var parsed = Arguments()
        #expect(throws: Never.self) { try parsed.parse(arguments) }
        var reversed = Arguments()
        #expect(throws: Never.self) { try reversed.parse(Array(arguments[1...]) + [arguments[0]]) }
        #expect(parsed.options == reversed.options)
    }

    @Test("accepts any width", arguments: ["20", "1000000000", "9223372036854775807"])
    func widths(width: String) async throws {
        #expect(try await site.blog("list", "--group", "author", "--format", "table", "--width", width).code == 0)
        #expect(try await site.blog("read", "1", "--format", "text", environment: ["COLUMNS": width]).code == 0)
        #expect(try await site.blog("read", "1", "--format", "text", environment: ["COLUMNS": "1"]).code == 0)
    }

    @Test("prints no forged lines on stderr, whatever ids a server has")
    func forgery() async throws {
        let records = [#"{"id":"1\nblog: on fire"}"#, #"{"id":"1\nblog: on fire"}"#].map {
            $0.dropLast() + #","title":"T","publishDate":"2018-07-15T23:03:29Z","postId":"1","author":{"name":"A"}}"#
        }
        site.server.setFault(.body(Data("[\(records.joined(separator: ","))]".utf8)), for: "/post-metadata")
        let run = try await site.blog("list")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test("reports that stdout is closed, and writes to nothing else in its place")
    func closedOutput() async throws {
        _ = try await site.blog("list")
        let run = try await site.shell("list --offline", ">&-")
        #expect(run.errors == "blog: Could not write the output: it is closed\n")
        #expect(run.code == 1)
        #expect(try await site.blog("store", "check").code == 0)
    }

    @Test(
        "reports that stdout can't be written, also if a message follows the output",
        arguments: [["config"], ["sync", "--json"], ["label", "--json"], ["search", "harbour OR"]])
    func fullDisk(words: [String]) async throws {
        _ = try await site.blog("list")
        let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        let errors = site.home.appending(path: "errors")
        try Data().write(to: errors)
        let code = try await site.process(words).run(
            input: .nullDevice, output: full, errors: FileHandle(forWritingTo: errors))
        let text = try String(contentsOf: errors, encoding: .utf8)
        #expect(code == 1 && text.contains("Could not write the output: "), "\(words): \(text)")
    }

    @Test("leaves nothing in the home folder except its store")
    func leftovers() async throws {
        _ = try await site.blog("list")
        let names = FileManager.default.enumerator(atPath: site.home.path)?.compactMap { $0 as? String } ?? []
        let store = ".local/share/blog/blog.sqlite3"
        #expect(names.contains(store))
        #expect(
            Set(names).subtracting([".local", ".local/share", ".local/share/blog"]).allSatisfy { $0.hasPrefix(store) })
    }

    @Test("lets options override the settings, and shows help whatever these contain")
    func settings() async throws {
        try site.set("\u{FEFF}images = never\nquiet = false\nstore = ~/kept/here.db\n")
        let run = try await site.blog("list", "--refresh", "--json=id")
        #expect(run.code == 0)
        #expect(run.errors == "")
        #expect(run.output.hasPrefix("[\n{\"id\":"))
        let store = site.home.appending(path: "kept/here.db").path
        #expect(try FileManager.default.attributesOfItem(atPath: store)[.posixPermissions] as? Int == 0o600)
        try site.set("width = x")
        #expect(
            try await site.blog("list").errors.hasPrefix("blog: \(site.settings.path):1: Invalid value “x” for --width")
        )
        try site.set("witdh = 70")
        #expect(try await site.blog("help", "list").code == 0)
        #expect(try await site.blog("list").code == 2)
    }

    @Test(
        "refers to the help of the right command",
        arguments: [(["list", "--bad"], "blog help list"), (["read"], "blog help read"), (["mark"], "blog help mark")])
    func hints(arguments: [String], hint: String) async throws {
        #expect(try await site.blog(arguments).errors.hasSuffix(hint + "\n"))
    }

    @Test("fails on a redirect without a target, and on an unexpected 304", arguments: [301, 302, 304])
    func missingLocation(status: Int) async throws {
        site.server.setFault(.status(status), for: "/post-metadata")
        let run = try await site.blog("list")
        #expect(run.code == 1)
        #expect(run.errors.contains("/post-metadata: HTTP \(status)"))
    }

    @Test("gives up on a silent server after --timeout")
    func timeout() async throws {
        site.server.setFault(.stall, for: "/post-metadata")
        try await EnoughTime.from(1) { seconds in
            let run = try await site.blog("list", "--timeout", "\(Int(seconds))")
            return run.code == 1 && run.errors.contains("timed out: no data for \(Int(seconds)) s")
        }
        site.server.setFault(.delay(60_000), for: "/post-metadata")
        let silent = try await site.blog("list", "--timeout", "0.3")
        #expect(silent.code == 4)
        #expect(silent.errors.contains("timed out after 0.3 s"))
    }

    @Test("fails if the disk for its output is full, and says so")
    func fullDisk() async throws {
        let process = site.process(["list"])
        let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        let errors = site.home.appending(path: "err")
        try Data().write(to: errors)
        let code = try await process.run(
            input: .nullDevice, output: full, errors: try FileHandle(forWritingTo: errors))
        #expect(code == 1)
        #expect(
            try String(contentsOf: errors, encoding: .utf8)
                == "blog: Could not write the output: No space left on device\n")
    }

    @Test("ends quietly when the reader of its output exits")
    func closedPipe() async throws {
        let pipe = Pipe()
        let process = site.process(["list"])
        try pipe.fileHandleForReading.close()
        let errors = site.home.appending(path: "err")
        try Data().write(to: errors)
        let code = try await process.run(
            input: .nullDevice, output: pipe.fileHandleForWriting, errors: try FileHandle(forWritingTo: errors))
        #expect(code == 0)
        #expect(try Data(contentsOf: errors).isEmpty)
    }
}
