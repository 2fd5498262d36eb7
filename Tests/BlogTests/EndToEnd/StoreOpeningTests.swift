import Foundation
import MockServer
import Testing

@Suite("A store, when it is opened,") struct StoreOpeningTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(MadeUpSite(posts: 3))
    }

    private func run(_ arguments: [String], store: String) async throws -> Outcome {
        var environment = site.environment
        environment["BLOG_STORE"] = store
        return try await BlogProcess(arguments, environment: environment, folder: site.home).run(input: "")
    }

    @Test("is made by one of several commands that start at once, and the others wait", arguments: 1...3)
    func together(round: Int) async throws {
        let run = try await site.bash(
            """
            for number in 1 2 3 4 5 6; do blog sources --store new-\(round) & running+=($!); done >/dev/null
            for process in "${running[@]}"; do wait "$process"; echo $?; done
            """)
        #expect(run.lines == [String](repeating: "0", count: 6))
        #expect(run.errors == "")
    }

    @Test("is made by both ends of a pipe")
    func pipe() async throws {
        let run = try await site.bash("blog list --format ids | blog read - | wc -l; echo ${PIPESTATUS[*]}")
        #expect(run.lines.last == "0 0 0")
        #expect(run.errors == "")
    }

    @Test("may have any relative name", arguments: ["x", "./x", "folder/x", "é"])
    func relativeName(name: String) async throws {
        let run = try await run(["list"], store: name)
        #expect(run.code == 0 && run.lines.count == 3 && run.errors == "")
        #expect(FileManager.default.fileExists(atPath: site.home.appending(path: name).path))
        #expect(try await site.blog("store", "check", "--store", name).code == 0)
    }
}
