import BlogTestSupport
import Foundation
import Testing

@Suite("make install") struct InstallTests {
    private static let makePath = "/usr/bin/make"
    private static let repository = Repository.mockBlog.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(
        "installs the program, pages, completions and licence, and make uninstall removes them",
        .enabled(if: FileManager.default.isExecutableFile(atPath: makePath)))
    func install() async throws {
        let site = try TestSite()
        let target = site.home.appending(path: "target with a space")
        try await make("install", target, site)
        let program = target.appending(path: "opt/bin/blog")
        #expect(FileManager.default.isExecutableFile(atPath: program.path))
        let pages = try await site.blog("__man", "--list").lines.map { "share/man/man\($0.suffix(1))/\($0)" }
        let others =
            [
                "share/bash-completion/completions/blog", "share/zsh/site-functions/_blog",
                "share/fish/vendor_completions.d/blog.fish", "share/doc/blog/LICENSE", "bin/blog",
            ] + Self.units.map { "lib/systemd/user/\($0)" }
        #expect(files(target) == Set((pages + others).map { "opt/" + $0 }))
        for unit in Self.units {
            let text = try String(
                contentsOf: target.appending(path: "opt/lib/systemd/user/\(unit)"), encoding: .utf8)
            #expect(!text.contains("@") && (unit.hasSuffix("timer") || text.contains("ExecStart=/opt/bin/blog sync")))
        }
        try await make("uninstall", target, site)
        #expect(files(target).isEmpty)
    }

    #if os(Linux)
        private static let units = ["blog-sync.service", "blog-sync.timer"]
    #else
        private static let units: [String] = []
    #endif

    @Test("has a limit on the program's size, which CONTRIBUTING.md states as it is")
    func limit() throws {
        let text = try String(contentsOf: Repository.root.appending(path: "Tools/max-bytes"), encoding: .utf8)
        let bytes = try #require(Int(text.trimmingCharacters(in: .newlines)))
        let (millions, tenths) = (bytes / 1_000_000, bytes / 100_000 % 10)
        let guide = try String(contentsOf: Repository.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        #expect(guide.contains("at most \(millions).\(tenths) MB (Tools/max-bytes)"))
    }

    /// The shells on this machine; only bash and ksh expand the `~` themselves.
    static let shells = ["sh", "bash", "dash", "ksh", "zsh", "fish"].map { "/usr/bin/" + $0 }.filter {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(
        "takes a home directory as ~ from any shell",
        .enabled(if: FileManager.default.isExecutableFile(atPath: makePath)), arguments: shells)
    func home(shell: String) async throws {
        let site = try TestSite()
        for (words, folder) in [("PREFIX=~/.local", ".local"), ("PREFIX=/a~/b 'DESTDIR=~/in  it'", "in  it/a~/b")] {
            let process = BlogProcess(
                ["-c", "\(Self.makePath) -s install \(words) 'BLOG=\(BlogProcess.binary.path)'"],
                of: URL(filePath: shell), environment: site.environment, folder: Self.repository)
            let run = try await process.run(input: "")
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(FileManager.default.isExecutableFile(atPath: "\(site.home.path)/\(folder)/bin/blog"))
        }
    }

    private func make(_ goal: String, _ target: URL, _ site: TestSite) async throws {
        let process = BlogProcess(
            ["-s", goal, "PREFIX=/opt", "DESTDIR=\(target.path)", "BLOG=\(BlogProcess.binary.path)"],
            of: URL(filePath: Self.makePath), environment: site.environment, folder: Self.repository)
        let run = try await process.run(input: "")
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    }

    private func files(_ folder: URL) -> Set<String> {
        let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
        return Set(names.filter { !isFolder(folder.appending(path: $0)) })
    }

    private func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
    }
}
