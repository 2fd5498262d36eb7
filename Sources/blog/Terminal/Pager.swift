import Foundation
import Synchronization

/// A pager such as less, to which output goes instead of the terminal.
final class Pager {
    /// Whether a pager owns the terminal.
    ///
    /// While it does, Ctrl-C is the pager's.
    static let isRunning = Atomic(false)

    private let pipe: UnsafeMutablePointer<FILE>

    /// Starts a pager; nil where it can't be.
    init?(command: String) {
        fflush(nil)
        guard let pipe = popen(command, "w") else { return nil }
        self.pipe = pipe
        Self.isRunning.store(true, ordering: .sequentiallyConsistent)
    }

    /// Where to write.
    var stream: FileStream { FileStream(descriptor: fileno(pipe)) }

    /// Waits until the user has seen enough.
    func wait() {
        pclose(pipe)
        Self.isRunning.store(false, ordering: .sequentiallyConsistent)
    }

    /// The user's pager, else less where there is one; nil for none.
    ///
    /// An empty variable and `cat` mean none.
    static func command(_ environment: Environment) -> String? {
        for variable in ["BLOG_PAGER", "PAGER"] where environment.isSet(variable) {
            return environment[variable].flatMap { $0 == "cat" ? nil : $0 }
        }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let hasLess = folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/less") }
        return hasLess ? "less -FRX" : nil
    }
}
