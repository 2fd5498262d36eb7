import Foundation
import Synchronization

/// A pager such as less, to which output goes instead of the terminal.
final class Pager {
    /// Whether a pager owns the terminal.
    ///
    /// While it does, Ctrl-C is the pager's.
    static let isRunning = Atomic(false)

    private let pipe: UnsafeMutablePointer<FILE>

    /// A file that less reads when it starts; nil for none.
    private let history: URL?

    /// Starts a pager; nil if it can't be.
    init?(command: String, prompt: PagerPrompt) {
        fflush(nil)
        // As git does: a plain `less` would show colours as escape codes. What the user has set stays.
        setenv("LESS", prompt.lessOptions, 0)
        setenv("LV", "-c", 0)
        history = prompt.writeHistory()
        if let history { setenv("LESSHISTFILE", history.path, 1) }
        guard let pipe = popen(command, "w") else { return nil }
        self.pipe = pipe
        Self.isRunning.store(true, ordering: .sequentiallyConsistent)
    }

    /// Where to write.
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
