import Foundation
import Synchronization

/// The mode of the terminal while it is queried: what comes from it is neither shown nor held for a line.
enum TerminalMode {
    private static let isChanged = Atomic(false)
    /// The mode that was found, for a signal handler too, which may only read what lies still.
    nonisolated(unsafe) private static let found = UnsafeMutablePointer<termios>.allocate(capacity: 1)

    /// Changes the mode; false if it can't be.
    static func change() -> Bool {
        guard !isChanged.load(ordering: .acquiring), tcgetattr(STDIN_FILENO, found) == 0 else { return false }
        var mode = found.pointee
        // Ctrl-C still works.
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        isChanged.store(true, ordering: .releasing)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 else {
            isChanged.store(false, ordering: .releasing)
            return false
        }
        return true
    }

    /// Restores the mode that was found, and drops what has come and was not read.
    ///
    /// Signal handlers may call it.
    static func restore() {
        guard isChanged.exchange(false, ordering: .acquiringAndReleasing) else { return }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, found)
    }

    /// Has the statics made, which a signal handler must not do.
    static func prepare() {
        _ = isChanged.load(ordering: .relaxed)
        _ = found
    }
}
