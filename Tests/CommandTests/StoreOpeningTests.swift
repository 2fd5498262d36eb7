import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A store that a command opens", .serialized) struct StoreOpeningTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(MadeUpSite(posts: 3))
    }

    private static let commands = [
        ["list"], ["list", "--offline"], ["read", "1"], ["open", "1"], ["search", "a"], ["sync"],
        ["mark", "read", "1"], ["undo"], ["sources"], ["store"], ["store", "check"], ["store", "vacuum"],
        ["store", "export"], ["store", "import"],
    ]

    private func run(_ arguments: [String], store: String) async throws -> Outcome {
        try await site.blog(arguments, environment: ["BLOG_STORE": store])
    }

    /// Expects every command to fail with one sentence and a hint, and completion to print nothing.
    private func expectRefusal(of store: String, saying sentence: String, hintLines: Int = 1) async throws {
        for command in Self.commands {
            let run = try await run(command, store: store)
            #expect(run.code == 1, "\(command)")
            #expect(run.output == "", "\(command)")
            #expect(run.errors.hasPrefix("blog: \(sentence)\n"), "\(command): \(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1 + hintLines, "\(command): \(run.errors)")
        }
        let tab = try await run(["__complete", "zsh", "read", ""], store: store)
        #expect(tab.code == 0 && tab.output == "" && tab.errors == "")
    }

    @Test("is created by one of several commands that start at once, and the others wait")
    func together() async throws {
        for round in 1...3 {
            let run = try await site.bash(
                """
                for number in 1 2 3 4 5 6; do blog sources --store new-\(round) & running+=($!); done >/dev/null
                for process in "${running[@]}"; do wait "$process"; echo $?; done
                """)
            #expect(run.lines == [String](repeating: "0", count: 6))
            // Several may have started when there was none.
            #expect(Set(run.errors.split(separator: "\n")) == ["blog: Created the store new-\(round)"])
        }
    }

    @Test("is created by both ends of a pipe")
    func pipe() async throws {
        let run = try await site.bash("blog list --format ids | blog read - | wc -l; echo ${PIPESTATUS[*]}")
        #expect(run.lines.last == "0 0 0")
        #expect(run.errors == "")
    }

    @Test("may have any relative path")
    func relativeName() async throws {
        for name in ["x", "./y", "folder/x", "é"] {
            let run = try await run(["list"], store: name)
            #expect(run.code == 0 && run.lines.count == 3 && run.errors == "")
            #expect(FileManager.default.fileExists(atPath: site.home.appending(path: name).path))
            #expect(try await site.blog("store", "check", "--store", name).code == 0)
        }
    }

    @Test("is rejected if its path ends with a slash", arguments: ["x/", "x//", "/"])
    func slash(name: String) async throws {
        try await expectRefusal(of: name, saying: "\(name) is a directory.")
        #expect(!FileManager.default.fileExists(atPath: site.home.appending(path: "x").path))
    }

    @Test("is rejected if it is a folder")
    func folder() async throws {
        try await expectRefusal(of: site.home.path, saying: "\(site.home.path) is a directory.")
    }

    @Test("is rejected without waiting if it is a named pipe")
    func namedPipe() async throws {
        let path = site.home.appending(path: "pipe").path
        #expect(mkfifo(path, 0o600) == 0)
        try await expectRefusal(of: path, saying: "\(path) isn't a regular file.")
    }

    @Test("is rejected if a folder has the name of one of its side files", arguments: ["-wal", "-shm", "-journal"])
    func sideFolder(suffix: String) async throws {
        let path = site.home.appending(path: "store").path
        _ = try await run(["list"], store: path)
        try FileManager.default.createDirectory(atPath: path + suffix, withIntermediateDirectories: true)
        try await expectRefusal(
            of: path, saying: "Could not open the store \(path): \(path)\(suffix) isn't a regular file")
    }

    @Test("is rejected if it can't be read", .enabled(if: geteuid() != 0, "root reads everything"))
    func unreadable() async throws {
        let path = site.home.appending(path: "store").path
        _ = try await run(["list"], store: path)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        try await expectRefusal(of: path, saying: "Could not read the store \(path): Permission denied")
    }

    @Test("is rejected if it isn't a database")
    func garbage() async throws {
        let path = site.home.appending(path: "store").path
        try Data(String(repeating: "garbage ", count: 1000).utf8).write(to: URL(filePath: path))
        try await expectRefusal(of: path, saying: "\(path) is damaged or isn't a blog store.", hintLines: 2)
    }

    @Test("is only read for completion: nothing is created, migrated or left behind")
    func tab() async throws {
        let path = site.home.appending(path: "data/store").path
        let folder = site.home.appending(path: "data")
        #expect(try await run(["__complete", "zsh", "read", ""], store: path).output == "")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: path))
        #expect(try await run(["__complete", "zsh", "read", ""], store: path).output == "")
        #expect(FileManager.default.contents(atPath: path) == Data())
        _ = try await run(["list"], store: path)
        let before = FileManager.default.contents(atPath: path)
        #expect(try await run(["__complete", "zsh", "read", ""], store: path).lines.count == 3)
        #expect(FileManager.default.contents(atPath: path) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store"])
    }
}
