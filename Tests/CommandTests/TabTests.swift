import BlogTestSupport
import Foundation
import Testing

@Suite("The first Tab in a new shell", .serialized) struct TabTests {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish

        /// The file of completions and the shell's settings, as installed in a home folder.
        var files: (completions: String, settings: String, text: String) {
            switch self {
            case .bash: (".blog.bash", ".bashrc", "PS1='READY> '; . ~/.blog.bash")
            case .zsh:
                (
                    "functions/_blog", ".zshrc",
                    "PS1='READY> '; fpath=(~/functions $fpath); autoload -Uz compinit; compinit -u -D"
                )
            case .fish:
                (
                    ".config/fish/completions/blog.fish", ".config/fish/config.fish",
                    "function fish_prompt; echo 'READY> '; end; set -g fish_greeting"
                )
            }
        }

        static let installed = allCases.filter { isInstalled("/usr/bin/\($0.rawValue)") && isInstalled(setsid) }
        static let setsid = "/usr/bin/setsid"

        private static func isInstalled(_ path: String) -> Bool {
            FileManager.default.isExecutableFile(atPath: path)
        }
    }

    /// The line that is typed, and what the completed command prints.
    static let lines = [("blog conf\t", "blog/blog.sqlite3"), ("blog list --author Kerr\t --oneline", "Kerri Lane")]

    @Test("completes commands and authors", arguments: Shell.installed, lines)
    func completes(shell: Shell, line: (typed: String, printed: String)) async throws {
        let site = try TestSite()
        _ = try await site.blog("list")
        try write(try await site.blog("completions", shell.rawValue).output, shell.files.completions, in: site)
        try write(shell.files.text + "\n", shell.files.settings, in: site)
        // The shell takes Tab as typed at its prompt; the output of the command shows how it was completed.
        let terminal = try Terminal(
            columns: 120, rows: 40, response: Terminal.Response(to: "READY>", line.typed + "\rexit\r"))
        let binaries = BlogProcess.binary.deletingLastPathComponent().path
        let process = try BlogProcess(
            ["--ctty", "--wait", shell.rawValue, "-i"], of: URL(filePath: Shell.setsid),
            environment: site.environment.merging(["PATH": "\(binaries):/usr/bin:/bin", "BLOG_PAGER": "cat"]) { $1 },
            folder: site.home)
        _ = try await process.run(input: terminal.program, output: terminal.program, errors: terminal.program)
        try await terminal.wait(for: "exit")
        #expect(terminal.output.contains(line.printed))
        #expect(!terminal.output.contains("unknown command") && !terminal.output.contains("No matching posts"))
    }

    private func write(_ text: String, _ name: String, in site: TestSite) throws {
        let file = site.home.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
