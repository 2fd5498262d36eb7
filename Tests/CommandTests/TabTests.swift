import BlogCommandLine
import BlogMockServer
import BlogEssentials
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
        let terminal = try await type(line.typed + "\r", in: shell, at: site, environment: ["BLOG_PAGER": "cat"])
        try await terminal.wait(for: "exit")
        #expect(terminal.output.contains(line.printed))
        #expect(!terminal.output.contains("unknown command") && !terminal.output.contains("No matching posts"))
    }

    /// Names that a shell would run or change if they were inserted unquoted, each with a beginning of its own.
    private static func hostileNames(_ count: Int) -> [String] {
        var random = SplitMix(state: 57)
        let pieces =
            (0x20...0x7E).compactMap(Unicode.Scalar.init).map(String.init)
            + [
                "\u{D4E}", "\u{301}", "\u{200D}", "é", "日", "🎉", "“", "$(touch pwned)", "`touch pwned`",
                ";touch pwned;",
                "|sh", "&&", "||", "<(x)", "!!", "!$", "~", "~root", "{a,b}", "*", "?", "[a]", "\\", "\\\\", "''", "\"",
                "#", " #",
                "  ", "=", ":", "$HOME", "$'\\n'", "^x^y", "%1", "-rf", "--", "\u{A0}", "\u{3000}",
            ]
        return (0..<count).map { number in
            let rest = (0..<Int.random(in: 1...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
            }
            // Names are stored without spaces at their ends.
            return "n\(number)n" + rest.joined() + "."
        }
    }

    @Test("inserts hostile names as single words", arguments: Shell.installed)
    func hostile(shell: Shell) async throws {
        let site = try TestSite()
        let names = Self.hostileNames(Mutation.count(60))
        let records = names.enumerated().map { number, name in
            [
                "id": "\(number)", "title": "t", "publishDate": "2018-07-15T23:03:29Z", "postId": "\(number)",
                "author": ["name": name],
            ]
                as [String: Any]
        }
        site.server.setFault(.body(try JSONSerialization.data(withJSONObject: records)), for: "/post-metadata")
        let stored = try await site.blog("list", "--fields", "author.name").lines
        #expect(stored.count == names.count)
        // `show` is completed like `blog`, and records what it receives.
        let show = "printf '%s\\0' \"$3\" >> ~/received"
        let completed =
            switch shell {
            case .bash: "show() { \(show); }; complete -o default -F _blog show"
            case .zsh: "show() { \(show) }; compdef _blog show"
            case .fish: "function show; printf '%s\\0' $argv[3] >> ~/received; end; complete -c show -w blog"
            }
        let typed = names.indices.map { "show list --author n\($0)n\t\r" }.joined()
        _ = try await type(typed, in: shell, with: completed, at: site, environment: ["LC_ALL": "C.UTF-8"])
        let received = try Data(contentsOf: site.home.appending(path: "received")).split(separator: 0)
        #expect(received.map { String(decoding: $0, as: UTF8.self) } == names)
        #expect(!FileManager.default.fileExists(atPath: site.home.appending(path: "pwned").path))
    }

    @Test(
        "quotes 10,000 hostile names as a shell reads them, whether inserted or in a message",
        arguments: Shell.installed)
    func quoting(shell: Shell) async throws {
        let folder = try TemporaryFolder()
        let names = Self.hostileNames(10_000)
        let bash = BlogCommandLine.Shell.bash
        for (place, words) in [
            ("inserted", shell == .bash ? names.map { bash.inserted($0, over: "") } : []),
            ("message", names.map { ShellWords.quoted($0) }),
        ] {
            let script = folder.path(place)
            try words.map { "printf '%s\\0' \($0)\n" }.joined().write(
                toFile: script, atomically: false, encoding: .utf8)
            let run = try await BlogProcess(
                [script], of: URL(filePath: "/usr/bin/\(shell.rawValue)"), environment: ["LC_ALL": "C.UTF-8"],
                folder: folder.url
            ).run(input: "")
            let received = run.output.unicodeScalars.split(separator: "\0", omittingEmptySubsequences: false).dropLast()
            #expect(zip(names, received).first { !$0.unicodeScalars.elementsEqual($1) }?.0 == nil, "\(place)")
            #expect(received.count == words.count)
        }
    }

    /// Types lines at the prompt of a new shell with the completions installed, and returns the terminal after its end.
    ///
    /// - Parameter settings: further lines of its settings.
    private func type(
        _ lines: String, in shell: Shell, with settings: String = "", at site: TestSite, environment: [String: String]
    ) async throws -> Terminal {
        try write(try await site.blog("completions", shell.rawValue).output, shell.files.completions, in: site)
        try write(shell.files.text + "\n" + settings + "\n", shell.files.settings, in: site)
        // The shell takes Tab as typed at its prompt.
        let terminal = try Terminal(columns: 200, rows: 40, response: Terminal.Response(to: "READY>", lines + "exit\r"))
        let binaries = BlogProcess.binary.deletingLastPathComponent().path
        let process = BlogProcess(
            ["--ctty", "--wait", shell.rawValue, "-i"], of: URL(filePath: Shell.setsid),
            environment: site.environment.merging(["PATH": "\(binaries):/usr/bin:/bin"]) { $1 }
                .merging(environment) { $1 },
            folder: site.home)
        _ = try await process.run(input: terminal.program, output: terminal.program, errors: terminal.program)
        return terminal
    }

    private func write(_ text: String, _ name: String, in site: TestSite) throws {
        let file = site.home.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
