import BlogEssentials
import Synchronization

/// The mode of the terminal while it is queried: no echo, and input isn't held back until the end of a line.
enum TerminalMode {
    private static let isChanged = Atomic(false)
    /// The original mode, at a fixed address for signal handlers.
    nonisolated(unsafe) private static let found = UnsafeMutablePointer<termios>.allocate(capacity: 1)

    /// Changes the mode; false if that fails.
    static func change() -> Bool {
        guard !isChanged.load(ordering: .acquiring), tcgetattr(STDIN_FILENO, found) == 0 else { return false }
        var mode = found.pointee
        // Ctrl-C still works.
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        isChanged.store(true, ordering: .releasing)
        for index in signals.indices { handle(signals[index], &replaced[index]) }
        guard tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 else {
            restore()
            return false
        }
        // The program may have been stopped and continued just before, which has restored the mode.
        guard isChanged.load(ordering: .acquiring) else {
            tcsetattr(STDIN_FILENO, TCSANOW, found)
            return false
        }
        return true
    }

    /// Restores the original mode and drops unread input; async-signal-safe.
    static func restore() {
        guard isChanged.exchange(false, ordering: .acquiringAndReleasing) else { return }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, found)
        for index in 0..<signals.count { sigaction(signals[index], &replaced[index], nil) }
    }

    /// The signals that end or stop the program, in addition to those that are always handled: Ctrl-\, a closed window,
    /// Ctrl-Z.
    nonisolated(unsafe) private static let signals = UnsafeMutableBufferPointer<Int32>.of([SIGQUIT, SIGHUP, SIGTSTP])
    /// Their previous handlers.
    nonisolated(unsafe) private static let replaced = UnsafeMutableBufferPointer<Disposition>.of(
        Array(repeating: Disposition(), count: 3))
    private typealias Disposition = sigaction

    /// Makes a signal restore the mode before it ends or stops the program, unless it is ignored.
    private static func handle(_ number: Int32, _ old: inout Disposition) {
        sigaction(number, nil, &old)
        let ignored = signal(number) { number in
            TerminalMode.restore()
            // The previous handler may be Swift's own, which describes crashes.
            signal(number, SIG_DFL)
            raise(number)
        }
        if unsafeBitCast(ignored, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { sigaction(number, &old, nil) }
    }

    /// Initializes the statics, which a signal handler must not do.
    static func prepare() {
        _ = isChanged.load(ordering: .relaxed)
        _ = found
        _ = (signals, replaced)
    }
}

extension UnsafeMutableBufferPointer {
    /// A buffer with some elements, which is never freed.
    fileprivate static func of(_ elements: [Element]) -> UnsafeMutableBufferPointer {
        let buffer = allocate(capacity: elements.count)
        _ = buffer.initialize(from: elements)
        return buffer
    }
}
