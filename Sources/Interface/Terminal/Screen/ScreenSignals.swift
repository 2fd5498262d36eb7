import BlogEssentials
import Synchronization

/// Handles signals while the full screen is open.
///
/// Most handlers only wake the thread that reads keys. Those of fatal signals release the terminal, and let the signal
/// end the program as usual, so that the shell sees it.
enum ScreenSignals {
    struct Pending: OptionSet {
        let rawValue: UInt8

        static let ended = Pending(rawValue: 1)
        static let resized = Pending(rawValue: 2)
        static let continued = Pending(rawValue: 4)
        static let stopped = Pending(rawValue: 8)
    }

    private static let pending = Atomic<UInt8>(0)
    /// The signal that ends the program, 0 for none, and its time in milliseconds.
    private static let ending = Atomic<Int32>(0)
    private static let endingTime = Atomic(0)
    /// The writing end of a pipe that wakes the reading thread.
    private static let wakeUpPipe = Atomic<Int32>(-1)
    /// Whether another program has the terminal, whose Ctrl-C and Ctrl-\ are sent to us, too.
    private static let isReleased = Atomic(false)

    private typealias Action = sigaction
    private typealias Handler = @convention(c) (Int32) -> Void
    /// The previous handlers; accessed only by the thread that opens or closes the screen.
    nonisolated(unsafe) private static var replaced: [(number: Int32, action: Action)] = []

    /// Installs the handlers.
    ///
    /// - Parameter wakeUpPipe: the writing end of a pipe, which receives a byte for each signal.
    static func install(wakeUpPipe: Int32) {
        RawTerminal.prepareStatics()
        self.wakeUpPipe.store(wakeUpPipe, ordering: .releasing)
        ending.store(0, ordering: .releasing)
        endingTime.store(0, ordering: .releasing)
        pending.store(0, ordering: .releasing)
        setReleased(false)
        for number in [SIGTERM, SIGHUP, SIGINT] { replace(number, SA_RESTART, end) }
        replace(SIGWINCH, SA_RESTART) { _ in ScreenSignals.notify(.resized) }
        replace(SIGCONT, SA_RESTART) { _ in ScreenSignals.notify(.continued) }
        replace(SIGTSTP, SA_RESTART) { _ in
            if ScreenSignals.isReleased.load(ordering: .acquiring) {
                kill(getpid(), SIGSTOP)
            } else {
                ScreenSignals.notify(.stopped)
            }
        }
        replace(SIGQUIT, SA_RESTART) { number in
            if !ScreenSignals.isReleased.load(ordering: .acquiring) { ScreenSignals.die(number) }
        }
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            replace(number, SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))) { ScreenSignals.die($0) }
        }
    }

    static func uninstall() {
        for index in replaced.indices { sigaction(replaced[index].number, &replaced[index].action, nil) }
        replaced = []
    }

    /// Wakes the reading thread, with or without a signal.
    static func notify(_ signal: Pending) {
        let savedErrno = errno
        pending.bitwiseOr(signal.rawValue, ordering: .acquiringAndReleasing)
        var byte: UInt8 = 0
        // A full pipe wakes the thread, too.
        _ = write(wakeUpPipe.load(ordering: .acquiring), &byte, 1)
        errno = savedErrno
    }

    /// The signals that have arrived since the last call.
    static func takePending() -> Pending { Pending(rawValue: pending.exchange(0, ordering: .acquiringAndReleasing)) }

    /// Records whether another program has the terminal.
    static func setReleased(_ isReleased: Bool) { self.isReleased.store(isReleased, ordering: .releasing) }

    /// Ends the program with the signal that arrived, or else as if its terminal had been closed.
    static func exitAsSignalled() -> Never {
        let number = ending.load(ordering: .acquiring) == 0 ? SIGHUP : ending.load(ordering: .acquiring)
        Interruption.endProgram(with: number)
        _exit(128 + number)
    }

    /// Gives this thread a stack for signal handlers, which run after a stack overflow, too; it is never freed.
    static func useAlternateStack() {
        let size = 64 << 10
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        stack.ss_size = size
        sigaltstack(&stack, nil)
    }

    // MARK: Handlers

    /// Gives the program time to save its data, but only after the first signal.
    private static let end: Handler = { number in
        if number == SIGINT, ScreenSignals.isReleased.load(ordering: .acquiring) { return }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = time.tv_sec * 1000 + time.tv_nsec / 1_000_000
        let isFirst = ScreenSignals.ending.compareExchange(
            expected: 0, desired: number, ordering: .acquiringAndReleasing
        ).exchanged
        if isFirst {
            ScreenSignals.endingTime.store(now, ordering: .releasing)
            ScreenSignals.notify(.ended)
        } else if now - ScreenSignals.endingTime.load(ordering: .acquiring) >= ScreenSignals.gracePeriod {
            ScreenSignals.die(number)
        }
    }

    /// The milliseconds after which another signal kills the program: a closed window sends two at once.
    private static let gracePeriod = 2000

    private static func die(_ number: Int32) {
        RawTerminal.release(printsErrors: true)
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Replaces the handler of a signal, unless it is ignored.
    private static func replace(_ number: Int32, _ flags: Int32, _ handler: @escaping Handler) {
        var (old, new) = (Action(), Action())
        sigaction(number, nil, &old)
        guard !isIgnored(old) else { return }
        #if os(Linux)
            new.__sigaction_handler.sa_handler = handler
        #else
            new.__sigaction_u.__sa_handler = handler
        #endif
        new.sa_flags = flags
        sigaction(number, &new, nil)
        replaced.append((number, old))
    }

    private static func isIgnored(_ action: Action) -> Bool {
        #if os(Linux)
            let handler = action.__sigaction_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
