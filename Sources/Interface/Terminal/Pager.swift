import BlogEssentials
import Synchronization

/// A running pager such as less.
final class Pager {
    /// Whether a pager owns the terminal, and handles Ctrl-C.
    static let isRunning = Atomic(false)

    private let pipe: UnsafeMutablePointer<FILE>
    private let command: String
    /// A history file for less; nil for none.
    private let history: URL?

    /// Starts a pager; nil if that fails.
    init?(command: String, prompt: PagerPrompt, _ environment: Environment) {
        fflush(nil)
        // Like git: less alone would show escape codes. The user's other options take precedence.
        if environment.isSet("LESS") {
            setenv("LESS", "-R \(environment["LESS"] ?? "")", 1)
        } else {
            setenv("LESS", prompt.lessOptions, 1)
        }
        // Else less would show bytes for letters.
        if !environment.isUTF8, !environment.isSet("LESSCHARSET") { setenv("LESSCHARSET", "utf-8", 1) }
        setenv("LV", "-c", 0)
        history = prompt.writeHistory()
        if let history { setenv("LESSHISTFILE", history.path, 1) }
        guard let pipe = popen(command, "w") else { return nil }
        (self.pipe, self.command) = (pipe, command)
        Self.isRunning.store(true, ordering: .sequentiallyConsistent)
    }

    var stream: FileStream { FileStream(descriptor: fileno(pipe)) }

    /// Waits until the user leaves the pager.
    ///
    /// Throws ``OutputError/pagerFailed(_:status:)``; one that was ended by a signal, as by Ctrl-C, hasn't failed.
    func wait() throws {
        let status = pclose(pipe)
        if let history { try? FileManager.default.removeItem(at: history) }
        Self.isRunning.store(false, ordering: .sequentiallyConsistent)
        let code = status >> 8 & 0xFF
        // A shell reports a signal as 128 and its number.
        if status & 0x7F == 0, (1...128).contains(code) { throw OutputError.pagerFailed(command, status: Int(code)) }
    }

    /// The user's pager, or else less if installed; nil for none, which an empty variable and `cat` mean, too.
    static func command(_ environment: Environment) -> String? {
        for variable in ["BLOG_PAGER", "PAGER"] where environment.isSet(variable) {
            return environment[variable].flatMap { $0 == "cat" || !canRun($0, environment) ? nil : $0 }
        }
        return canRun("less", environment) ? "less -FRX" : nil
    }

    /// Whether the program of a command exists, without which the output would be lost; true if only a shell can tell.
    private static func canRun(_ command: String, _ environment: Environment) -> Bool {
        let program = command.prefix { $0 != " " }
        guard program.allSatisfy({ $0.isLetter || $0.isNumber || "._-+/".contains($0) }) else { return true }
        return environment.hasProgram(String(program))
    }
}

/// The prompt of less, and the lines that `n` and `N` jump to.
package struct PagerPrompt {
    /// The name of the output, such as "blog read hn:8863".
    let name: String
    let stop: Stop?
    let width: Int

    /// The lines that `n` and `N` jump to.
    package enum Stop: String, CaseIterable {
        /// A post of a list, by its second line, which ends with the ID: a title looks like any other line.
        case post
        /// A top-level comment, which has no bar before it.
        case comment
        /// A post among several, by the line under its title.
        case article

        /// A POSIX extended regular expression.
        var pattern: String {
            switch self {
            case .post: "^ +[^ ].* · [^ ]+$"
            case .comment: "^[^│ ].* · ([^ ]+|[^ ]+ · new)$"
            case .article: "^━+$"
            }
        }

        fileprivate var noun: String { self == .comment ? "thread" : "post" }
        /// The row of the screen to show it in, so that the lines that belong above it are visible.
        fileprivate var row: Int { self == .comment ? 1 : 2 }
    }

    /// The value of `LESS`: git's options, the row for the line jumped to, and the prompt.
    var lessOptions: String { "FRXgj\(stop?.row ?? 1)Ps\(text)$" }

    /// The prompt in the syntax of less: the name, then the position as soon as less knows it.
    private var text: String {
        // A dollar sign ends the prompt, and less miscounts the columns of characters beyond ASCII.
        let name = self.name.unicodeScalars.filter { (" "..."~").contains($0) && $0 != "$" }.prefix(
            max(width - Self.positionWidth, 0))
        let shown = name.map { "\\?:.%".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined()
        let next = stop.map { ", n\\: next \($0.noun)" } ?? ""
        return "\(shown), ?eend:?pB%pB\\%:line %lb.. (q\\: quit\(next))"
    }

    private static let positionWidth = 38

    /// Writes a history file that makes `n` work before the first search; nil if that fails.
    ///
    /// less uses the last pattern of its history file. `n` doesn't wrap around: `--search-options=W` (less 608 to 709)
    /// applies to typed patterns only, and a search in `LESS` (`+/`) would scroll the first page and highlight matches.
    func writeHistory() -> URL? {
        guard let stop else { return nil }
        let file = FileManager.default.temporaryDirectory.appending(path: "blog-less-\(UUID().uuidString)")
        let lines = ".less-history-file:\n.search\n\"\(stop.pattern)\n"
        return (try? Data(lines.utf8).write(to: file, options: .withoutOverwriting)).map { file }
    }
}
