import Essentials
import Synchronization

/// The signals while the full screen is open.
///
/// Those that leave time only wake the thread that reads keys. Those that don't give the terminal back in the handler and
/// end the program as if it hadn't been handled, so that the shell sees the signal.
enum ScreenSignals {
    /// The signals that have come and were not dealt with.
    struct Pending: OptionSet {
        let rawValue: UInt8

        static let ended = Pending(rawValue: 1)
        static let resized = Pending(rawValue: 2)
        static let continued = Pending(rawValue: 4)
        static let stopped = Pending(rawValue: 8)
    }

    private static let pending = Atomic<UInt8>(0)
    /// The signal that ends the program, and when it came, in milliseconds; 0 for none.
    private static let ending = Atomic<Int32>(0)
    private static let endingTime = Atomic(0)
    /// The end of a pipe that wakes the reading thread.
    private static let wakingEnd = Atomic<Int32>(-1)
    /// Whether another program has the terminal: its Ctrl-C and Ctrl-\ are sent to us too.
    private static let isLent = Atomic(false)

    private typealias Action = sigaction
    private typealias Handler = @convention(c) (Int32) -> Void
    /// What was done about the signals before; changed by the thread that opens or closes the screen only.
    nonisolated(unsafe) private static var replaced: [(number: Int32, action: Action)] = []

    /// Handles signals from now on.
    ///
    /// - Parameter wakingEnd: the end of a pipe to write to when one has come.
    static func install(wakingEnd: Int32) {
        TakenTerminal.prepareStatics()
        self.wakingEnd.store(wakingEnd, ordering: .releasing)
        ending.store(0, ordering: .releasing)
        endingTime.store(0, ordering: .releasing)
        pending.store(0, ordering: .releasing)
        setLent(false)
        for number in [SIGTERM, SIGHUP, SIGINT] { replace(number, SA_RESTART, end) }
        replace(SIGWINCH, SA_RESTART) { _ in ScreenSignals.notify(.resized) }
        replace(SIGCONT, SA_RESTART) { _ in ScreenSignals.notify(.continued) }
        replace(SIGTSTP, SA_RESTART) { _ in
            if ScreenSignals.isLent.load(ordering: .acquiring) {
                kill(getpid(), SIGSTOP)
            } else {
                ScreenSignals.notify(.stopped)
            }
        }
        replace(SIGQUIT, SA_RESTART) { number in
            if !ScreenSignals.isLent.load(ordering: .acquiring) { ScreenSignals.die(number) }
        }
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            replace(number, SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))) { ScreenSignals.die($0) }
        }
    }

    /// Restores what was done about signals before.
    static func uninstall() {
        for index in replaced.indices { sigaction(replaced[index].number, &replaced[index].action, nil) }
        replaced = []
    }

    /// Wakes the reading thread for a signal, or for none.
    static func notify(_ signal: Pending) {
        let failure = errno
        pending.bitwiseOr(signal.rawValue, ordering: .acquiringAndReleasing)
        var byte: UInt8 = 0
        // A full pipe wakes the thread as well.
        _ = write(wakingEnd.load(ordering: .acquiring), &byte, 1)
        errno = failure
    }

    /// The signals since the last call.
    static func takePending() -> Pending { Pending(rawValue: pending.exchange(0, ordering: .acquiringAndReleasing)) }

    /// Tells whether another program has the terminal.
    static func setLent(_ isLent: Bool) { self.isLent.store(isLent, ordering: .releasing) }

    /// Ends the program with the signal that was to end it, or as if its terminal had been closed.
    static func exitAsSignalled() -> Never {
        let number = ending.load(ordering: .acquiring) == 0 ? SIGHUP : ending.load(ordering: .acquiring)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        signal(number, SIG_DFL)
        raise(number)
        _exit(128 + number)
    }

    /// Gives this thread a stack for the handlers of fatal signals, which an endless recursion leaves none; it is never
    /// freed.
    static func useOwnStack() {
        let size = 64 << 10
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        stack.ss_size = size
        sigaltstack(&stack, nil)
    }

    // MARK: Handlers

    /// Leaves the program time to store what it must, but only once.
    private static let end: Handler = { number in
        if number == SIGINT, ScreenSignals.isLent.load(ordering: .acquiring) { return }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = time.tv_sec * 1000 + time.tv_nsec / 1_000_000
        let isFirst = ScreenSignals.ending.compareExchange(
            expected: 0, desired: number, ordering: .acquiringAndReleasing
        ).exchanged
        if isFirst {
            ScreenSignals.endingTime.store(now, ordering: .releasing)
            ScreenSignals.notify(.ended)
        } else if now - ScreenSignals.endingTime.load(ordering: .acquiring) >= ScreenSignals.patience {
            ScreenSignals.die(number)
        }
    }

    /// How many milliseconds the program may take for ending: a closed window sends two signals at once.
    private static let patience = 2000

    private static func die(_ number: Int32) {
        TakenTerminal.giveBack(printsErrors: true)
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Replaces what is done about a signal, unless it is ignored.
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
