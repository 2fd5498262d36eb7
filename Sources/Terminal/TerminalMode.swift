import Essentials
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
        for index in signals.indices { restoring(signals[index], &replaced[index]) }
        guard tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 else {
            restore()
            return false
        }
        // The program may have been stopped just before, and gone on since.
        guard isChanged.load(ordering: .acquiring) else {
            tcsetattr(STDIN_FILENO, TCSANOW, found)
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
        for index in 0..<signals.count { sigaction(signals[index], &replaced[index], nil) }
    }

    /// The signals that end or stop the program, beside those that are always handled: Ctrl-\, Ctrl-Z, a window that is
    /// closed.
    nonisolated(unsafe) private static let signals = UnsafeMutableBufferPointer<Int32>.of([SIGQUIT, SIGHUP, SIGTSTP])
    /// What was done about them before.
    nonisolated(unsafe) private static let replaced = UnsafeMutableBufferPointer<Disposition>.of(
        Array(repeating: Disposition(), count: 3))
    private typealias Disposition = sigaction

    /// Has a signal restore the mode before it ends or stops the program; one that is ignored stays ignored.
    private static func restoring(_ number: Int32, _ old: inout Disposition) {
        sigaction(number, nil, &old)
        let ignored = signal(number) { number in
            TerminalMode.restore()
            // The handler before may be Swift's own, which describes crashes.
            signal(number, SIG_DFL)
            raise(number)
        }
        if unsafeBitCast(ignored, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { sigaction(number, &old, nil) }
    }

    /// Has the statics made, which a signal handler must not do.
    static func prepare() {
        _ = isChanged.load(ordering: .relaxed)
        _ = found
        _ = (signals, replaced)
    }
}

extension UnsafeMutableBufferPointer {
    /// Memory that is never freed and holds these.
    fileprivate static func of(_ elements: [Element]) -> UnsafeMutableBufferPointer {
        let buffer = allocate(capacity: elements.count)
        _ = buffer.initialize(from: elements)
        return buffer
    }
}
