import BlogMockServer
import Foundation

/// The mock server with this repository's own data, and a home folder in which the real binary reads from it.
package final class TestSite {
    package let server: MockServer
    package let home: URL

    package init(_ site: (any MockSite)? = nil) throws {
        server = try MockServer(sites: [site ?? BlogSite(folder: Repository.mockBlog, isTimed: false)])
        home = FileManager.default.temporaryDirectory.appending(path: "blog-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: home)
    }

    package var storePath: String { home.appending(path: ".local/share/blog/blog.sqlite3").path }

    /// Runs `blog` to its end, with empty stdin unless there is an input.
    package func blog(_ arguments: String..., input: String = "", environment: [String: String] = [:]) async throws
        -> Outcome
    {
        let process = try BlogProcess(
            arguments, environment: self.environment.merging(environment) { $1 }, folder: home)
        return try await process.run(input: input)
    }

    /// Runs `blog` with the words of a line.
    package func run(_ line: String) async throws -> Outcome {
        let arguments = line.split(separator: " ").map(String.init)
        return try await BlogProcess(arguments, environment: environment, folder: home).run(input: "")
    }

    /// Runs a script in which `blog` is the binary under test.
    package func bash(_ script: String) async throws -> Outcome {
        let folder = BlogProcess.binary.deletingLastPathComponent().path
        let process = try BlogProcess(
            ["-c", "PATH=\"\(folder):$PATH\"; " + script], of: URL(filePath: "/bin/bash"), environment: environment,
            folder: home)
        return try await process.run(input: "")
    }

    /// The environment of `blog` at this site, with nothing of the tester's own.
    package var environment: [String: String] {
        ["HOME": home.path, "PATH": "/usr/bin:/bin", "BLOG_URL": server.address, "TERM": "xterm-256color"]
    }
}
