import BlogLibrary
import Essentials
import Synchronization

/// A pager such as less, to which output goes instead of the terminal.
final class Pager {
    /// Whether a pager owns the terminal.
    ///
    /// Meanwhile Ctrl-C is the pager's.
    static let isRunning = Atomic(false)

    private let pipe: UnsafeMutablePointer<FILE>

    /// A file that less reads when it starts; nil for none.
    private let history: URL?

    /// Starts a pager; nil if it can't be.
    init?(command: String, prompt: PagerPrompt) {
        fflush(nil)
        // As git does: a plain `less` would show colours as escape codes. The user's own settings stay.
        setenv("LESS", prompt.lessOptions, 0)
        setenv("LV", "-c", 0)
        history = prompt.writeHistory()
        if let history { setenv("LESSHISTFILE", history.path, 1) }
        guard let pipe = popen(command, "w") else { return nil }
        self.pipe = pipe
        Self.isRunning.store(true, ordering: .sequentiallyConsistent)
    }

    /// The pager's input.
    var stream: FileStream { FileStream(descriptor: fileno(pipe)) }

    /// Waits until the pager exits.
    func wait() {
        pclose(pipe)
        if let history { try? FileManager.default.removeItem(at: history) }
        Self.isRunning.store(false, ordering: .sequentiallyConsistent)
    }

    /// The user's pager, else less if there is one; nil for none.
    ///
    /// An empty variable and `cat` mean none.
    static func command(_ environment: Environment) -> String? {
        for variable in ["BLOG_PAGER", "PAGER"] where environment.isSet(variable) {
            return environment[variable].flatMap { $0 == "cat" || !canRun($0, environment) ? nil : $0 }
        }
        return canRun("less", environment) ? "less -FRX" : nil
    }

    /// Whether a command's program is there; true if only a shell can tell.
    ///
    /// Output to a missing program would be lost.
    private static func canRun(_ command: String, _ environment: Environment) -> Bool {
        let program = command.prefix { $0 != " " }
        guard program.allSatisfy({ $0.isLetter || $0.isNumber || "._-+/".contains($0) }) else { return true }
        return environment.hasProgram(String(program))
    }
}

/// The prompt of less, and the places that `n` and `N` jump to.
package struct PagerPrompt {
    /// The name of the output, such as "blog read hn:8863".
    let name: String
    let stop: Stop?
    /// The columns of the terminal.
    let width: Int

    /// The lines between which `n` and `N` jump.
    package enum Stop: String, CaseIterable {
        /// A post of a list: its second line, which ends with the id. A title looks like any other line.
        case post
        /// A comment that replies to nothing but the post: no bar is before it.
        case comment
        /// One post of several that are read in a pager of the user's choice: the line under its title.
        case article

        /// A POSIX extended regular expression.
        var pattern: String {
            switch self {
            case .post: "^ +[^ ].* · [^ ]+$"
            case .comment: "^[^│ ].* · ([^ ]+|[^ ]+ · new)$"
            case .article: "^━+$"
            }
        }

        /// The word for the prompt.
        fileprivate var noun: String { self == .comment ? "thread" : "post" }
        /// The row of the screen in which it is shown, so that what belongs above it is seen too.
        fileprivate var row: Int { self == .comment ? 1 : 2 }
    }

    /// The value of the variable `LESS`: git's options, the row for the match of a jump, and the prompt.
    var lessOptions: String { "FRXgj\(stop?.row ?? 1)Ps\(text)$" }

    /// The prompt in less's own language: the name, then the position as soon as less knows it.
    private var text: String {
        // A dollar ends the prompt, and less miscounts the columns of other letters.
        let name = self.name.unicodeScalars.filter { (" "..."~").contains($0) && $0 != "$" }.prefix(
            max(width - Self.rest, 0))
        let shown = name.map { "\\?:.%".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined()
        let next = stop.map { ", n\\: next \($0.noun)" } ?? ""
        return "\(shown), ?eend:?pB%pB\\%:line %lb.. (q\\: quit\(next))"
    }

    /// The columns for the position.
    private static let rest = 38

    /// Writes a history file that makes `n` work before the first search; returns its path, nil if it can't be written.
    ///
    /// less takes the last pattern of its history file for the last search. `n` doesn't wrap at the last match:
    /// `--search-options=W` (less 608 to 709) is for typed patterns only, and a search in `LESS` (`+/`) would move the
    /// first page and highlight in it.
    func writeHistory() -> URL? {
        guard let stop else { return nil }
        let file = FileManager.default.temporaryDirectory.appending(path: "blog-less-\(UUID().uuidString)")
        let lines = ".less-history-file:\n.search\n\"\(stop.pattern)\n"
        return (try? Data(lines.utf8).write(to: file, options: .withoutOverwriting)).map { file }
    }
}
