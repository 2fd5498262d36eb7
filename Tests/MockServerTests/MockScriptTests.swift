import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

private let server = BlogProcess.binary.deletingLastPathComponent().appending(path: "mock-server")

@Suite(
    "start-mocks.sh and stop-mocks.sh", .serialized,
    .enabled(if: FileManager.default.isExecutableFile(atPath: server.path)))
struct MockScriptTests {
    /// A checkout in which `swift build` finds the server built.
    private let folder: TemporaryFolder
    private let port: Int

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("mocks"), withDestinationPath: Repository.root.appending(path: "mocks").path)
        for name in ["start-mocks.sh", "stop-mocks.sh"] {
            try FileManager.default.copyItem(
                atPath: Repository.root.appending(path: name).path, toPath: folder.path(name))
        }
        for name in [".build", "bin"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: true)
        }
        try Data(
            "#!/bin/sh\nif [ \"$2\" = --show-bin-path ]; then echo '\(server.deletingLastPathComponent().path)'; fi\n"
                .utf8
        )
        .write(to: folder.url.appending(path: "bin/swift"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("bin/swift"))
        let free = try MockServer(sites: [])
        port = Int(free.port)
        free.stop()
    }

    private func run(_ script: String, _ arguments: String..., path: String? = nil) async throws -> Outcome {
        let process = BlogProcess(
            [folder.path(script)] + arguments, of: URL(filePath: "/bin/bash"),
            environment: ["PATH": path ?? folder.path("bin") + ":/usr/bin:/bin"], folder: folder.url)
        return try await process.run(input: "")
    }

    private func record(of port: Int) -> String? {
        try? String(contentsOfFile: folder.path(".build/mock-server-\(port).pid"), encoding: .utf8)
    }

    @Test("start one server, whose record isn't lost, however many start it at once, and stop it")
    func together() async throws {
        let start = "./start-mocks.sh \(port)"
        try Data("for number in 1 2 3 4; do \(start) & done\nwait\n".utf8).write(
            to: folder.url.appending(path: "start-four"))
        let starts = try await run("start-four")
        #expect(starts.output.split(separator: "\n").count == 4, "\(starts.errors)")
        for line in starts.output.split(separator: "\n") {
            #expect(line.contains("running: http://localhost:\(port)"))
        }
        let process = try #require(record(of: port))
        #expect(try await run("start-mocks.sh", "\(port)").output.hasPrefix("The mock server is already running"))
        #expect(record(of: port) == process)
        #expect(try await run("stop-mocks.sh").output == "The mock server at http://localhost:\(port) was stopped.\n")
        #expect(record(of: port) == nil)
        #expect(try await run("stop-mocks.sh").output == "The mock server isn't running.\n")
    }

    @Test("keep a record of each port, and stop only the one that is named")
    func ports() async throws {
        let free = try MockServer(sites: [])
        let other = Int(free.port)
        free.stop()
        for port in [port, other] { #expect(try await run("start-mocks.sh", "\(port)").code == 0) }
        let stopped = try await run("stop-mocks.sh", "\(port)")
        #expect(stopped.output == "The mock server at http://localhost:\(port) was stopped.\n")
        #expect(record(of: port) == nil && record(of: other) != nil)
        let again = try await run("stop-mocks.sh", "\(port)")
        #expect(again.output == "The mock server isn't running at port \(port).\n")
        #expect(try await run("stop-mocks.sh").output == "The mock server at http://localhost:\(other) was stopped.\n")
    }

    @Test(
        "refuse what isn't a port",
        arguments: ["0", "-1", "65536", "08106", "x", "", "8106 8107", "99999999999999999999"])
    func noPort(words: String) async throws {
        for script in ["start-mocks.sh", "stop-mocks.sh"] {
            let run = try await run(script, words)
            #expect(run.code == 2 && run.output.isEmpty)
            #expect(run.errors == "\(script): invalid port “\(words)” (use one from 1 to 65535)\n")
        }
    }

    @Test("leave other programs alone: one that has the port, and one that has the process ID of a record")
    func others() async throws {
        let program = try MockServer(sites: [])
        let run = try await run("start-mocks.sh", "\(program.port)")
        #expect(run.code == 1 && run.errors.hasPrefix("Port \(program.port) is in use."))
        program.stop()
        let sleeper = BlogProcess(["600"], of: URL(filePath: "/bin/sleep"), environment: [:], folder: folder.url)
        try sleeper.start()
        defer { sleeper.send(SIGKILL) }
        try Data("\(sleeper.processIdentifier)\n".utf8).write(
            to: URL(filePath: folder.path(".build/mock-server-\(port).pid")))
        #expect(try await self.run("stop-mocks.sh").output == "The mock server isn't running.\n")
        #expect(sleeper.isRunning && record(of: port) == nil)
    }

    @Test("say that Swift isn't installed, or how they are used")
    func messages() async throws {
        let tools = folder.path("tools")
        try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
        for name in ["dirname", "cat", "seq", "sleep", "tr"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(tools)/\(name)", withDestinationPath: "/usr/bin/\(name)")
        }
        let run = try await run("start-mocks.sh", "\(port)", path: tools)
        #expect(run.code == 1 && run.errors.hasPrefix("Swift isn't installed"), "\(run.errors)")
        for script in ["start-mocks.sh", "stop-mocks.sh"] {
            let help = try await self.run(script, "--help")
            #expect(help.code == 0 && help.output.hasPrefix("Usage: ./\(script) [PORT]\n"))
        }
    }
}
