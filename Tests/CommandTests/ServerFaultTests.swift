import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A command with a faulty server") struct ServerFaultTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    /// The faults of the mock server, as on its command line.
    static let faults = [
        "status:304", "status:403", "status:404", "status:429", "status:500", "status:503", "delay:3000", "refuse",
        "half", "cut-head", "reset", "stall", "truncate", "wrong-length", "endless", "redirect-loop", "redirect-file",
        "redirect:http://127.0.0.1:1/", "drip:20", "html", "null",
    ]
    static let commands = ["list", "read 1", "sync --limit 1"]
    /// A search requests nothing: one fault that it would notice is enough.
    static let cases = faults.flatMap { fault in commands.map { (fault, $0) } } + [("stall", "search word")]

    @Test("ends with a plain message and a documented exit code, and prints only posts", arguments: cases)
    func ends(name: String, command: String) async throws {
        let fault = try #require(Fault(name))
        site.server.setFault(fault, for: "/*")
        let empty = try await run(command, waiting: 0.5)
        site.server.setFault(nil, for: "/*")
        _ = try await site.blog("list")
        // Only bodies, if they are requested; the list before them is valid.
        site.server.setFault(fault, for: command == "list" ? "/*" : "/post/*")
        let stored = try await run(command, waiting: 0.5)
        site.server.setFault(nil, for: command == "list" ? "/*" : "/post/*")
        let good = try await run(command, waiting: 600)
        #expect(good.code == 0, "\(good.errors)")
        var known = Set(good.lines)
        if command == "read 1" {
            // A post without its body is shown with its summary.
            known.formUnion(try await site.blog("list", "--offline", "--fields", "summary").lines)
        }
        for bad in [empty, stored] {
            #expect(try Self.codes.contains(bad.code), "\(bad.code)")
            #expect(bad.output.isEmpty || bad.output.hasSuffix("\n"))
            #expect(Set(bad.lines).isSubset(of: known), "\(bad.output)")
            expectPlain(bad.errors)
        }
    }

    @Test("is tested with every fault that the mock server knows")
    func everyFault() {
        let names = Fault.names.split(whereSeparator: \.isWhitespace).map { $0.prefix { $0 != ":" } }
        #expect(Set(names) == Set(Self.faults.map { $0.prefix { $0 != ":" } }))
    }

    private func run(_ command: String, waiting seconds: Double) async throws -> Outcome {
        let arguments = command.split(separator: " ").map(String.init) + ["--timeout", "\(seconds)"]
        return try await site.blog(arguments)
    }

    /// At most two lines of words, without the program's internals.
    private func expectPlain(_ errors: String) {
        let lines = errors.split(separator: "\n")
        #expect(lines.count <= 2, "\(errors)")
        #expect(lines.first?.hasPrefix("blog: ") != false)
        let insides = #/Error Domain|NSError|NSURL|Optional\(|\b[A-Z][a-z]+Error\b|\bnil\b|unexpected error/#
        #expect(!errors.contains(insides), "\(errors)")
    }

    /// The documented exit codes, except those of usage errors and of Ctrl-C.
    private static var codes: Set<Int32> {
        get throws {
            let page = Repository.mockBlog.appending(path: "../../../docs/exit-codes.md").standardizedFileURL
            let rows = try String(contentsOf: page, encoding: .utf8).matches(of: #/(?m)^\| (\d+) \| /#)
            return Set(rows.compactMap { Int32($0.1) }).subtracting([2, 130])
        }
    }
}
