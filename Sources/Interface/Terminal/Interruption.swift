import BlogEssentials
import BlogMarkup
import Dispatch
import Synchronization

/// Handles Ctrl-C, which ends the program at once unless a pager owns the terminal.
///
/// The store needs no cleanup: SQLite rolls back interrupted transactions.
package enum Interruption {
    /// Makes Ctrl-C print a message before it ends the program, until the returned source is cancelled.
    package static func onInterrupt(_ text: @escaping @Sendable () -> Message) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            let clear = isatty(2) == 1 ? TerminalText.eraseLine : ""
            try? FileStream.standardError.write(Array("\(clear)blog: \(text().text)\n".utf8))
            endProgram(with: SIGINT)
        }
        source.setCancelHandler { prepare() }
        signal(SIGINT, SIG_IGN)
        source.resume()
        return source
    }

    /// Ends the program with a signal, even on a thread that blocks it.
    static func endProgram(with number: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Installs the signal handlers; call once, before anything else.
    package static func prepare() {
        // Writing to a closed pipe must fail instead of killing the process.
        signal(SIGPIPE, SIG_IGN)
        // A signal handler must not initialize statics.
        _ = Pager.isRunning.load(ordering: .relaxed)
        // Handlers may call only async-signal-safe functions. Raising the signal again tells the shell ($? is 130), so
        // that a loop around the program stops too.
        signal(SIGINT) { _ in
            if Pager.isRunning.load(ordering: .relaxed) { return }
            if isatty(2) == 1 {
                var clear: (UInt8, UInt8, UInt8, UInt8) = (0x0D, 0x1B, 0x5B, 0x4B)
                _ = write(2, &clear, 4)
            }
            signal(SIGINT, SIG_DFL)
            raise(SIGINT)
        }
    }
}
