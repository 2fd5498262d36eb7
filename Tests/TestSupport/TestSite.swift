import BlogHTTP
import BlogMockServer
import BlogModel
import BlogStore
import Foundation
import Testing

/// The mock server with this repository's own data, and a home folder in which the real binary reads from it.
package final class TestSite {
    package let server: MockServer
    private let folder: TemporaryFolder
    package var home: URL { folder.url }

    package convenience init(_ site: (any MockSite)? = nil) throws {
        try self.init(sites: [site ?? BlogSite(folder: Repository.mockBlog, isTimed: false)])
    }

    /// A server with several sites, as `start-mocks.sh` starts one.
    package init(sites: [any MockSite]) throws {
        server = try MockServer(sites: sites)
        folder = try TemporaryFolder()
    }

    /// A site whose feeds are followed as tide and garden.
    package static func followingFeeds() async throws -> TestSite {
        let site = try TestSite(
            FeedSite(folder: Repository.mockBlog.deletingLastPathComponent().appending(path: "feeds")))
        for (path, name) in [("feed.xml", "tide"), ("garden/feed.xml", "garden")] {
            let run = try await site.blog("follow", "\(site.server.address)/feeds/\(path)", "--as", name)
            #expect(run.code == 0, "\(run.errors)")
        }
        return site
    }

    deinit { server.stop() }

    package var storePath: String { home.appending(path: ".local/share/blog/blog.sqlite3").path }

    /// Runs `blog` to its end, with empty stdin unless there is an input.
    package func blog(_ arguments: String..., input: String = "", environment: [String: String] = [:]) async throws
        -> Outcome
    {
        try await blog(arguments, input: input, environment: environment)
    }

    package func blog(_ arguments: [String], input: String = "", environment: [String: String] = [:]) async throws
        -> Outcome
    {
        try await process(arguments, environment: environment).run(input: input)
    }

    /// Lets an address count as typed by the user, as if it had been followed.
    package func type(_ address: String) async throws {
        _ = try await blog("sources")
        let url = try #require(URL(string: address))
        try await PostStore(path: storePath).write { try StoredOrigins($0).add(OriginUse(), of: "\(Origin(url))") }
    }

    /// Runs `blog` with the words of a line.
    package func run(_ line: String) async throws -> Outcome {
        try await blog(line.split(separator: " ").map(String.init))
    }

    /// The output of a shell that runs `blog` with some arguments, and another program after it.
    package func shell(_ command: String, _ rest: String) async throws -> Outcome {
        let shell = BlogProcess(
            ["-c", "'\(BlogProcess.binary.path)' \(command) \(rest)"], of: URL(filePath: "/bin/sh"),
            environment: environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }, folder: home)
        return try await shell.run(input: "")
    }

    /// Runs `blog` on a terminal, and returns what it wrote there, without the progress line, which may have been drawn
    /// or not.
    package func screen(
        _ arguments: [String], columns: Int = 80, rows: Int = 200, environment: [String: String] = [:], code: Int32 = 0
    ) async throws -> String {
        let terminal = try Terminal(columns: columns, rows: rows)
        #expect(try await terminal.run(process(arguments, environment: environment)) == code)
        return terminal.output.replacing(#/\r\e\[K([⠀-⣿][^\r]*)?/#, with: "")
    }

    /// A run of `blog` that hasn't started yet.
    package func process(_ arguments: [String], environment: [String: String] = [:]) -> BlogProcess {
        BlogProcess(arguments, environment: self.environment.merging(environment) { $1 }, folder: home)
    }

    /// Writes a shell script, and returns its path.
    package func script(_ text: String, named name: String) throws -> String {
        let file = home.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return file.path
    }

    /// The settings file.
    package var settings: URL { home.appending(path: ".config/blog/settings") }

    /// Writes the settings file.
    package func set(_ text: String) throws {
        try FileManager.default.createDirectory(
            at: settings.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: settings)
    }

    /// Writes a `~/.netrc`, which only its owner can read, with a login for all servers of tests.
    package func login(_ user: String, password: String) throws {
        let file = home.appending(path: ".netrc")
        try Data("machine 127.0.0.1 login \(user) password \(password)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    /// Runs a script in which `blog` is the binary under test.
    package func bash(_ script: String) async throws -> Outcome {
        let folder = BlogProcess.binary.deletingLastPathComponent().path
        let process = BlogProcess(
            ["-c", "PATH=\"\(folder):$PATH\"; " + script], of: URL(filePath: "/bin/bash"), environment: environment,
            folder: home)
        return try await process.run(input: "")
    }

    /// The environment of `blog` at this site, with nothing of the tester's own.
    package var environment: [String: String] {
        ["HOME": home.path, "PATH": "/usr/bin:/bin", "BLOG_URL": server.address, "TERM": "xterm-256color"]
    }
}
